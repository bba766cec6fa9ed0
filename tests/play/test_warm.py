"""What is not compiled yet is refused while the rest is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from ks_play import warm

from tests.play.serving import begin, page, serving


def test_what_is_not_ready_is_refused_and_the_rest_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "_missing", {"invisible chess", warm.POSSIBLE})
    with serving(tmp_path) as client:
        wish = {"game": "InvisibleChess", "opponent": "random", "colour": "white"}
        watched = {"game": "InvisibleChess", "white": "random", "black": "random"}
        for path, places in (("/games", wish), ("/watched", watched)):
            answer = client.post(path, json=places)
            assert answer.status_code == 400
            assert "invisible chess is being made ready" in answer.json()["error"]
        with page(client, begin(client, opponent="random", colour="white")["seat"]) as seat:
            seat.until("told")
            seat.send(type="believe", on=True)
            assert "what is possible is being made ready" in seat.until("error")["error"]
            seat.attempt("e2e4")
            seat.until("told")
            warm._missing.clear()
            seat.send(type="believe", on=True)
            assert seat.until("belief")["belief"]
        assert client.post("/games", json=wish).status_code == 200


def test_the_thread_makes_all_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    missing: set[str] = set()
    monkeypatch.setattr(warm, "_missing", missing)
    said: list[str] = []
    thread = warm.warm_up(said.append)
    assert "Making Kriegspiel ready" in said[0]
    thread.join()
    assert not missing
    assert {line.split(" is ready")[0].strip() for line in said[1::2]} == {
        "Kriegspiel",
        "invisible chess",
        "dark chess",
        warm.POSSIBLE,
    }
