"""Studies whose truth is known, drawn many at a time: the ground for judging intervals and tests.

A scenario fixes ratings, White's advantage and draws of the model in `davidson`, and how many pairs of games
each two players play. The two games of a pair may hang together: their results are cut from two normal
variables with a correlation (a Gaussian copula), which leaves the chances of each single game as they are, so
that the truth of every rating and share of the points stays known.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from ks_arena.statistics.davidson import Design, chances
from ks_arena.statistics.evidence import Evidence, reach_of
from ks_arena.statistics.pairs import SHARES
from scipy.stats import multivariate_normal, norm

KINDS = 9  # of pairs of games: three results of each
POINTS = np.array([1.0, 0.5, 0.0])  # White's, by outcome: White wins, draw, Black wins


@dataclass(frozen=True)
class Scenario:
    """What is drawn.

    Attributes:
        name: of the scenario, in words.
        theta: ratings of the players, on the natural scale.
        pairs: pairs of games of each two players, in the order (0, 1), (0, 2) ... (1, 2) ...; 0 if they do
            not meet. One number stands for all.
        delta: White's advantage on the natural scale.
        nu: draw parameter; the chance of a draw between equals is nu / (2 + nu).
        correlation: of the first player's luck in the two games of a pair. Below 0: the start favours one
            colour. Above 0: it suits one of the players.
        beyond: it is there to show where the methods end, not that they hold.
    """

    name: str
    theta: tuple[float, ...]
    pairs: int | tuple[int, ...]
    delta: float = 0.0
    nu: float = 1.0
    correlation: float = 0.0
    beyond: bool = False

    @property
    def parameters(self) -> np.ndarray:
        """f8[P + 2]: θ with a mean of zero, δ, κ."""
        theta = np.array(self.theta)
        return np.array([*(theta - theta.mean()), self.delta, np.log(self.nu)])

    @property
    def pairings(self) -> list[tuple[int, int, int]]:
        """First player, second player and number of pairs, where there are any."""
        meetings = [(i, j) for i in range(len(self.theta)) for j in range(i + 1, len(self.theta))]
        numbers = (self.pairs,) * len(meetings) if isinstance(self.pairs, int) else self.pairs
        return [(i, j, number) for (i, j), number in zip(meetings, numbers, strict=True) if number]

    @property
    def design(self) -> Design:
        """Cells and patterns: two cells and nine patterns for each pairing, the first leg's result first."""
        meetings = self.pairings
        patterns = np.zeros((len(meetings), KINDS, 2 * len(meetings), 3))
        for number in range(len(meetings)):
            for kind in range(KINDS):
                patterns[number, kind, 2 * number, kind // 3] += 1
                patterns[number, kind, 2 * number + 1, kind % 3] += 1
        return Design(
            players=len(self.theta),
            white=np.array([each for i, j, _ in meetings for each in (i, j)]),
            black=np.array([each for i, j, _ in meetings for each in (j, i)]),
            patterns=patterns.reshape(len(meetings) * KINDS, -1, 3),
        )

    @property
    def strata(self) -> np.ndarray:
        """i8[M]: the pairing of each pattern."""
        return np.repeat(np.arange(len(self.pairings)), KINDS)

    def evidence(self, times: np.ndarray) -> Evidence:
        """One study's games, i8[M] by pattern, for a fit."""
        design = self.design
        return Evidence(design, times[None], self.strata, reach_of(design, design.counts(times[None])[0]))

    def kinds(self) -> np.ndarray:
        """Chances f8[pairings, 9] of the kinds of pairs of games."""
        likely = chances(self.design, self.parameters[None])[0]
        return np.array(
            [
                joint(likely[2 * each], likely[2 * each + 1], self.correlation)
                for each in range(len(likely) // 2)
            ]
        )

    def draw(self, studies: int, generator: np.random.Generator) -> np.ndarray:
        """i8[studies, M]: how often each pattern occurs in each study."""
        columns = [
            generator.multinomial(number, kinds, size=studies)
            for (_, _, number), kinds in zip(self.pairings, self.kinds(), strict=True)
        ]
        return np.concatenate(columns, axis=1)


def joint(first: np.ndarray, second: np.ndarray, correlation: float) -> np.ndarray:
    """Chances f8[9] of two games' results together, the first player having White in the first only.

    Args:
        first: f8[3], chances in the first game: White wins, draw, Black wins.
        second: the same in the second.
        correlation: of the normal variables, high where the first player does well.
    """
    lost = second[::-1]  # in the first player's order: wins, draw, loses
    if not correlation:
        table = np.outer(first, lost)
    else:
        ends = [
            np.concatenate([[-np.inf], norm.ppf(np.cumsum(each)[:-1]), [np.inf]]) for each in (first, lost)
        ]
        below = _normal_table(ends[0], ends[1], correlation)
        table = np.clip(np.diff(np.diff(below, axis=0), axis=1), 0, None)
    return np.asarray(table[:, ::-1].reshape(KINDS) / table.sum())


def _normal_table(rows: np.ndarray, columns: np.ndarray, correlation: float) -> np.ndarray:
    """P(X <= row, Y <= column) f8[R, C] of two standard normal variables."""
    law = multivariate_normal(mean=[0, 0], cov=[[1, correlation], [correlation, 1]])
    grid = np.clip(np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1), -12, 12)
    return np.asarray(law.cdf(grid))


def classes_of(times: np.ndarray) -> np.ndarray:
    """Pairs by the first player's points, [..., 5], from pairs by kind, [..., 9]."""
    return np.asarray(times @ _class_table())


def _class_table() -> np.ndarray:
    points = POINTS[:, None] + (1 - POINTS)[None, :]
    table = np.zeros((KINDS, len(SHARES)), dtype=np.int64)
    table[np.arange(KINDS), np.round(2 * points.reshape(KINDS)).astype(int)] = 1
    return table


def pair_law(elo_points: float, nu: float, delta: float, correlation: float) -> np.ndarray:
    """Chances f8[5] of the classes of points for two players with a given expected share of the points.

    The ratings are sought with which the model gives this share.
    """
    near, far = -30.0, 30.0
    for _ in range(100):
        middle = (near + far) / 2
        law = _law_of(middle, nu, delta, correlation)
        near, far = (middle, far) if law @ SHARES < elo_points else (near, middle)
    return _law_of((near + far) / 2, nu, delta, correlation)


def _law_of(difference: float, nu: float, delta: float, correlation: float) -> np.ndarray:
    scenario = Scenario("two", (difference, 0.0), 1, delta, nu, correlation)
    return np.asarray(classes_of(scenario.kinds()[0]))


SCENARIOS: Sequence[Scenario] = (
    Scenario("two players, 100 pairs", (0.3, 0.0), 100, 0.2, 1.0),
    Scenario("two players, 30 pairs", (0.5, 0.0), 30, 0.2, 1.0),
    Scenario("two players, 12 pairs", (0.5, 0.0), 12, 0.2, 1.0, beyond=True),
    Scenario("two players, one hopeless", (7.0, 0.0), 50, 0.2, 1.0, beyond=True),
    Scenario("three players, many draws", (0.6, 0.0, -0.4), 150, 0.2, 16.0),
    Scenario("three players, 97 % draws", (0.6, 0.0, -0.4), 50, 0.2, 64.0, beyond=True),
    Scenario("four players, hardly a draw", (0.6, 0.2, -0.2, -0.6), 60, 0.3, 0.05),
    Scenario("four players, one weak", (0.5, 0.2, 0.0, -3.5), 60, 0.3, 1.0),
    Scenario("four players, White's advantage", (0.4, 0.1, -0.1, -0.4), 60, 1.5, 1.0),
    Scenario(
        "five players, unequal numbers",
        (0.8, 0.4, 0.0, -0.4, -0.8),
        (200, 20, 0, 40, 60, 0, 20, 100, 0, 20),
        0.3,
        1.0,
    ),
    Scenario("six players", (1.0, 0.6, 0.2, -0.2, -0.6, -1.0), 40, 0.3, 1.0),
    Scenario("four players, the start favours a colour", (0.4, 0.1, -0.1, -0.4), 60, 0.3, 1.0, -0.7),
    Scenario("four players, the start suits a player", (0.4, 0.1, -0.1, -0.4), 60, 0.3, 1.0, 0.7),
    Scenario("three players, many draws, the start suits one", (0.6, 0.0, -0.4), 150, 0.2, 16.0, 0.7),
)
