"""The standing of a study while it is played: points by pairing, and where a sequential test stops."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ks_arena.match.result import GameResult
from ks_arena.statistics.sprt import Sprt, SprtVerdict


@dataclass
class Standing:
    """One pairing, from its first player's side.

    Attributes:
        wins, draws, losses: of all games there are, whether they count or not.
        stop: where the sequential test has stopped.
    """

    sprt: Sprt | None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    stop: SprtVerdict | None = None
    _pairs: int = 0  # how many pairs from the first on are complete
    _counts: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(5, np.int64))
    _waiting: dict[int, dict[int, float]] = field(default_factory=dict)  # points by pair and leg

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points a game."""
        return (self.wins + self.draws / 2) / self.games

    def add(self, game: GameResult) -> SprtVerdict | None:
        """Take in a game; the stop, if the test stops now.

        The test looks at pairs in the order of the schedule, in whatever order they were played: so it stops
        at the same pair with any number of workers.
        """
        points = game.first_points
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        if self.sprt is None or self.stop is not None:
            return None
        self._waiting.setdefault(game.pair, {})[game.leg] = points
        while self.stop is None and len(self._waiting.get(self._pairs, ())) == 2:
            self._counts[round(2 * sum(self._waiting.pop(self._pairs).values()))] += 1
            self._pairs += 1
            self.stop = self.sprt.verdict(self._counts)
        return self.stop
