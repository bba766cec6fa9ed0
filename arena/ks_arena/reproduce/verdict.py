"""Whether our figure agrees with the published one.

========  ==================================================================================================
agrees    our games do not contradict the published figure: it lies within our 95 % interval; where the paper
          says from how many games it is, 0 lies within the interval of the difference; for a bound or a
          range, some value within our interval is on its right side
stronger  they do, in favour of the measured player, for a measure of strength
weaker    the same, in the opponent's favour
differs   they do, for any other measure
========  ==================================================================================================

A bound or range that part of our interval is on the wrong side of is not settled by our games.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import inf

from ks_arena.reproduce.estimates import difference
from ks_arena.reproduce.published import SHARES, Measure, Published
from ks_arena.statistics.score import Estimate, wilson

STRENGTH = ("wins", "decisive_wins", "points", "elo", "wins_per_loss", "lead")
WEAKNESS = ("losses",)


class Verdict(StrEnum):
    """What comes of comparing two figures."""

    AGREES = "agrees"
    STRONGER = "stronger"
    WEAKER = "weaker"
    DIFFERS = "differs"


@dataclass(frozen=True)
class Judgement:
    """A verdict, and whether more games could change it.

    Attributes:
        verdict: of the four.
        settled: False for a bound or range that our interval reaches across.
    """

    verdict: Verdict
    settled: bool = True

    def __str__(self) -> str:
        return str(self.verdict) if self.settled else f"{self.verdict} (not settled)"


def judge_figure(ours: Estimate, published: Published, measure: Measure) -> Judgement:
    """Compare our figure with the published one."""
    if published.relation == "=":
        gap = difference(ours, _published_estimate(published, measure))
        return Judgement(_verdict(gap.low > 0, gap.high < 0, measure))
    low, high = _bounds(published)
    above, below = ours.low > high, ours.high < low
    inside = low <= ours.low and ours.high <= high
    return Judgement(_verdict(above, below, measure), settled=inside or above or below)


def _published_estimate(published: Published, measure: Measure) -> Estimate:
    """The published value with its own interval, where it is a share of a known number of games.

    A draw being half a win, a share of points is at least as exact as a share of wins.
    """
    if published.games is None or measure.kind not in SHARES:
        return Estimate(published.value, published.value, published.value)
    found = published.value / 100
    return Estimate(found, *wilson(found, published.games)).scaled(100)


def _bounds(published: Published) -> tuple[float, float]:
    if published.relation == "<":
        return -inf, published.value
    if published.relation == ">":
        return published.value, inf
    assert published.to is not None
    return published.value, published.to


def _verdict(above: bool, below: bool, measure: Measure) -> Verdict:
    if not (above or below):
        return Verdict.AGREES
    if measure.kind not in STRENGTH + WEAKNESS:
        return Verdict.DIFFERS
    return Verdict.STRONGER if above == (measure.kind in STRENGTH) else Verdict.WEAKER
