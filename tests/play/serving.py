"""A server in this process, and seats that speak to it as a page does."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ks_play.app import make_app
from ks_play.engines import Engines
from ks_play.store import Store
from starlette.testclient import TestClient, WebSocketTestSession

ORIGIN = {"origin": "http://localhost"}


@contextlib.contextmanager
def serving(folder: Path, limit: float = 20.0, beat: float = 0.0) -> Iterator[TestClient]:
    app = make_app(Store(folder / "games.sqlite"), Engines(1, limit), beat=beat)
    with TestClient(app, base_url="http://localhost", headers=ORIGIN) as client:
        yield client


def begin(client: TestClient, **wish: Any) -> dict[str, Any]:
    answer = client.post("/games", json=wish)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


class Page:
    """A page at a seat; `traffic` is every message as it came, but what answers `ping`."""

    def __init__(self, socket: WebSocketTestSession, token: str) -> None:
        self.socket = socket
        self.traffic: list[str] = []
        self.state: dict[str, Any] = {}
        socket.send_text(json.dumps({"seat": token}))

    def receive(self) -> dict[str, Any]:
        text = self.socket.receive_text()
        message: dict[str, Any] = json.loads(text)
        if message["type"] != "pong":
            self.traffic.append(text)
        if message["type"] == "told":
            self.state = message
        return message

    def settle(self) -> None:
        """Take in all that was sent until now."""
        self.socket.send_text('{"type":"ping"}')
        while self.receive()["type"] != "pong":
            pass

    def send(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def attempt(self, text: str) -> None:
        self.send(type="try", **{"try": text}, asked=self.state["asked"])

    def until(self, kind: str) -> dict[str, Any]:
        while (message := self.receive())["type"] != kind:
            pass
        return message

    def until_over(self) -> None:
        while not self.state.get("over"):
            self.receive()


@contextlib.contextmanager
def page(client: TestClient, token: str) -> Iterator[Page]:
    with client.websocket_connect("ws://localhost/seat", headers=ORIGIN) as socket:
        yield Page(socket, token)
