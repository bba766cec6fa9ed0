"""What the server refuses, told to the page in words; and requests, read within limits."""

import json
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from ks_arena.sections import ConfigError
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ks_env.record import RecordError
from ks_play.engines import EngineError

MOST_BYTES = 4096  # of a request's body or of a message
Answer = Callable[[Request], Awaitable[Response]]


class Refusal(Exception):  # noqa: N818 - it is an answer
    """What was asked for cannot be done; the words are for the page.

    Args:
        words: why.
        status: of the answer to a request.
    """

    def __init__(self, words: str, status: int = 400) -> None:
        super().__init__(words)
        self.status = status


def answering(answer: Answer) -> Answer:
    """The same, where a refusal, a player's fault and a tournament's damage become answers."""

    @wraps(answer)
    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except Refusal as error:
            return _told(str(error), error.status)
        except ValidationError as error:
            first = error.errors()[0]
            return _told(f"{'.'.join(map(str, first['loc'])) or 'request'}: {first['msg']}")
        except EngineError as error:
            return _told(str(error))
        except (ConfigError, RecordError) as error:  # of a tournament that is damaged or missing
            return _told(str(error), 409)

    return answered


def granting(answer: Answer) -> Answer:
    """`answering` for a wish: a ValueError says what is wrong with it; elsewhere it is a fault of ours."""

    @wraps(answer)
    async def granted(request: Request) -> Response:
        try:
            return await answer(request)
        except ValidationError:
            raise
        except (ValueError, ImportError) as error:
            raise Refusal(str(error)) from error

    return answering(granted)


def _told(words: str, status: int = 400) -> JSONResponse:
    """A plain error; it may quote what was asked, half a surrogate pair for instance, which UTF-8 has not."""
    return JSONResponse({"error": words.encode(errors="replace").decode()}, status)


async def body_of(request: Request) -> bytes:
    """The body of a request.

    Raises:
        Refusal: it is too long.
    """
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise Refusal(f"expected {MOST_BYTES} bytes at most")
    return body


async def values_of(request: Request, *keys: str) -> list[Any]:
    """Values of the JSON object that a request sends, by key; None for what is not there."""
    try:
        values = json.loads(await body_of(request))
    except (ValueError, RecursionError):
        values = None
    return [values.get(key) if isinstance(values, dict) else None for key in keys]
