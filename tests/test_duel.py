"""The comparison of the two referees finds differences, and its transcript plays the game again."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import chess
import pytest

from tests.duel import Duel, RefereesDifferError, replay
from tests.oracle import RULES, OracleGame, actions
from tests.quick_duel import QuickDuel
from tests.random_games import draw_try

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


# -- the quick duel ------------------------------------------------------------------------------------------


def test_the_quick_duel_finds_a_wrong_word() -> None:
    duel = QuickDuel("icc", BLOCKED)
    duel.oracle = OracleGame(replace(RULES["icc"], hopeless_word="nonsense"), BLOCKED)
    duel.ask(number("a1a5"))
    with pytest.raises(RefereesDifferError, match="what the mover hears"):
        duel.ask(number("a1a5"))


def test_the_quick_duel_finds_what_only_the_other_player_hears() -> None:
    duel = QuickDuel("icc", BLOCKED)
    duel.oracle = OracleGame(replace(RULES["icc"], illegal_public=True), BLOCKED)
    with pytest.raises(RefereesDifferError, match="what the other player hears"):
        duel.ask(number("a1a5"))


def test_the_quick_duel_finds_a_wrong_mask() -> None:
    duel = QuickDuel("icc", BLOCKED)
    duel.oracle.seats[chess.WHITE].men[chess.H1] = chess.PAWN
    with pytest.raises(RefereesDifferError, match=r"mask: too many \[\], missing"):
        duel.compare_decision()


def test_the_quick_duel_finds_a_wrong_legal_try() -> None:
    duel = QuickDuel("icc", BLOCKED)
    duel.oracle.survey.legal ^= 1 << number("a1a5")
    with pytest.raises(RefereesDifferError, match="legal tries"):
        duel.compare_decision()


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("side", 1, "board"),
        ("rights", 2, "board"),
        ("ep", 40, "board"),
        ("clock", 7, "clock"),
        ("plies", 7, "plies"),
        ("winner", 0, "winner"),
        ("reason", 3, "reason"),
        ("answered", 3, "tries this turn"),
    ],
)
def test_the_quick_duel_finds_a_wrong_referee(field: str, value: int, word: str) -> None:
    duel = QuickDuel("icc", BLOCKED)
    duel.ask(number("a1a5"))
    duel.ours.row()["truth"][field] = value
    duel.look()
    with pytest.raises(RefereesDifferError, match=word):
        duel.compare_state()


def test_the_quick_duel_finds_men_that_do_not_agree() -> None:
    duel = QuickDuel("icc", BLOCKED)
    duel.ours.row()["truth"]["men"][9] = 1
    duel.look()
    with pytest.raises(RefereesDifferError, match="men by square"):
        duel.compare_state()


@pytest.mark.parametrize("ruleset", RULES)
def test_the_quick_duel_finds_no_more_than_the_other(ruleset: str) -> None:
    """One and the same game by both."""
    rng = random.Random(ruleset)
    quick, duel = QuickDuel(ruleset, chess.STARTING_FEN), Duel(ruleset, chess.STARTING_FEN)
    for _ in range(150):
        action = draw_try(rng, quick.oracle)
        for each in (quick, duel):
            each.compare_decision()
            each.ask(action)
            each.compare_all()
        if quick.oracle.reason:
            break
    assert quick.ours.row().tobytes() == duel.ours.row().tobytes()
