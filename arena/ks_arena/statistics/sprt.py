"""A sequential test of two players: play until the games show which of two hypotheses holds.

H0: the first player's expected share of the points is that of `elo0`; H1: that of `elo1`, which is higher.
The test is the generalised sequential probability ratio test (GSPRT) for pairs of games, as used to test
chess engines (M. Van den Bergh, "A Practical Introduction to the GSPRT", and fishtest; theory: X. Li, J. Liu
and Z. Ying, Sequential Analysis 33, 2014: 300-330). After each pair of games

    LLR = sum over the five classes of: pairs in the class * log(p1 / p0)

where p0 and p1 are the most likely distributions over the classes with the means of H0 and of H1. Nothing is
assumed of draws, of White's advantage or of how the two games of a pair hang together. The test ends with H1
once LLR >= log((1 - beta) / alpha) and with H0 once LLR <= log(beta / (1 - alpha)) (A. Wald, 1945): then the
chance of H1 where H0 holds is about alpha, that of H0 where H1 holds about beta. "About", as the last pair
overshoots the bound, which errs on the safe side, and as the distributions are estimated, which may not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite, log
from typing import Literal

import numpy as np

from ks_arena.statistics.elo import points_of
from ks_arena.statistics.pairs import CLASSES, class_order, most_likely

Hypothesis = Literal["H0", "H1"]


@dataclass(frozen=True)
class SprtVerdict:
    """How a test ended.

    Attributes:
        accepted: the hypothesis that it ended with.
        stopped_at: pairs of games played until then.
        llr: log-likelihood ratio at that moment.
    """

    accepted: Hypothesis
    stopped_at: int
    llr: float


@dataclass(frozen=True)
class Sprt:
    """A test, fixed before the first game.

    Attributes:
        elo0: logistic Elo of the first player over the second under H0.
        elo1: under H1, above elo0.
        alpha: chance of ending with H1 where H0 holds.
        beta: chance of ending with H0 where H1 holds.

    Raises:
        ValueError: elo0 is not below elo1, one is not finite, or a chance is not between 0 and ½.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"elo0 {self.elo0} and elo1 {self.elo1}; expected two numbers, elo0 the smaller")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise ValueError(f"{name} {chance}; expected a chance above 0 and below 0.5")

    @property
    def lower(self) -> float:
        """The test ends with H0 where the log-likelihood ratio is not above this."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The test ends with H1 where the log-likelihood ratio is not below this."""
        return log((1 - self.beta) / self.alpha)

    def llr(self, counts: np.ndarray) -> float:
        """Log-likelihood ratio for pairs counted by class, f8[5]; 0 before the first pair."""
        return float(self.llrs(np.asarray(counts, dtype=np.float64)[None])[0])

    def llrs(self, counts: np.ndarray) -> np.ndarray:
        """Log-likelihood ratios f8[N] for counts f8[N, 5].

        Raises:
            ValueError: not five counts, or a negative one.
        """
        if counts.shape[-1] != CLASSES or (counts < 0).any():
            raise ValueError(f"counts {counts.tolist()}; expected five numbers of pairs, none negative")
        none = counts.sum(-1) == 0
        known = np.where(none[:, None], 1.0, counts)
        null, other = (
            most_likely(known, np.full(len(counts), points_of(elo))) for elo in (self.elo0, self.elo1)
        )
        seen = known > 0
        ratio = np.log(np.where(seen, other, 1.0) / np.where(seen, null, 1.0))
        return np.where(none, 0.0, (known * ratio).sum(-1))

    def verdict(self, counts: np.ndarray) -> SprtVerdict | None:
        """How the test ends at these counts, i8[5]; None to play on."""
        llr = self.llr(counts)
        if self.lower < llr < self.upper:
            return None
        return SprtVerdict("H1" if llr > 0 else "H0", int(counts.sum()), llr)

    def run_in_order(self, points_of_pairs: Iterable[Sequence[float]]) -> SprtVerdict | None:
        """The end of the test for pairs of games in the order of the schedule.

        Pairs that were finished early because their games were short do not come first, and those after the
        end do not count: otherwise the verdict would depend on the machine. The first incomplete pair ends
        what can be judged.

        Args:
            points_of_pairs: the first player's points in both games of each pair.

        Returns:
            The verdict, or None if the test goes on.
        """
        counts = np.eye(CLASSES)[class_order(points_of_pairs)].cumsum(0)
        return next(filter(None, map(self.verdict, counts)), None)
