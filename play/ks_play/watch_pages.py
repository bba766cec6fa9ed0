"""What answers for those who watch: games of two engines, and tournaments."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from ks_arena.sections import ConfigError
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from ks_env.record import RecordError
from ks_play.analysis import (
    Finished,
    NotFoundError,
    SecretError,
    explaining,
    looking_through,
    page_response,
    refusal,
)
from ks_play.studies import Studies
from ks_play.watching import Watching, WatchWish

Body = Callable[[Request], Awaitable[bytes]]
Answer = Callable[[Request], Awaitable[Response]]


def watch_routes(body: Body) -> list[Route]:
    """All of them; `body` reads a request's body within limits."""
    return [
        Route("/watched", _begin(body), methods=["POST"]),
        Route("/watched/{token}", _live),
        Route("/watched/{token}/frames", _frames(body), methods=["POST"]),
        Route("/watched/{token}/explain", explaining(_watched, body), methods=["POST"]),
        Route("/watched/{token}/{kind}", looking_through(_watched)),
        Route("/studies", _studies),
        Route("/studies/{number:int}", _study),
        Route("/studies/{number:int}/pairings/{pairing:int}", _pairing),
        Route("/studies/{number:int}/{place}", _to_replay),
        Route("/studies/{number:int}/{place}/explain", explaining(_study_game, body), methods=["POST"]),
        Route("/studies/{number:int}/{place}/{kind}", looking_through(_study_game)),
    ]


# ---- two engines


def _begin(body: Body) -> Answer:
    async def begin(request: Request) -> Response:
        watching: Watching = request.app.state.watching
        try:
            wish = WatchWish.model_validate_json(await body(request))
            return JSONResponse({"watch": await watching.begin(wish)})
        except ValidationError as error:
            first = error.errors()[0]
            return refusal(f"{'.'.join(map(str, first['loc'])) or 'request'}: {first['msg']}")
        except (ValueError, ImportError) as error:
            return refusal(str(error))

    return begin


async def _live(request: Request) -> Response:
    token = request.path_params["token"]
    try:
        game = request.app.state.watching.find(token)
    except NotFoundError as error:
        return refusal(str(error), 404)
    return page_response(game.page(f"{token}/frames"))


def _frames(body: Body) -> Answer:
    async def frames(request: Request) -> Response:
        try:
            game = request.app.state.watching.find(request.path_params["token"])
            since = _number(await body(request))
        except NotFoundError as error:
            return refusal(str(error), 404)
        except ValueError as error:
            return refusal(str(error))
        told: dict[str, Any] = await game.frames(since)
        here = f"{request.path_params['token']}/"
        return JSONResponse(told | {"links": [[words, here + kind] for words, kind in told["links"]]})

    return frames


def _number(body: bytes) -> int:
    try:
        since = json.loads(body)["since"]
    except (ValueError, KeyError, TypeError, RecursionError):
        since = None
    if type(since) is not int or since < 0:
        raise ValueError("since: expected the number of a frame")
    return since


async def _watched(request: Request) -> Finished:
    found: Finished = request.app.state.watching.finished(request.path_params["token"])
    return found


# ---- tournaments


async def _studies(request: Request) -> Response:
    return JSONResponse(request.app.state.studies.names())


def _of_studies(make: Callable[[Studies, Request], str]) -> Callable[[Request], Awaitable[str | Response]]:
    async def answer(request: Request) -> str | Response:
        try:
            return await run_in_threadpool(make, request.app.state.studies, request)
        except NotFoundError as error:
            return refusal(str(error), 404)
        except (ConfigError, ValueError) as error:
            return refusal(str(error), 409)

    return answer


async def _study(request: Request) -> Response:
    page = await _of_studies(lambda studies, asked: studies.page(asked.path_params["number"]))(request)
    return page if isinstance(page, Response) else page_response(page)


async def _pairing(request: Request) -> Response:
    def make(studies: Studies, asked: Request) -> str:
        return studies.pairing(asked.path_params["number"], asked.path_params["pairing"])

    page = await _of_studies(make)(request)
    return page if isinstance(page, Response) else HTMLResponse(page)


async def _to_replay(request: Request) -> Response:
    return Response(status_code=307, headers={"location": f"{request.url.path}/replay"})


async def _study_game(request: Request) -> Finished:
    studies: Studies = request.app.state.studies
    try:
        number, place = request.path_params["number"], request.path_params["place"]
        return await run_in_threadpool(studies.game, number, place)
    except (ConfigError, RecordError) as error:
        raise SecretError(str(error)) from None
