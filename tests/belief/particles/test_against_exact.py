"""Particles against the exact distribution: equal while all boards fit, close to it on average when not."""

from __future__ import annotations

import random

import chess
import pytest

from ks_env.belief.particles import Care, Particles
from ks_env.core.ruleset import RULESETS
from tests.belief.metaposition.tightness import few_men_start
from tests.belief.particles.oracle import Pursuit, distance, key_of, weights_of
from tests.starts import LISTED

ALONE = Care(threshold=0, steps=0, stir=0)  # no board is displaced
MOST = 40


def follow_exactly(rng: random.Random, ruleset: str, fen: str, seat: chess.Color) -> int:
    """Play until there are too many boards; how many comparisons there were."""
    pursuit = Pursuit(ruleset, fen, seat, lambda: [Particles(1200, care=ALONE)])
    compared = 0
    for _ in range(25):
        if not pursuit.step(rng, MOST):
            break
        (particles,) = pursuit.filters
        assert particles.exact
        assert particles.consistent
        assert particles.dry == 0
        assert distance(weights_of(particles), pursuit.exact.weights()) < 1e-6, (ruleset, fen)
        assert key_of(pursuit.duel.oracle.board) in weights_of(particles)
        compared += 1
    return compared


@pytest.mark.parametrize("ruleset", RULESETS)
def test_exact_while_all_boards_fit(ruleset: str) -> None:
    rng = random.Random(f"exact {ruleset}")
    compared = 0
    for number in range(8):
        fen = rng.choice(LISTED) if number % 2 else few_men_start(rng, 3, 8)
        if chess.Board(fen).is_valid():
            compared += follow_exactly(rng, ruleset, fen, number % 4 < 2)
    assert compared > 25


def pursue(ruleset: str, fen: str, seed: int, rooms: dict[int, int]) -> Pursuit:
    """A game with several filters of each room, until there are some hundreds of boards."""

    def make() -> list[Particles]:
        return [Particles(room, care=ALONE, seed=n) for room, many in rooms.items() for n in range(many)]

    pursuit = Pursuit(ruleset, fen, chess.WHITE, make)
    rng = random.Random(seed)
    turns = 0
    while pursuit.step(rng, 4000):
        mine = pursuit.duel.oracle.to_play == chess.WHITE
        turns += mine and pursuit.duel.oracle.tries_this_turn == 0
        if mine and turns >= 3:
            return pursuit
    raise AssertionError("the game was over too soon")


def test_drawn_boards_come_close_to_the_exact_distribution() -> None:
    """Systematic resampling: the mean of many filters is nearer than each, and more boards are nearer."""
    rooms = {16: 60, 64: 60}
    pursuit = pursue("icc", "1n2k3/7r/8/8/8/8/4P3/R3K3 w - - 0 1", 2, rooms)
    exact = pursuit.exact.weights()
    assert len(exact) > 100
    assert all(not each.exact for each in pursuit.filters[:60])
    single, mean = [], []
    for group in (pursuit.filters[:60], pursuit.filters[60:]):
        assert sum(each.dry == 0 for each in group) > 50
        drawn = [weights_of(each) for each in group]
        for each, weights in zip(group, drawn, strict=True):
            assert set(weights) <= set(exact) or each.dry, "a board that is impossible"
        single.append(sum(distance(weights, exact) for weights in drawn) / len(drawn))
        together = {key: sum(weights.get(key, 0.0) for weights in drawn) / len(drawn) for key in exact}
        mean.append(distance(together, exact))
    assert single[1] < single[0] - 0.1
    assert mean[0] < 0.4
    assert mean[1] < 0.2
    assert mean[1] < 0.3 * single[1]
