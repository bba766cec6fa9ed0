"""Games that are over: the page to look through them, the same as a file, PGN, JSON, and reasons."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from ks_env.core.answers import Reason
from ks_env.record import Record, to_json, to_pgn
from ks_env.render.errors_told import Guesses
from ks_env.render.replay import replay_html
from ks_play.explaining import Explainer, who_explains
from ks_play.guard import policy_for
from ks_play.refusals import Answer, Refusal, answering, values_of

SCRIPT = re.compile(r"<script>(.*)</script>", re.S)
KINDS = ("replay", "share", "pgn", "json")
MEDIA = {"share": "text/html", "pgn": "application/x-chess-pgn", "json": "application/json"}


class Finished(NamedTuple):
    """A game that is over.

    Attributes:
        key: names it, for what is kept of it.
        record: it.
        engines: White's and Black's engine with parameters; None for a person.
        seeds: White's and Black's.
        guesses: see `page_data`.
    """

    key: str
    record: Record
    engines: tuple[str | None, str | None]
    seeds: tuple[int, int]
    guesses: Guesses


Find = Callable[[Request], Awaitable[Finished]]


def page_response(page: str) -> HTMLResponse:
    """A page with one script in it, which alone may run."""
    script = SCRIPT.search(page)
    assert script is not None, "the page has one script"
    return HTMLResponse(page, headers={"content-security-policy": policy_for(script[1])})


def looking_through(find: Find) -> Answer:
    """What answers for a game in one of `KINDS`, `kind` in the address."""

    @answering
    async def look(request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in KINDS:
            raise Refusal(f"expected {', '.join(KINDS)}", 404)
        game = await find(request)
        if kind == "replay":
            return page_response(
                await run_in_threadpool(_page, game, request.app.state.explainer, served=True)
            )
        if kind == "share":
            text = await run_in_threadpool(_page, game, request.app.state.explainer, served=False)
        else:
            text = to_pgn(game.record) if kind == "pgn" else to_json(game.record)
        name = f'attachment; filename="game.{"html" if kind == "share" else kind}"'
        return Response(text, media_type=MEDIA[kind], headers={"content-disposition": name})

    return look


def _page(game: Finished, explainer: Explainer, *, served: bool) -> str:
    more: dict[str, Any] = {
        "explained": explainer.answered(game.key),
        "broken": game.record.reason is Reason.NONE,
    }
    if served:
        more["links"] = [["New game", "/"], ["One file", "share"], ["PGN", "pgn"], ["JSON", "json"]]
        if players := who_explains(game.record, game.engines):
            more |= {"ask": "explain", "players": players}
    return replay_html(game.record, predicted=True, guesses=game.guesses, **more)


def explaining(find: Find) -> Answer:
    """What answers why a player would try what in a game: `{"number": 7, "player": "darkboard"}`."""

    @answering
    async def explain(request: Request) -> Response:
        game = await find(request)
        explainer: Explainer = request.app.state.explainer
        number, player = await values_of(request, "number", "player")
        seed = game.seeds[game.engines.index(player)] if player in game.engines else 1
        try:
            return JSONResponse(await explainer.ask(game.key, game.record, number, player, seed))
        except (ValueError, ImportError) as error:  # of the number or the player
            raise Refusal(str(error)) from error

    return explain
