"""Whom the server answers, and what its pages may load.

A page of another site must neither read nor begin anything here, whatever address it finds for this server:
the name that was called has to be one of ours, and what changes something has to come from our own page.
"""

import base64
import hashlib
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OWN_ONLY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": OWN_ONLY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LOCAL = ("localhost", "127.0.0.1", "[::1]")


def policy_for(script: str) -> str:
    """The policy of a page with one script and style of its own in it, which may ask this server."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline';"
        " img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def same_origin(headers: Headers) -> bool:
    """Whether a request comes from a page of this server."""
    try:
        caller = urlsplit(headers.get("origin", "")).netloc.lower()
    except ValueError:  # no address at all
        return False
    return caller != "" and caller == headers.get("host", "").lower()


class Guard:
    """Refuses what is not for this server, and puts the headers on every answer.

    Args:
        app: what is guarded.
        hosts: names by which the server may be called; None for any.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...] | None) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        fault = self._fault(scope, headers)
        if fault is None:
            return await self._app(scope, receive, _with_headers(send))
        if scope["type"] == "websocket":
            return await send({"type": "websocket.close", "code": 1008, "reason": fault})
        await JSONResponse({"error": fault}, 403, HEADERS)(scope, receive, send)

    def _fault(self, scope: Scope, headers: Headers) -> str | None:
        host = headers.get("host", "").lower()
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if self._hosts is not None and name not in self._hosts:
            return "this server is not called by that name; --name adds one"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and not same_origin(headers):
            return "expected a request from a page of this server"
        return None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
