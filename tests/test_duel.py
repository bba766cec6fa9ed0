"""The comparison of the two referees finds differences, and its transcript plays the game again."""

from __future__ import annotations

import json
from dataclasses import replace

import chess
import pytest

from tests.duel import Duel, RefereesDifferError, replay
from tests.oracle import RULES, OracleGame, actions

BLOCKED = "4k3/8/8/8/r7/8/8/R3K3 w - - 0 1"


def number(uci: str) -> int:
    return actions.number_of(chess.Move.from_uci(uci), chess.WHITE)


def test_a_wrong_word_is_found() -> None:
    duel = Duel("icc", BLOCKED)
    duel.oracle = OracleGame(replace(RULES["icc"], hopeless_word="nonsense"), BLOCKED)
    duel.ask(number("a1a5"))
    with pytest.raises(RefereesDifferError, match="what the mover hears"):
        duel.ask(number("a1a5"))


def test_a_wrong_mask_is_found() -> None:
    duel = Duel("icc", BLOCKED)
    duel.oracle.seats[chess.WHITE].men[chess.H1] = chess.PAWN
    with pytest.raises(RefereesDifferError, match=r"mask: too many \[\], missing"):
        duel.compare_decision()


def test_a_wrong_board_is_found() -> None:
    duel = Duel("icc", BLOCKED)
    duel.oracle.board.halfmove_clock = 7
    with pytest.raises(RefereesDifferError, match="board:"):
        duel.compare_all()


def test_what_only_the_other_player_hears_is_compared() -> None:
    duel = Duel("icc", BLOCKED)
    duel.oracle = OracleGame(replace(RULES["icc"], illegal_public=True), BLOCKED)
    duel.ask(number("a1a5"))
    with pytest.raises(RefereesDifferError, match="that black heard"):
        duel.compare_all()


def test_a_transcript_plays_the_game_again() -> None:
    duel = Duel("english", BLOCKED, {"max_tries": 9})
    for uci in ("a1a5", "b1b2", "a1a4"):
        duel.ask(number(uci))
    again = replay(json.loads(duel.transcript().splitlines()[0]))
    assert again.oracle.board.fen() == duel.oracle.board.fen()
    assert again.asked == duel.asked
