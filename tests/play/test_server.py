"""The server of the page: games are played, kept, taken up again; what is not for it is refused."""

from __future__ import annotations

import json
import re
import sqlite3
from importlib.resources import files
from pathlib import Path

import pytest
from ks_play.store import Store
from starlette.websockets import WebSocketDisconnect

from ks_env.games import game_ids
from ks_env.games.kriegspiel.game import Game
from ks_env.games.scene import make_scene
from ks_env.record import from_json, from_pgn, steps
from ks_env.render.replay import scene_values
from tests.play.serving import ORIGIN, Page, begin, page, serving


def play_on(seat: Page, tries: int) -> None:
    """Tries at a seat, each the first on its list that has not been refused."""
    for _ in range(tries):
        while not seat.state.get("turn"):
            if seat.state.get("over"):
                return
            seat.receive()
        asked = seat.state["asked"]
        start, end = seat.state["tries"][asked % len(seat.state["tries"])]
        names = [f"{'abcdefgh'[s & 7]}{(s >> 3) + 1}" for s in (start, end)]
        seat.attempt("".join(names))
        while seat.state["asked"] == asked:
            assert seat.receive()["type"] != "error", seat.traffic[-1]


def test_the_board_reads_only_what_a_scene_holds() -> None:
    script = files("ks_play").joinpath("page/board.js").read_text()
    read = set(re.findall(r"\bscene\??\.(\w+)", script))
    assert {"shaded", "marks"} <= read
    assert read <= set(scene_values(make_scene(Game(), "white")))


@pytest.mark.parametrize("game", game_ids())
def test_a_game_is_played_against_an_engine_and_looked_through(game: str, tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        token = begin(client, game=game, opponent="random", colour="black")["seat"]
        assert client.get(f"/records/{token}/replay").status_code == 409
        with page(client, token) as seat:
            play_on(seat, 5)
            seat.send(type="resign")
            seat.until_over()
            ended = seat.state["scene"]["status"]
            assert ended == "White wins: Black resigned"
        replay = client.get(f"/records/{token}/replay")
        assert replay.status_code == 200
        assert "script-src 'sha256-" in replay.headers["content-security-policy"]
        assert "1–0" in replay.text
        assert f"{ended}</span>" in replay.text
        headers = client.get(f"/records/{token}/pgn").text
        assert '[Result "1-0"]' in headers
        assert '[Termination "Black resigned"]' in headers
        assert headers.rstrip().endswith("1-0")
        records = (
            from_json(client.get(f"/records/{token}/json").text),
            from_pgn(client.get(f"/records/{token}/pgn").text),
        )
        for record in records:
            assert sum(entry.seat is False for entry in record.tries) >= 5
            assert record.ended == ended
            assert record.result == "1-0"
            assert (record.white, record.black) == ("random", "Person")
            assert list(steps(record))[-1].to_play is not None


def test_a_game_goes_on_where_it_was_when_the_server_is_begun_again(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        token = begin(client, opponent="capture", colour="white")["seat"]
        with page(client, token) as seat:
            play_on(seat, 8)
            seat.settle()
            before = [line for text in seat.traffic for line in page_lines(text)]
    with serving(tmp_path) as client, page(client, token) as seat:
        seat.until("told")
        after = seat.state["lines"]
        assert after[: len(before)] == before
        play_on(seat, 3)
        assert seat.state["asked"] >= 11


def page_lines(text: str) -> list[object]:
    message = json.loads(text)
    return list(message["lines"]) if message["type"] == "told" else []


def test_two_people_play_by_a_link_that_opens_once(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        made = begin(client, opponent="person", colour="white")
        with page(client, made["seat"]) as white:
            assert white.until("seat")["awaited"]
            other = client.post("/invitations", json={"invitation": made["invitation"]}).json()["seat"]
            assert other != made["seat"]
            white.until("came")
            assert client.post("/invitations", json={"invitation": made["invitation"]}).status_code == 404
            with page(client, other) as black:
                black.until("told")
                black.attempt("e7e5")
                assert black.until("error")["error"] == "it is not your turn"
                white.attempt("e2e4")
                white.until("told")
                black.until("told")
                assert black.state["turn"]
                assert "e2e4" not in "".join(black.traffic)


@pytest.mark.parametrize(
    ("player", "words"),
    [("Hanging", "did not answer"), ("Dying", "its process died"), ("Raising", "raised ValueError: no idea")],
)
def test_an_engine_that_fails_forfeits_and_the_page_says_so(player: str, words: str, tmp_path: Path) -> None:
    import ks_play.engines as engines

    with pytest.MonkeyPatch.context() as patch, serving(tmp_path, limit=0.5) as client:
        patch.setattr(engines, "PREPARING", 30.0 if player != "Hanging" else 1.0)
        name = f"tests.play.hanging:{player}"
        token = begin(client, opponent=name, colour="black")["seat"]
        healthy = begin(client, opponent="random", colour="black")["seat"]
        with page(client, token) as seat:
            seat.until_over()
            assert "Black wins" in seat.state["scene"]["status"]
            assert words in seat.state["scene"]["status"]
        patch.setattr(engines, "PREPARING", 30.0)
        with page(client, healthy) as other:  # the same process, begun anew
            while not other.state.get("turn"):
                other.receive()


def test_what_is_not_for_the_server_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        assert client.post("/games", json={}, headers={"origin": "http://evil.example"}).status_code == 403
        assert client.get("/", headers={"host": "evil.example"}).status_code == 403
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("ws://localhost/seat", headers={"origin": "http://evil.example"}),
        ):
            pass
        assert "default-src 'none'" in client.get("/").headers["content-security-policy"]
        assert client.post("/games", json={}, headers={"origin": "http://[evil"}).status_code == 403
        assert client.post("/games", content=b"{" * 5000).status_code == 400
        for wish in (
            {"game": "Go"},
            {"ruleset": "mine"},
            {"opponent": "nobody"},
            {"start": "8/8"},
            {"x": 1},
            {"options": {"name": "x"}},
            {"options": {"walls": True}},
        ):
            answer = client.post("/games", json=wish)
            assert answer.status_code == 400
            assert answer.json()["error"]
        for body in (b"[" * 4000, b'{"invitation":"\\ud800"}', b'{"invitation":7}', b"\xff"):
            assert client.post("/invitations", content=body).status_code == 404
        answer = client.post("/lessons/1", content=b'{"tries":["\\ud800"]}')
        assert answer.status_code == 400
        assert answer.json()["error"]
        assert client.get("/records/nobody/pgn").status_code == 404
        assert client.get("/page/../app.py").status_code == 404


def test_a_seat_answers_bad_messages_plainly(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        for nobody in ("nobody", "\ud800"):
            with page(client, nobody) as seat:
                assert seat.receive()["error"] == "there is no such seat"
        with client.websocket_connect("ws://localhost/seat", headers=ORIGIN) as socket:
            socket.send_bytes(b'{"seat":"nobody"}')
            assert socket.receive_json()["error"] == "there is no such seat"
        token = begin(client, opponent="random", colour="white")["seat"]
        with page(client, token) as seat:
            seat.until("told")
            for text in ("{", "[]", '{"type":"win"}', '{"type":"try"}', "x" * 5000, "[" * 4000):
                seat.socket.send_text(text)
                assert seat.receive()["type"] == "error"
            seat.socket.send_bytes(b'{"type":"ping"}')
            assert seat.receive()["type"] == "error"
            seat.attempt("e2e9")
            assert "is not a try" in seat.until("error")["error"]
            seat.send(type="try", **{"try": "e2e4"}, asked=7)
            assert "changed" in seat.until("error")["error"]


def test_a_file_of_another_kind_is_named(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    path.write_text("these are no games, but something else altogether" * 20)
    with pytest.raises(ValueError, match=r"other\.sqlite"):
        Store(path)
    later = tmp_path / "later.sqlite"
    with sqlite3.connect(later) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(ValueError, match="version 99"):
        Store(later)
