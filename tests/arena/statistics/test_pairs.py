from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ks_arena.match.result import GameResult, SeatWork
from ks_arena.statistics.pairs import (
    SHARES,
    Method,
    Z,
    class_order,
    mean_points,
    most_likely,
    pairs_of,
    pentanomial,
    points_interval,
)
from ks_arena.statistics.score import wilson

COUNTS = st.lists(st.integers(0, 60), min_size=5, max_size=5).filter(any).map(np.array)
POINTS = st.sampled_from([0.0, 0.5, 1.0])


def game(pair: int, leg: int, outcome: int, pairing: int = 0) -> GameResult:
    work = SeatWork(moves=1, tries=1, seconds=0.0, slowest=0.0, nodes=None)
    return GameResult(
        pairing=pairing,
        pair=pair,
        leg=leg,
        white="ab"[leg],
        black="ba"[leg],
        white_seed=1,
        black_seed=2,
        start_fen="",
        outcome=outcome,
        reason="checkmate",
        fault=None,
        plies=2,
        spoken=0,
        work=(work, work),
        seconds=0.0,
        actions=b"",
        versions="{}",
    )


@given(st.lists(st.tuples(POINTS, POINTS)))
def test_counts_hold_every_pair_and_every_point(pairs: list[tuple[float, float]]) -> None:
    counts = pentanomial(pairs)
    assert counts.shape == (5,)
    assert counts.sum() == len(pairs)
    assert counts @ SHARES * 2 == sum(map(sum, pairs))


def test_incomplete_pairs_are_left_out_and_end_the_order() -> None:
    pairs = [(1, 0.5), (1,), (0, nan), (), (0, 0)]
    assert pentanomial(pairs).tolist() == [1, 0, 0, 1, 0]
    assert class_order(pairs).tolist() == [3]


@pytest.mark.parametrize("pair", [(1, 2), (0.25, 0), (1, 1, 1)])
def test_points_that_no_pair_has(pair: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        pentanomial([pair])


def test_games_become_pairs_by_their_number() -> None:
    games = [game(2, 1, -1), game(0, 0, 1), game(0, 1, 1), game(2, 0, 0), game(1, 0, 1)]
    # the first player wins with White, loses with Black; pair 1 lacks a game; draws, then wins with Black
    assert [sorted(pair) for pair in pairs_of(games)] == [[0.0, 1.0], [1.0], [0.5, 1.0]]
    assert pentanomial(pairs_of(games)).tolist() == [0, 0, 1, 1, 0]
    assert pairs_of([game(1, 0, 1)])[0] == ()


def test_games_that_do_not_belong_together() -> None:
    with pytest.raises(ValueError, match="one pairing"):
        pairs_of([game(0, 0, 1), game(0, 1, 1, pairing=1)])
    with pytest.raises(ValueError, match="twice"):
        pairs_of([game(0, 0, 1), game(0, 0, 0)])


@settings(max_examples=40)
@given(COUNTS, st.floats(0.02, 0.98))
def test_no_distribution_with_the_mean_is_likelier(counts: np.ndarray, mean: float) -> None:
    best = most_likely(counts.astype(float), np.array(mean))
    assert best.sum() == pytest.approx(1)
    assert best.min() >= 0
    assert best @ SHARES == pytest.approx(mean, abs=1e-9)
    # any other one is: random distributions, moved onto the mean by mixing with an end
    others = np.random.default_rng(1).dirichlet(np.ones(5), size=200)
    means = others @ SHARES
    end = np.where(means[:, None] < mean, np.eye(5)[4], np.eye(5)[0])
    share = (mean - means) / (end @ SHARES - means)
    others = (1 - share[:, None]) * others + share[:, None] * end
    with np.errstate(divide="ignore", invalid="ignore"):

        def likelihood(chances: np.ndarray) -> np.ndarray:
            return np.asarray(np.where(counts > 0, counts * np.log(chances), 0.0).sum(-1))

        assert (likelihood(others) <= likelihood(best) + 1e-9).all()


@settings(max_examples=40)
@given(COUNTS)
def test_likelihood_interval_ends_where_the_likelihood_has_fallen(counts: np.ndarray) -> None:
    mean, seen = mean_points(counts), counts > 0
    low, high = points_interval(counts)
    assert 0 <= low <= mean <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            chances = most_likely(counts.astype(float), np.array(end))
            fallen = counts[seen] @ np.log(counts[seen] / counts.sum() / chances[seen])
            assert 2 * fallen == pytest.approx(Z**2, rel=1e-5)


@settings(max_examples=40)
@given(COUNTS)
def test_score_interval_ends_where_the_score_test_does(counts: np.ndarray) -> None:
    mean, pairs = mean_points(counts), counts.sum()
    low, high = points_interval(counts, "score")
    assert 0 <= low <= mean <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            chances = most_likely(counts.astype(float), np.array(end))
            variance = chances @ (SHARES - end) ** 2
            assert abs(mean - end) / np.sqrt(variance / pairs) == pytest.approx(Z, rel=1e-5)


@settings(max_examples=40)
@given(st.integers(0, 300), st.integers(0, 300))
def test_score_interval_of_won_and_lost_pairs_is_wilsons(lost: int, won: int) -> None:
    if won + lost:
        found = points_interval(np.array([lost, 0, 0, 0, won]), "score")
        assert found == pytest.approx(wilson(won / (won + lost), won + lost), abs=1e-9)


@pytest.mark.parametrize("method", ["likelihood", "score", "normal", "bootstrap"])
def test_interval_turns_round_with_the_sides(method: Method) -> None:
    counts = np.array([3, 8, 40, 20, 9])
    low, high = points_interval(counts, method)
    back_low, back_high = points_interval(counts[::-1], method)
    assert (1 - back_high, 1 - back_low) == pytest.approx((low, high), abs=0.01)


def test_tests_keep_a_width_where_the_others_collapse() -> None:
    drawn, won = np.array([0, 0, 50, 0, 0]), np.array([0, 0, 0, 0, 50])
    for method in ("normal", "bootstrap"):
        assert points_interval(drawn, method) == (0.5, 0.5)
        assert points_interval(won, method) == (1, 1)
    assert points_interval(won) == pytest.approx((np.exp(-(Z**2) / 100), 1))
    low, high = points_interval(drawn)
    # all but the share 2 (high - 1/2) is drawn, the rest won
    assert 1 - 2 * (high - 0.5) == pytest.approx(np.exp(-(Z**2) / 100))
    assert low == pytest.approx(1 - high)
    assert points_interval(won, "score") == pytest.approx((50 / (50 + Z**2), 1))
    low, high = points_interval(drawn, "score")
    assert high == pytest.approx((25 + Z**2) / (50 + Z**2))
    assert low == pytest.approx(1 - high)


def test_methods_agree_where_there_is_plenty() -> None:
    counts = np.array([400, 900, 3000, 1100, 600])
    found = points_interval(counts)
    assert points_interval(counts, "score") == pytest.approx(found, abs=2e-4)
    assert points_interval(counts, "normal") == pytest.approx(found, abs=2e-4)
    assert points_interval(counts, "bootstrap") == pytest.approx(found, abs=1e-3)
    assert points_interval(counts, "bootstrap", seed=3) == points_interval(counts, "bootstrap", seed=3)


@pytest.mark.parametrize("counts", [[0] * 5, [1, 2, 3], [-1, 0, 0, 0, 2], [nan, 0, 0, 0, 1]])
def test_counts_that_say_nothing(counts: list[float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        mean_points(np.array(counts))
    with pytest.raises(ValueError, match="expected"):
        points_interval(np.array(counts))


def test_unknown_method() -> None:
    with pytest.raises(ValueError, match="'wald'; expected 'likelihood'"):
        points_interval(np.ones(5), "wald")  # type: ignore[arg-type]
