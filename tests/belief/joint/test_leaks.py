"""Two games of which a seat hears the same give it byte-equal distributions, wherever hidden men stand."""

from __future__ import annotations

import random

import pytest

from ks_env.belief.joint import Joint
from tests.leaks.invisible_twins import InvisibleTwins, drawn_start


def follow_twins(seed: int, boards: int, spread_captures: bool) -> tuple[int, int]:
    """Comparisons in all, and those in which the opponent's hidden men stood on other squares."""
    rng = random.Random(f"joint twins {seed}")
    pair = InvisibleTwins(*drawn_start(rng), rng.random() < 0.5)
    joints = [Joint(boards, spread_captures=spread_captures) for _ in range(2)]
    for game, joint in zip(pair.games, joints, strict=True):
        joint.begin(game.view(pair.seat))
    compared = apart = 0
    for _ in range(40):
        if not pair.advance(rng) or not pair.same_history():
            break
        for game, joint in zip(pair.games, joints, strict=True):
            joint.follow(game.view(pair.seat))
        assert joints[0].record.tobytes() == joints[1].record.tobytes(), pair.transcript()
        compared += 1
        apart += pair.differ()
    return compared, apart


@pytest.mark.parametrize("spread_captures", [False, True])
@pytest.mark.parametrize("boards", [20, 1024])
def test_same_history_same_bytes(boards: int, spread_captures: bool) -> None:
    counts = [follow_twins(seed, boards, spread_captures) for seed in range(12)]
    assert sum(compared for compared, _ in counts) > 100
    assert sum(apart for _, apart in counts) > 40
