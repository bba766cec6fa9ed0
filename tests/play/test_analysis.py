"""What is to be had of a game after its end, and not before: page, one file, reasons, ghosts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import chess
from starlette.testclient import TestClient

from tests.play.serving import begin, page, serving


def data_of(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(found[1])


def ask(client: TestClient, token: str, number: object = 1, player: object = "darkboard") -> tuple[int, Any]:
    answer = client.post(f"/records/{token}/explain", json={"number": number, "player": player})
    return answer.status_code, answer.json()


def test_nothing_of_the_analysis_is_to_be_had_before_the_end(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        made = begin(client, opponent="person", colour="white")
        other = client.post("/invitations", json={"invitation": made["invitation"]}).json()["seat"]
        with page(client, made["seat"]) as white, page(client, other) as black:
            black.until("told")
            white.until("told")
            black.send(type="ghosts", men={str(chess.E2): "king"})
            black.settle()
            white.attempt("e2e4")
            white.until("told")
            white.settle()
            assert "ghost" not in "".join(white.traffic)
            for token in (made["seat"], other):
                for kind in ("replay", "share", "pgn", "json"):
                    answer = client.get(f"/records/{token}/{kind}")
                    assert answer.status_code == 409
                    assert "e4" not in answer.text
                status, words = ask(client, token)
                assert (status, list(words)) == (409, ["error"])
        for token in ("1", "game 1", made["invitation"], made["seat"][:-1]):
            for kind in ("replay", "share", "pgn", "json"):
                assert client.get(f"/records/{token}/{kind}").status_code == 404
            assert ask(client, token)[0] == 404


def test_a_game_is_studied_after_its_end(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        token = begin(client, opponent="random", colour="white")["seat"]
        with page(client, token) as seat:
            seat.until("told")
            seat.send(type="ghosts", men={str(chess.E8): "king", str(chess.E4): "queen"})
            for bad in (
                {"64": "king"},
                {"1": "dragon"},
                {"1": 3},
                ["e4"],
                {str(n): "pawn" for n in range(17)},
            ):
                seat.send(type="ghosts", men=bad)
                assert "expected" in seat.until("error")["error"]
            seat.attempt("e2e4")
            seat.until("told")
            seat.send(type="resign")
            seat.until_over()
        status, answer = ask(client, token)
        assert status == 200
        assert answer["chosen"]
        assert answer["tries"][0]["line"][0] == answer["tries"][0]["text"]
        assert ask(client, token) == (status, answer)
        for number, player in (
            (0, "darkboard"),
            (True, "darkboard"),
            ("1", "darkboard"),
            (1, "nobody"),
            (1, 7),
        ):
            status, words = ask(client, token, number, player)
            assert (status, list(words)) == (400, ["error"])
        assert "cannot be explained" in ask(client, token, 1, "random")[1]["error"]
        served = data_of(client.get(f"/records/{token}/replay").text)
        assert served["ask"] == "explain"
        assert {"darkboard", "mcts-c", "policy"} <= set(served["players"])
        assert served["frames"][0]["views"]["white"]["misplaced"]["thought"] == [chess.E4]
        shared = client.get(f"/records/{token}/share")
        assert "attachment" in shared.headers["content-disposition"]
        assert token not in shared.text
        file = data_of(shared.text)
        assert file["explained"]["1"][0]["chosen"] == answer["chosen"]
        assert "ask" not in file
        assert "fetch(" not in shared.text
        assert file["frames"] == served["frames"]


def test_a_player_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    import ks_play.explaining as explaining
    import pytest

    with pytest.MonkeyPatch.context() as patch, serving(tmp_path, limit=0.5) as client:
        patch.setattr(explaining, "PREPARING", 2.0)
        token = begin(client, opponent="random", colour="white")["seat"]
        with page(client, token) as seat:
            seat.until("told")
            seat.send(type="resign")
            seat.until_over()
        status, words = ask(client, token, 1, "tests.play.hanging:Brooding")
        assert status == 400
        assert "did not answer in 2.5 seconds" in words["error"]


def test_a_game_of_invisible_chess_is_explained_by_the_advisors(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        token = begin(client, game="InvisibleChess", opponent="random", colour="white")["seat"]
        with page(client, token) as seat:
            seat.until("told")
            seat.attempt("e2e4")
            seat.until("told")
            seat.send(type="resign")
            seat.until_over()
        served = data_of(client.get(f"/records/{token}/replay").text)
        assert served["players"] == ["advisors"]
        status, answer = ask(client, token, player="advisors:depth=1")
        assert status == 200
        assert list(answer["tries"][0]["components"]) == ["strategic, pawns"]
        status, words = ask(client, token, player="darkboard")
        assert (status, list(words)) == (400, ["error"])
