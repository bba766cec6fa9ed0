"""What is shown while a study is played: the standings so far and a bar."""

from collections.abc import Sequence
from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ks_arena.match.result import GameResult
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import Pairing
from ks_arena.study.tally import Standing

MOST_ROWS = 24  # of pairings, so that the table fits a screen
REDRAW = 0.25  # seconds


class Display:
    """A live table and a progress bar; nothing but the bar where there is no terminal.

    Args:
        console: where.
        config: the study.
        pairings: its pairings.
        standings: of the pairings, kept up to date by the caller.
    """

    def __init__(
        self,
        console: Console,
        config: StudyConfig,
        pairings: Sequence[Pairing],
        standings: Sequence[Standing],
    ) -> None:
        self.config = config
        self.pairings = pairings
        self.standings = standings
        self.faults = 0  # of the games since
        self.played = sum(standing.games for standing in standings)
        self.before, self.begun = self.played, monotonic()
        self.bar = Progress(
            TextColumn(f"[bold]{escape(config.name)}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[text]}"),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
        )
        self.task = self.bar.add_task("", total=self._total(), completed=self.played, text="")
        self.live = Live(console=console, get_renderable=self._render, refresh_per_second=1 / REDRAW)

    def __enter__(self) -> Self:
        self.live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._advance()
        self.live.stop()
        if not self.live.console.is_terminal:  # rich ends the bar's line on terminals alone
            self.live.console.line()

    def update(self, game: GameResult) -> None:
        """A game has ended."""
        self.played += 1
        self.faults += game.fault is not None
        self._advance()

    def _advance(self) -> None:
        rate = 60 * (self.played - self.before) / max(monotonic() - self.begun, 1e-9)
        text = f"{rate:,.0f} games/min"
        if self.faults:
            text += f"  [red]{self.faults} forfeits now[/]"
        self.bar.update(self.task, total=self._total(), completed=self.played, text=text)

    def _total(self) -> int:
        return sum(
            self.config.games if standing.stop is None else standing.games for standing in self.standings
        )

    def _render(self) -> Group:
        table = Table(box=None, pad_edge=False)
        for heading in ("first", "second"):
            table.add_column(heading, overflow="ellipsis", no_wrap=True, max_width=36)
        for heading in ("games", "won", "drawn", "lost", "points", ""):
            table.add_column(heading, justify="right")
        rows = list(zip(self.pairings, self.standings, strict=True))
        for pairing, standing in rows[:MOST_ROWS]:
            table.add_row(escape(pairing.first), escape(pairing.second), *_cells(standing))
        if len(rows) > MOST_ROWS:
            table.add_row(f"and {len(rows) - MOST_ROWS} more pairings")
        return Group(table, self.bar)


def _cells(standing: Standing) -> list[str]:
    counts = [standing.games, standing.wins, standing.draws, standing.losses]
    points = f"{standing.points:.1%}" if standing.games else "–"
    verdict = "" if standing.stop is None else f"{standing.stop.accepted} accepted"
    return [*(str(count) for count in counts), points, verdict]
