"""Who scored what against whom, as rows and columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ks_arena.statistics.score import Interval
from ks_arena.study.scores import PairingScore


@dataclass(frozen=True)
class Cell:
    """One pairing, from the row's side; points and interval are None without games."""

    results: tuple[int, int, int]
    points: float | None
    interval: Interval | None


@dataclass(frozen=True)
class CrossTable:
    """Rows against columns: all against all, or the first players against the second where none is both.

    Args:
        labels: all players in order.
        scores: by pairing.
    """

    labels: Sequence[str]
    scores: Sequence[PairingScore]

    @property
    def _two_sides(self) -> bool:
        firsts = {score.pairing.first for score in self.scores}
        seconds = {score.pairing.second for score in self.scores}
        return len(self.scores) > 1 and not firsts & seconds

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """Labels of the rows."""
        return self._side({score.pairing.first for score in self.scores})

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Labels of the columns."""
        return self._side({score.pairing.second for score in self.scores})

    def _side(self, players: set[str]) -> tuple[str, ...]:
        return tuple(label for label in self.labels if label in players or not self._two_sides)

    @cached_property
    def _cells(self) -> dict[tuple[str, str], Cell]:
        cells = {}
        for score in self.scores:
            wins, draws, losses = score.results
            points, interval = score.points, score.interval
            cells[score.pairing.first, score.pairing.second] = Cell((wins, draws, losses), points, interval)
            turned = None if interval is None else (1 - interval[1], 1 - interval[0])
            cells[score.pairing.second, score.pairing.first] = Cell(
                (losses, draws, wins), None if points is None else 1 - points, turned
            )
        return cells

    def cell(self, row: str, column: str) -> Cell | None:
        """The row's score against the column; None where they do not meet."""
        return self._cells.get((row, column))
