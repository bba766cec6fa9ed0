"""Clocks, counters and the position history at their ends, before both referees."""

from __future__ import annotations

import random

import chess
import pytest

from tests.duel import Duel, Options
from tests.oracle import OracleGame, actions

ROOK_ENDING = "4k3/8/8/8/8/8/8/R3K3 w - - {clock} {move}"
OPEN_BOARD = "rnbqkb1r/8/8/8/8/8/8/RNBQKB1R w - - 0 1"


@pytest.mark.parametrize("fifty", [True, False])
@pytest.mark.parametrize(("clock", "move"), [(98, 60), (99, 1), (100, 1), (255, 300), (300, 9000)])
def test_late_clocks(clock: int, move: int, fifty: bool) -> None:
    duel = Duel("icc", ROOK_ENDING.format(clock=clock, move=move), {"fifty_moves": fifty})
    for uci in ("a1a2", "e8e7", "a2a3"):
        duel.compare_all()
        if not duel.oracle.reason:
            duel.compare_decision()
            duel.ask(actions.number_of(chess.Move.from_uci(uci), duel.oracle.board.turn))
    duel.compare_all()
    assert (duel.oracle.reason == "fifty moves") == fifty


def quiet_try(rng: random.Random, game: OracleGame) -> int:
    """A legal move that neither captures nor, where that can be had, repeats a position or gives check."""
    quiet = [action for action, move in game.moves.items() if not game.board.is_zeroing(move)]
    chosen = next(iter(game.moves))
    for chosen in rng.sample(quiet, min(len(quiet), 6)):
        after = game.copy()
        after.ask(chosen)
        if not after.reason and after.times_seen == 1 and not after.checks:
            break
    return chosen


@pytest.mark.parametrize(
    "options",
    [
        {"fifty_moves": False, "max_plies": 1500},
        {"fifty_moves": False, "threefold": False, "max_plies": 700},
        {"max_plies": 1500},
    ],
    ids=str,
)
def test_long_games_without_progress(options: Options) -> None:
    """The history of positions must hold as many as the settings allow."""
    rng = random.Random(4)
    duel = Duel("icc", OPEN_BOARD, options)
    while not duel.oracle.reason:
        if duel.oracle.plies % 100 == 0:
            duel.compare_decision()
            duel.compare_all()
        duel.ask(quiet_try(rng, duel.oracle))
    duel.compare_all()
    assert duel.oracle.reason == ("plies" if "fifty_moves" in options else "fifty moves")


@pytest.mark.parametrize("ruleset", ["icc", "cincinnati"])
def test_more_tries_in_a_turn_than_a_byte_counts(ruleset: str) -> None:
    duel = Duel(ruleset, "4k3/8/8/8/r7/8/8/R3K3 w - - 0 1", {"max_tries": 600})
    blocked = actions.number_of(chess.Move.from_uci("a1a5"), chess.WHITE)
    for number in range(600):
        assert not duel.oracle.reason, number
        duel.ask(blocked)
    duel.compare_all()
    assert (duel.oracle.reason, duel.oracle.winner) == ("tries", chess.BLACK)
