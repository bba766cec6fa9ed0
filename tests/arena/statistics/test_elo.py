from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ks_arena.statistics.elo import elo_interval, elo_of, points_of
from ks_arena.statistics.pairs import points_interval


@given(st.floats(1e-6, 1 - 1e-6))
def test_there_and_back(points: float) -> None:
    assert points_of(elo_of(points)) == pytest.approx(points)
    assert elo_of(1 - points) == pytest.approx(-elo_of(points), abs=1e-6)


def test_odds_of_ten_to_one_are_400() -> None:
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.5) == 0
    assert points_of(100) == pytest.approx(0.640065, abs=1e-6)  # FIDE's table: 64 %


def test_ends_are_infinite() -> None:
    assert (elo_of(0), elo_of(1)) == (-inf, inf)
    assert (points_of(-inf), points_of(inf)) == (0, 1)
    assert points_of(-1e9) == pytest.approx(0)


@pytest.mark.parametrize("points", [-0.1, 1.1, nan])
def test_no_share_of_the_points(points: float) -> None:
    with pytest.raises(ValueError, match="expected 0 to 1"):
        elo_of(points)
    with pytest.raises(ValueError, match="NaN"):
        points_of(nan)


def test_interval_is_that_of_the_points() -> None:
    counts = np.array([3, 8, 40, 20, 9])
    assert [points_of(end) for end in elo_interval(counts)] == pytest.approx(points_interval(counts))
    low, high = elo_interval(np.array([0, 0, 0, 0, 30]))
    assert low > 300
    assert high == inf
