"""The command itself: where the page is said to be, and what cannot be begun is said in one line."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from ks_play import command, warm
from ks_play.engines import Engines
from ks_play.store import Store
from ks_train.commands.plain import plainly
from starlette.testclient import TestClient
from typer.testing import CliRunner, Result

Begin = Callable[..., Result]


@pytest.fixture
def done() -> list[Any]:
    """What was begun: the app, and the addresses that were opened."""
    return []


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[Any]) -> Begin:
    """`ks play` up to where the server would begin."""
    import uvicorn

    class At:
        """Does at once what a timer would do later."""

        def __init__(self, seconds: float, function: Callable[..., None], arguments: list[str]) -> None:
            self.start = lambda: function(*arguments)

    def serve(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        done.append(server.config.app)
        sockets[0].close()

    monkeypatch.setattr(warm, "warm_up", lambda say: say("warming up"))
    monkeypatch.setattr(Engines, "start", lambda engines: None)
    monkeypatch.setattr(uvicorn.Server, "run", serve)
    monkeypatch.setattr(command, "Timer", At)
    monkeypatch.setattr("webbrowser.open", done.append)
    monkeypatch.setenv("DISPLAY", ":0")
    app = typer.Typer()
    app.command()(plainly(command.play))

    def run(*arguments: str) -> Result:
        arguments = ("--port", "0", "--games", str(tmp_path / "games.sqlite"), *arguments)
        return CliRunner().invoke(app, arguments)

    return run


def test_the_first_name_is_printed_opened_and_put_into_links(begin: Begin, done: list[Any]) -> None:
    said = begin("--name", "My-Machine.local", "--name", "other.local").stdout
    opened, app = done
    assert opened.startswith("http://my-machine.local:")
    assert f"Play at {opened} " in said
    with TestClient(app, base_url="http://my-machine.local") as client:
        assert client.get("/choices").json()["origin"] == opened.rstrip("/")


def test_without_a_name_links_are_those_of_the_page(begin: Begin, done: list[Any]) -> None:
    begin()
    opened, app = done
    assert opened.startswith("http://localhost:")
    with TestClient(app, base_url="http://localhost") as client:
        assert client.get("/choices").json()["origin"] is None


def failure(result: Result) -> str:
    """The one line that was said, before anything that takes long."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def test_a_busy_port_is_named_before_anything_is_made_ready(begin: Begin, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        line = failure(begin("--port", port))
    assert line == (
        f"error: cannot listen on port {port} of 127.0.0.1: Address already in use; choose one with --port"
    )
    assert not (tmp_path / "games.sqlite").exists()
    assert "cannot listen on port 0 of no.such.host.invalid" in failure(
        begin("--host", "no.such.host.invalid")
    )


def test_a_folder_in_place_of_a_file_of_games_is_named(begin: Begin, tmp_path: Path) -> None:
    assert f"{tmp_path}: is a folder" in failure(begin("--games", str(tmp_path)))


def test_a_wrong_file_is_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("these are no games, but something else altogether" * 20)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE birds (name TEXT)")
    for each in (path, other):
        each.chmod(0o644)
        before = each.read_bytes()
        with pytest.raises(ValueError, match=rf"{each.name}: expected a file of games"):
            Store(each)
        assert each.stat().st_mode & 0o777 == 0o644
        assert each.read_bytes() == before


def test_a_new_file_is_readable_to_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.sqlite"
    Store(path).close()
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)  # the owner's will
    Store(path).close()
    assert path.stat().st_mode & 0o777 == 0o640
