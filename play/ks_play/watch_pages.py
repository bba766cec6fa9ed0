"""What answers for those who watch: games of two engines, and tournaments."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from ks_play.analysis import Finished, explaining, looking_through, page_response
from ks_play.refusals import Refusal, answering, body_of, granting, values_of
from ks_play.studies import Studies
from ks_play.watching import Watching, WatchWish

# ---- two engines


@granting
async def _begin(request: Request) -> Response:
    watching: Watching = request.app.state.watching
    wish = WatchWish.model_validate_json(await body_of(request))
    return JSONResponse({"watch": await watching.begin(wish)})


@answering
async def _live(request: Request) -> Response:
    token = request.path_params["token"]
    return page_response(request.app.state.watching.find(token).page(f"{token}/frames"))


@answering
async def _frames(request: Request) -> Response:
    token = request.path_params["token"]
    game = request.app.state.watching.find(token)
    (since,) = await values_of(request, "since")
    if type(since) is not int or since < 0:
        raise Refusal("since: expected the number of a frame")
    told: dict[str, Any] = await game.frames(since)
    return JSONResponse(told | {"links": [[words, f"{token}/{kind}"] for words, kind in told["links"]]})


async def _watched(request: Request) -> Finished:
    found: Finished = request.app.state.watching.finished(request.path_params["token"])
    return found


# ---- tournaments


async def _studies(request: Request) -> Response:
    return JSONResponse(request.app.state.studies.names())


@answering
async def _study(request: Request) -> Response:
    studies: Studies = request.app.state.studies
    return page_response(await run_in_threadpool(studies.page, **request.path_params))


@answering
async def _pairing(request: Request) -> Response:
    studies: Studies = request.app.state.studies
    return HTMLResponse(await run_in_threadpool(studies.pairing, **request.path_params))


async def _to_replay(request: Request) -> Response:
    return Response(status_code=307, headers={"location": f"{request.url.path}/replay"})


async def _study_game(request: Request) -> Finished:
    studies: Studies = request.app.state.studies
    number, place = request.path_params["number"], request.path_params["place"]
    return await run_in_threadpool(studies.game, number, place)


ROUTES = [
    Route("/watched", _begin, methods=["POST"]),
    Route("/watched/{token}", _live),
    Route("/watched/{token}/frames", _frames, methods=["POST"]),
    Route("/watched/{token}/explain", explaining(_watched), methods=["POST"]),
    Route("/watched/{token}/{kind}", looking_through(_watched)),
    Route("/studies", _studies),
    Route("/studies/{number:int}", _study),
    Route("/studies/{number:int}/pairings/{pairing:int}", _pairing),
    Route("/studies/{number:int}/{place}", _to_replay),
    Route("/studies/{number:int}/{place}/explain", explaining(_study_game), methods=["POST"]),
    Route("/studies/{number:int}/{place}/{kind}", looking_through(_study_game)),
]
