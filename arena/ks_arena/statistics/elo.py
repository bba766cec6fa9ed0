"""Logistic Elo: a difference in strength on the scale on which 400 points are odds of ten to one.

    share of the points = 1 / (1 + 10 ** (-elo / 400))

It is another name for the expected share of the points in games of two players, no model: nothing is said of
draws, or of a third player. Joint ratings of several players are in `ratings`.
"""

from math import inf, log10

import numpy as np

from ks_arena.statistics.pairs import points_interval
from ks_arena.statistics.score import Interval


def elo_of(points: float) -> float:
    """Elo of an expected share of the points; minus or plus infinity for 0 and 1.

    Raises:
        ValueError: not between 0 and 1.
    """
    if not 0 <= points <= 1:
        raise ValueError(f"a share of the points of {points}; expected 0 to 1")
    if points in (0, 1):
        return inf if points else -inf
    return 400 * log10(points / (1 - points))


def points_of(elo: float) -> float:
    """Expected share of the points, 0 to 1, of who is stronger by this Elo.

    Raises:
        ValueError: it is NaN.
    """
    if np.isnan(elo):
        raise ValueError("an Elo of NaN; expected a number or an infinity")
    # an underflow of the power gives 0, an overflow is kept from happening
    return 1 / (1 + 10 ** min(-elo / 400, 300.0)) if elo > -inf else 0.0


def elo_interval(counts: np.ndarray) -> Interval:
    """95 % interval for the Elo of the first player over the second, by pair.

    The ends are those of `points_interval`, so an end may be infinite: a player who has won every pair
    may be stronger by any amount.

    Args:
        counts: i8[5], pairs by the first player's points.

    Raises:
        ValueError: as for `points_interval`.
    """
    low, high = points_interval(counts)
    return elo_of(low), elo_of(high)
