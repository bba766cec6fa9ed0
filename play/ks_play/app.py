"""The server: pages, what begins a game, the socket of a seat, and the records of games that are over."""

import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import chess
import chess.svg
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from ks_env.render.replay import PAGE as REPLAY
from ks_play.analysis import Finished, explaining, looking_through
from ks_play.engines import Engines
from ks_play.explaining import Explainer
from ks_play.guard import LOCAL, Guard
from ks_play.house import House
from ks_play.ladder import ladder
from ks_play.lessons import take
from ks_play.refusals import MOST_BYTES, Refusal, answering, body_of, granting, values_of
from ks_play.setup import Wish, catalogue
from ks_play.sitting import Listener, Sitting
from ks_play.store import Store
from ks_play.studies import Studies
from ks_play.watch_pages import ROUTES
from ks_play.watching import Watching

PAGE = Path(__file__).with_name("page")
MOST_FAULTS = 20  # bad messages before a socket is closed


def make_app(
    store: Store,
    engines: Engines,
    beat: float = 0.5,
    hosts: tuple[str, ...] | None = LOCAL,
    *,
    strangers: bool = False,
    studies: Studies | None = None,
    origin: str | None = None,
) -> Starlette:
    """The server as an ASGI application, which closes store and engines when it ends.

    Args:
        store: where games are kept.
        engines: who think.
        beat: see `Sitting`.
        hosts: names by which the server may be called; None for any.
        strangers: whether others than who started it may reach it; see `settle`.
        studies: tournaments to show.
        origin: where others find the pages, such as `http://my-machine.local:8019`, for the links that are
            sent to them; None for where the page itself was found.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.house = House(store, engines, beat, strangers=strangers)
        app.state.choices = catalogue() | {
            "ladder": ladder().model_dump(include={"game", "ruleset", "levels"}),
            "origin": origin,
        }
        app.state.watching = Watching(engines, strangers=strangers)
        app.state.studies = studies or Studies(())
        app.state.explainer = Explainer(engines.limit, strangers=strangers)
        yield
        app.state.explainer.close()
        await app.state.house.close()
        await app.state.watching.close()
        engines.close()
        store.close()

    return Starlette(
        routes=[
            Route("/", _page("index.html")),
            Route("/game", _page("game.html")),
            Route("/tutorial", _page("tutorial.html")),
            Route("/lessons/{number:int}", _lesson, methods=["POST"]),
            Route("/watch", _page("watch.html")),
            *ROUTES,
            Route("/choices", _choices),
            Route("/rating", _rating),
            Route("/games", _begin, methods=["POST"]),
            Route("/invitations", _accept, methods=["POST"]),
            Route("/records/{token}/explain", explaining(_finished), methods=["POST"]),
            Route("/records/{token}/{kind}", looking_through(_finished)),
            Route("/pieces/{name}.svg", _piece),
            Route("/palette.css", _page("palette.css", REPLAY)),
            WebSocketRoute("/seat", _seat),
            Mount("/page", StaticFiles(directory=PAGE)),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        lifespan=lifespan,
    )


def _page(name: str, folder: Path = PAGE) -> Any:
    async def page(request: Request) -> Response:
        return FileResponse(folder / name)

    return page


async def _choices(request: Request) -> Response:
    return JSONResponse(request.app.state.choices)


@granting
async def _lesson(request: Request) -> Response:
    """A lesson after some tries, `{"tries": ["e2e4"]}`."""
    (tries,) = await values_of(request, "tries")
    return JSONResponse(take(request.path_params["number"], tries))


async def _rating(request: Request) -> Response:
    return JSONResponse(await request.app.state.house.rating())


@answering
async def _piece(request: Request) -> Response:
    """A man as python-chess draws it."""
    colour, _, kind = request.path_params["name"].partition("-")
    if colour not in chess.COLOR_NAMES or kind not in chess.PIECE_NAMES[1:]:
        raise Refusal("there is no such man", 404)
    symbol = chess.piece_symbol(chess.PIECE_NAMES.index(kind))
    drawn = chess.svg.PIECES[symbol.upper() if colour == "white" else symbol]
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45">{drawn}</svg>'
    return Response(text, media_type="image/svg+xml", headers={"cache-control": "max-age=86400"})


@granting
async def _begin(request: Request) -> Response:
    wish = Wish.model_validate_json(await body_of(request))
    return JSONResponse(await request.app.state.house.begin(wish))


@answering
async def _accept(request: Request) -> Response:
    (code,) = await values_of(request, "invitation")
    token = await request.app.state.house.accept(code) if isinstance(code, str) else None
    if token is None:
        raise Refusal("this invitation is not known, or somebody has taken the seat", 404)
    return JSONResponse({"seat": token})


async def _finished(request: Request) -> Finished:
    """The game of a seat, once it is over."""
    house: House = request.app.state.house
    found = await house.find(request.path_params["token"])
    if found is None:
        raise Refusal("there is no such seat", 404)
    sitting, _ = found
    try:
        return await sitting.finished()
    finally:
        house.leave(sitting)


async def _seat(socket: WebSocket) -> None:
    """The socket of a seat: its first message names the token, `{"seat": token}`."""
    await socket.accept()
    house: House = socket.app.state.house
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        first = await _receive(socket)
        token = None if first is None else first.get("seat")
        found = await house.find(token) if isinstance(token, str) else None
        if found is None:
            await _send(socket, {"type": "error", "error": "there is no such seat", "final": True})
            return await socket.close(1008)
        await _listen(socket, house, *found)


async def _listen(socket: WebSocket, house: House, sitting: Sitting, colour: bool) -> None:
    async def send(message: dict[str, Any]) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the page has left
            await _send(socket, message)

    listener = Listener(colour, send)
    try:
        await sitting.join(listener)
        await _converse(socket, sitting, listener)
    finally:
        if listener in sitting.listeners:
            sitting.listeners.remove(listener)
        house.leave(sitting)


async def _converse(socket: WebSocket, sitting: Sitting, listener: Listener) -> None:
    faults = 0
    while faults < MOST_FAULTS:
        message = await _receive(socket)
        try:
            if message is None:
                raise Refusal(f"expected a JSON object of {MOST_BYTES} bytes at most")
            await sitting.command(listener, message)
        except Refusal as error:
            faults += 1
            await listener.send({"type": "error", "error": str(error)})
    await socket.close(1008)


async def _receive(socket: WebSocket) -> dict[str, Any] | None:
    """The next message; None for what is not one.

    Raises:
        WebSocketDisconnect: the page has left.
    """
    frame = await socket.receive()
    if frame["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(frame["code"])
    text = frame.get("text") or ""  # none in a binary frame
    if len(text) > MOST_BYTES:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


async def _send(socket: WebSocket, message: dict[str, Any]) -> None:
    await socket.send_text(json.dumps(message, separators=(",", ":")))
