"""The oracle's masks on hand-made positions, worked out on paper."""

from __future__ import annotations

import chess
import pytest

from tests.oracle import OracleGame
from tests.oracle.asking import (
    BERKELEY,
    BLOCKED,
    CINCINNATI,
    ENGLISH,
    ICC,
    RAND,
    ask,
    informed,
    own_board,
    play,
)

# -- the masks -----------------------------------------------------------------------------------------------


def test_a_refused_slide_removes_the_longer_ones_that_way() -> None:
    game = OracleGame(ICC, BLOCKED)
    ask(game, "a1a5")
    mask = informed(game)
    assert {"a1a2", "a1a3", "a1a4", "a1b1", "a1c1", "a1d1"} <= mask
    assert not {"a1a5", "a1a6", "a1a7", "a1a8"} & mask
    assert {"a1a5", "a1a8"} <= own_board(game)


def test_in_check_a_refused_slide_says_nothing_of_longer_ones() -> None:
    """The rook behind the checking one is refused a square on the file, and may still capture beyond it."""
    game = OracleGame(ICC, "4R3/k7/8/8/4r3/8/8/4K3 w - - 0 1")
    assert game.heard[chess.WHITE][0].checks == ("file",)
    assert ask(game, "e8e6")[0].kind == "illegal"
    assert {"e8e7", "e8e5", "e8e4", "e8e2"} <= informed(game)
    assert play(game, "e8e4").captured == "piece"


def test_castling_goes_in_check_and_comes_back() -> None:
    game = OracleGame(ICC, "r3k2r/8/8/8/8/8/8/R3K1NR b KQkq - 0 1")
    assert {"e8g8", "e8c8"} <= informed(game)
    play(game, "e8d8")
    assert "e1c1" in informed(game)
    assert "e1g1" not in own_board(game)
    play(game, "g1f3", "d8c8")
    assert {"e1g1", "e1c1"} <= informed(game)
    game = OracleGame(ICC, "4k2r/8/8/8/8/8/r7/R3K2R b KQk - 0 1")
    assert play(game, "a2a1").checks == ("rank",)
    assert "e1g1" in own_board(game)
    assert "e1c1" not in own_board(game), "the rook was captured on its square"
    assert "e1g1" not in informed(game)


def test_a_capture_blocks_slides_and_straight_pawns() -> None:
    game = OracleGame(ICC, "4k3/8/8/1b6/8/3N4/3P4/R2QK3 b - - 0 1")
    heard = play(game, "b5d3")
    assert heard.square == chess.D3
    mask = informed(game)
    assert "d2d3" not in mask
    assert "d2d4" in mask, "a double step over the square is not on the list"
    assert "d2d3" in own_board(game)
    game = OracleGame(ICC, "4k3/8/8/1b6/8/3N4/8/R2QK3 b - - 0 1")
    play(game, "b5d3")
    mask = informed(game)
    assert {"d1d2", "d1d3"} <= mask
    assert not {"d1d4", "d1d8"} & mask


DOUBLE_STEP = "4k3/8/8/8/3p1r2/8/4P3/R2QK2R w - - 0 1"


@pytest.mark.parametrize("rules", [ICC, BERKELEY, CINCINNATI, RAND])
@pytest.mark.parametrize("capture", ["d4e3", "f4e4"])
def test_a_capture_that_may_be_en_passant_blocks_nothing(rules: str, capture: str) -> None:
    game = OracleGame(rules, DOUBLE_STEP)
    play(game, "e2e4")
    assert play(game, capture).square == chess.E4
    seat = game.seats[chess.WHITE]
    kind = game.heard[chess.WHITE][-1].captured
    assert kind in ("pawn", "man")
    assert seat.taken_on is None


@pytest.mark.parametrize(("capture", "square"), [("d4e3", chess.E3), ("f4e4", chess.E4)])
def test_english_names_en_passant_so_each_capture_blocks(capture: str, square: int) -> None:
    game = OracleGame(ENGLISH, DOUBLE_STEP)
    play(game, "e2e4", capture)
    assert game.seats[chess.WHITE].taken_on == square


def test_a_capture_blocks_for_one_turn_only() -> None:
    game = OracleGame(ICC, "4k3/8/8/1b6/8/3N4/8/R2QK3 b - - 0 1")
    play(game, "b5d3", "a1a2", "d3b5")
    assert {"d1d4", "d1d8"} <= informed(game)
