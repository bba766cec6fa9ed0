"""Figures with 95 % intervals from games that come in pairs: the unit of sampling is the pair, not the game.

Both games of a pair have one start and one seed for each player, and a game's moves hang together still more.
So every figure is a sum over pairs divided by another, and its spread is that between pairs.
"""

from collections.abc import Sequence
from math import exp, hypot, inf, isfinite, log, sqrt

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from ks_arena.statistics.score import CONFIDENCE, Estimate, quantile_of, wilson

Counts = npt.NDArray[np.float64]  # [P], one number a pair


def share(hits: Counts, trials: Counts) -> Estimate | None:
    """A share of trials that come in clusters; None without a trial.

    Wilson's interval with the effective number of trials: theirs divided by the design effect, the variance
    between clusters over that of independent trials (N. Dean and M. Pagano, Journal of Survey Statistics and
    Methodology 3, 2015: 484–503). A design effect below 1, as colours swapped within a pair may cause, is
    taken as 1, and the quantile is Student's: so few pairs give a wide interval, not a lucky one.

    Args:
        hits: f8[P], of each cluster.
        trials: f8[P], the same.
    """
    total = float(trials.sum())
    if total == 0:
        return None
    found = float(hits.sum()) / total
    clusters = int((trials > 0).sum())
    if clusters < 2:  # nothing is known of the spread between them: all trials may have gone one way
        return Estimate(found, *wilson(found, 1.0, quantile_of(CONFIDENCE)))
    between = _variance(hits - found * trials, clusters) / total**2
    independent = found * (1 - found) / total
    effect = max(1.0, between / independent) if independent > 0 else 1.0
    quantile = float(t.ppf((1 + CONFIDENCE) / 2, clusters - 1))
    return Estimate(found, *wilson(found, total / effect, quantile))


def ratio(amounts: Counts, units: Counts) -> Estimate | None:
    """A positive amount for each unit, both summed over clusters; None without either.

    The linearised variance of a ratio on the logarithmic scale, with Student's quantile.
    """
    if amounts.sum() <= 0 or units.sum() <= 0:
        return None
    found = float(amounts.sum() / units.sum())
    clusters = int((units > 0).sum())
    if clusters < 2:
        return Estimate(found, 0.0, inf)
    error = sqrt(_variance(amounts - found * units, clusters)) / float(amounts.sum())
    half = float(t.ppf((1 + CONFIDENCE) / 2, clusters - 1)) * error
    return Estimate(found, found * exp(-half), found * exp(half))


def _variance(residuals: Counts, clusters: int) -> float:
    """The variance of a sum over clusters whose residuals add up to nothing."""
    return float(clusters / (clusters - 1) * (residuals**2).sum())


def odds(estimate: Estimate) -> Estimate:
    """From a share to how many of the one there are for each of the other."""

    def one(chance: float) -> float:
        return inf if chance >= 1 else chance / (1 - chance)

    return Estimate(one(estimate.value), one(estimate.low), one(estimate.high))


def difference(first: Estimate, second: Estimate) -> Estimate:
    """First minus second, from separate games.

    The interval is recovered from both (G. Y. Zou and A. Donner, Statistics in Medicine 27, 2008: 1693–1702);
    where a figure is infinite, it is the interval between the extremes of both.
    """
    value = _minus(first.value, second.value)
    if not (isfinite(first.value) and isfinite(second.value)):
        low = -inf if inf in (-first.low, second.high) else first.low - second.high
        high = inf if inf in (first.high, -second.low) else first.high - second.low
        return Estimate(value, low, high)
    down = hypot(first.value - first.low, second.high - second.value)
    up = hypot(first.high - first.value, second.value - second.low)
    return Estimate(value, value - down, value + up)


def _minus(first: float, second: float) -> float:
    """The difference, 0 of two equal infinities."""
    return 0.0 if first == second else first - second


def quotient(first: Estimate, second: Estimate) -> Estimate:
    """First divided by second, both positive and from separate games."""
    found = difference(_logarithm(first), _logarithm(second))
    return Estimate(exp(found.value), exp(found.low), exp(found.high))


def _logarithm(estimate: Estimate) -> Estimate:
    ends = (estimate.value, estimate.low, estimate.high)
    return Estimate(*(-inf if end == 0 else log(end) for end in ends))


def lead(mine: Estimate, rivals: Sequence[Estimate]) -> Estimate:
    """Mine minus the best of the rivals', all from separate games.

    The true lead is the smallest of the true differences, so each end is the smallest of the differences'.
    The lower end then needs no correction. The upper one fails if any of the differences' fails: these are
    widened for their number (Bonferroni, on the normal scale).
    """
    differences = [difference(mine, rival) for rival in rivals]
    wider = quantile_of(1 - (1 - CONFIDENCE) / len(rivals)) / quantile_of(CONFIDENCE)
    return Estimate(
        min(each.value for each in differences),
        min(each.low for each in differences),
        min(_raised(each, wider) for each in differences),
    )


def _raised(estimate: Estimate, wider: float) -> float:
    """The upper end, further away from the value; as it is where the value is infinite."""
    if not isfinite(estimate.value):
        return estimate.high
    return estimate.value + wider * (estimate.high - estimate.value)
