from math import isclose, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ks_arena.statistics.score import Score, wilson, win_rate_difference
from scipy.stats import binomtest, bootstrap, norm

Z = norm.ppf(0.975)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_ends_where_the_score_test_does(counts: tuple[int, int]) -> None:
    successes, trials = counts
    for end in wilson(successes / trials, trials):
        if 0 < end < 1 and not isclose(end, successes / trials):
            score = (successes / trials - end) / sqrt(end * (1 - end) / trials)
            assert isclose(abs(score), Z, rel_tol=1e-6)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_that_of_scipy(counts: tuple[int, int]) -> None:
    theirs = binomtest(*counts).proportion_ci(0.95, method="wilson")
    assert wilson(counts[0] / counts[1], counts[1]) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@pytest.mark.parametrize(
    ("counts", "published"),
    [
        ((81, 263), (0.2553, 0.3662)),
        ((15, 148), (0.0624, 0.1605)),
        ((0, 20), (0, 0.1611)),
        ((1, 29), (0.0061, 0.1718)),
    ],
)
def test_wilson_as_published(counts: tuple[int, int], published: tuple[float, float]) -> None:
    """R. G. Newcombe, Statistics in Medicine 17, 1998: 857-872, table I, method 3."""
    assert tuple(round(end, 4) for end in wilson(counts[0] / counts[1], counts[1])) == published


def test_difference_of_separate_rates_as_published() -> None:
    """Newcombe 1998, table II, example (a): 56/70 - 48/80, method 10."""
    low, high = win_rate_difference(Score(56, 14, 0), Score(48, 32, 0))
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)


@pytest.mark.parametrize("rates", [(0.3, 0.6, 0.1), (0.5, 0.49, 0.01), (0.02, 0.96, 0.02), (0.45, 0.1, 0.45)])
def test_margin_interval_covers_the_truth(rates: tuple[float, float, float]) -> None:
    truth = rates[0] - rates[2]
    draws = np.random.default_rng(1).multinomial(400, rates, size=2000)
    intervals = [Score(*(int(x) for x in row)).margin_interval() for row in draws]
    covered = np.mean([low <= truth <= high for low, high in intervals])
    assert 0.935 < covered < 0.985


def test_margin_interval_is_near_the_bootstrap() -> None:
    results = np.repeat([1, 0, -1], [130, 240, 30])
    resampled = bootstrap((results,), np.mean, n_resamples=9999, rng=np.random.default_rng(1))
    low, high = Score(130, 240, 30).margin_interval()
    assert abs(low - resampled.confidence_interval.low) < 0.01
    assert abs(high - resampled.confidence_interval.high) < 0.01


@pytest.mark.parametrize("score", [Score(0, 50, 0), Score(50, 0, 0), Score(0, 0, 50), Score(1, 0, 0)])
def test_no_interval_collapses(score: Score) -> None:
    low, high = score.margin_interval()
    assert high - low > 0.05
    assert low - 1e-12 <= score.margin <= high + 1e-12


def test_colours_of_the_counts() -> None:
    score = Score(wins=3, draws=4, losses=1)
    assert (score.games, score.points, score.win_rate, score.margin) == (8, 5 / 8, 3 / 8, 2 / 8)
    mirrored = Score(wins=1, draws=4, losses=3)
    assert np.allclose(mirrored.margin_interval(), [-x for x in reversed(score.margin_interval())])


@pytest.mark.parametrize("counts", [(0, 0, 0), (-1, 3, 0)])
def test_impossible_counts_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="at least one game"):
        Score(*counts)
