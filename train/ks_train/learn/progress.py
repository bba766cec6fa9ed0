"""The progress bar of a training run."""

from collections import deque
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from ks_train.learn.episodes import Episode


class Display(Progress):
    """A bar over the share of the budget spent, with what the last games brought.

    Args:
        console: where to draw it.
        name: of the run.
        window: how many of the latest games the shown averages are over.
    """

    def __init__(self, console: Console, name: str, window: int = 200) -> None:
        super().__init__(
            TextColumn("[bold]{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:3.0f}%"),
            TextColumn("{task.fields[text]}"),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            refresh_per_second=4,
        )
        self.recent: deque[Episode] = deque(maxlen=window)
        self.task = self.add_task(name, total=1.0, text="compiling")

    def show(self, progress: float, row: dict[str, Any], episodes: Iterable[Episode]) -> None:
        """Show the state after a rollout: `row` is its row of the history."""
        self.recent.extend(episodes)
        self.update(self.task, completed=progress, text=self._text(row))

    def _text(self, row: dict[str, Any]) -> str:
        text = f"{row['timesteps']:,} tries  {row['tries_per_second']:,.0f}/s  env {row['env_share']:.0%}"
        games = len(self.recent)
        if games:
            wins = sum(episode.result > 0 for episode in self.recent) / games
            losses = sum(episode.result < 0 for episode in self.recent) / games
            reward = sum(episode.reward for episode in self.recent) / games
            text += f"  {row['opponent']}: reward {reward:+.2f}  "
            text += f"[green]{wins:.0%}[/] won {1 - wins - losses:.0%} drawn [red]{losses:.0%}[/] lost"
        return text
