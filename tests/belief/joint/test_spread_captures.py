"""Distributions that do not take in where a hidden man captured: hand-made cases, and random games."""

from __future__ import annotations

import random

import chess
import pytest

from ks_env.belief.joint import Joint
from ks_env.games.invisible.game import InvisibleGame
from tests.belief.joint.games import HIDDEN, ask_random, new_game, truth_of

# hidden men, position, the tries of White; then the squares that Black deems possible, in White's frame
CASES = [
    # from a1 over the diagonal that its victim closed
    ("a1 v none", "4k3/8/8/4p3/8/2n5/8/B3K3 w - - 0 1", "a1c3", {"b2": 1 / 2, "c3": 1 / 2}),
    # a pawn: one step, two steps, or the capture
    ("e2 v none", "4k3/8/8/8/8/3b4/4P3/4K3 w - - 0 1", "e2d3", {"e3": 1 / 3, "e4": 1 / 3, "d3": 1 / 3}),
    # other captures are not deemed possible: the other man is still there
    (
        "a1 v none",
        "4k3/8/8/8/p7/8/8/R2nK3 w - - 0 1",
        "a1d1",
        dict.fromkeys(("a2", "a3", "b1", "c1", "d1"), 1 / 5),
    ),
    # the check that was told is taken in, from wherever a queen without the victim before it would give it
    (
        "d1 v none",
        "3nk3/8/8/8/8/8/8/3QK3 w - - 0 1",
        "d1d8",
        dict.fromkeys(("a4", "d7", "d8", "e2", "h5"), 1 / 5),
    ),
]


def places(joint: Joint, number: int) -> dict[str, float]:
    """Chances of the squares of a man of White's, from Black's distribution."""
    marginal = joint.marginals()[number]
    return {chess.square_name(s ^ 56): float(p) for s, p in enumerate(marginal) if p > 0}


@pytest.mark.parametrize(("hidden", "fen", "move", "expected"), CASES)
def test_a_capture_spreads_as_any_move(hidden: str, fen: str, move: str, expected: dict[str, float]) -> None:
    game = InvisibleGame(hidden, fen=fen)
    told, spread = Joint(64), Joint(64, spread_captures=True)
    for joint in (told, spread):
        joint.begin(game.view(chess.BLACK))
    game.ask(move)
    for joint in (told, spread):
        joint.follow(game.view(chess.BLACK))
    assert places(told, 1) == pytest.approx({move[2:]: 1.0})
    assert places(spread, 1) == pytest.approx(expected)


@pytest.mark.parametrize("hidden", HIDDEN[:5])
def test_it_holds_the_truth_and_all_boards_of_the_exact_one(hidden: str) -> None:
    compared = wider = 0
    for number in range(6):
        rng = random.Random(f"spread {hidden} {number}")
        game = new_game(rng, hidden)
        pairs = {c: (Joint(1 << 15), Joint(1 << 15, spread_captures=True)) for c in chess.COLORS}
        for colour, pair in pairs.items():
            for joint in pair:
                joint.begin(game.view(colour))
        for _ in range(80):
            ask_random(rng, game, legal=0.8)
            if game.to_play is None:
                break
            for colour, (exact, spread) in pairs.items():
                for joint in (exact, spread):
                    joint.follow(game.view(colour))
                if not spread.exact:
                    continue
                assert spread.chance(truth_of(game, colour)) > 0
                boards = {board.tobytes() for board in spread.boards}
                assert {board.tobytes() for board in exact.boards} <= boards
                assert spread.weights.sum() == pytest.approx(1, abs=1e-9)
                compared += 1
                wider += spread.count > exact.count
    assert compared > 100
    assert wider > 10
