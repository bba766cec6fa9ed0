"""The learning curve of a run as a picture."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

COLOURS = ("#1b6ca8", "#c8553d", "#4f7942", "#8e6c8a")
WINDOW_GAMES = 200  # games that one point of the training panel averages over


def draw_curve(summary: dict[str, Any], path: Path) -> None:
    """Two panels over the learner's tries: evaluations with 95 % bands, and the games of the training.

    Args:
        summary: what `ks_train.judge.report.write_report` puts in summary.json.
        path: of the PNG.
    """
    figure = Figure(figsize=(8, 7), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    _evaluations(above, summary)
    _training(below, summary["history"])
    figure.suptitle(
        f"{summary['name']}: {summary['timesteps']:,} tries, {summary['seconds'] / 60:.1f} minutes"
    )
    figure.savefig(path, dpi=120)


def draw_runs(summaries: Sequence[dict[str, Any]], path: Path) -> None:
    """The evaluations of several runs in one picture: a panel for each opponent.

    Runs of one name are one line, the median of their seeds, in a band from the least to the greatest; a run
    alone has a 95 % band.

    Args:
        summaries: of the runs, see `draw_curve`.
        path: of the PNG.
    """
    groups: dict[str, list[list[dict[str, Any]]]] = {}
    for summary in summaries:
        groups.setdefault(summary["name"], []).append(_judged(summary))
    opponents = list(
        dict.fromkeys(row["opponent"] for runs in groups.values() for each in runs for row in each)
    )
    figure = Figure(figsize=(8, 1 + 3 * len(opponents)), layout="constrained")
    panels = figure.subplots(len(opponents), 1, sharex=True, squeeze=False)[:, 0]
    for axes, opponent in zip(panels, opponents, strict=True):
        for i, (name, runs) in enumerate(groups.items()):
            mine = [[row for row in each if row["opponent"] == opponent] for each in runs]
            colour = COLOURS[i % len(COLOURS)]
            drawn = [each for each in mine if each]
            if len(drawn) > 1:
                _seeds(axes, drawn, f"{name}: {len(drawn)} runs", colour)
            elif drawn:
                _line(axes, drawn[0], f"{name}: 95 % band", colour)
        axes.set(ylabel="share of games won", ylim=(0, 1), title=f"against {opponent}")
        axes.legend(fontsize=8, loc="upper left")
    panels[-1].set(xlabel="tries of the learner")
    figure.savefig(path, dpi=120)


def _judged(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """The evaluations while training and the one at the end."""
    return [
        *summary["evaluations"],
        *({"timesteps": summary["timesteps"]} | row for row in summary["series"]),
    ]


def _line(axes: Axes, rows: Sequence[dict[str, Any]], label: str, colour: str) -> None:
    """Win rates over tries, and their band."""
    if not rows:
        return
    at = [row["timesteps"] for row in rows]
    low, high = zip(*(row["win_rate_95"] for row in rows), strict=True)
    axes.plot(at, [row["win_rate"] for row in rows], "o-", ms=3, color=colour, label=label)
    axes.fill_between(at, low, high, color=colour, alpha=0.18, linewidth=0)


def _seeds(axes: Axes, runs: Sequence[Sequence[dict[str, Any]]], label: str, colour: str) -> None:
    """Median win rates of several runs over tries, and the band that all of them lie in.

    The n-th evaluations of all runs are one point, and so are their last ones, since budgets in time end
    after different numbers of tries.
    """
    points = [*zip(*(run[:-1] for run in runs), strict=False), tuple(run[-1] for run in runs)]
    at = [float(np.median([row["timesteps"] for row in rows])) for rows in points]
    rates = np.array([[row["win_rate"] for row in rows] for rows in points])
    axes.plot(at, np.median(rates, 1), "o-", ms=3, color=colour, label=f"{label}, median")
    axes.fill_between(at, rates.min(1), rates.max(1), color=colour, alpha=0.18, linewidth=0)


def _evaluations(axes: Axes, summary: dict[str, Any]) -> None:
    rows = _judged(summary)
    for colour, opponent in zip(COLOURS, dict.fromkeys(row["opponent"] for row in rows), strict=False):
        mine = [row for row in rows if row["opponent"] == opponent]
        at = [row["timesteps"] for row in mine]
        _line(axes, mine, f"won against {opponent}", colour)
        lost = [row["losses"] / row["games"] for row in mine]
        axes.plot(at, lost, "--", lw=1, color=colour, label=f"lost against {opponent}")
        for row in summary["reference"]:
            if row["opponent"] == opponent:
                label = f"{row['player']} wins against {opponent}"
                axes.axhline(row["win_rate"], ls=":", lw=1.2, color=colour, label=label)
    axes.set(ylabel="share of games", ylim=(0, 1), title="evaluation, 95 % bands")
    axes.legend(fontsize=8, loc="upper left")


def _training(axes: Axes, history: Sequence[dict[str, Any]]) -> None:
    points = _windows(history)
    if not points:
        return
    at, wins, draws, losses = (np.array(column) for column in zip(*points, strict=True))
    colours = ("#4f7942", "#d9d4c7", "#c8553d")
    axes.stackplot(at, wins, draws, losses, labels=("won", "drawn", "lost"), colors=colours, alpha=0.85)
    for before, after in pairwise(history):
        if before["opponent"] != after["opponent"]:
            axes.axvline(before["timesteps"], color="black", lw=1)
            axes.annotate(f" {after['opponent']}", (before["timesteps"], 0.95), va="top", fontsize=8)
    axes.set(
        xlabel="tries of the learner", ylabel="share of games", ylim=(0, 1), title="games of the training"
    )
    axes.legend(fontsize=8, loc="lower left")


def _windows(history: Sequence[dict[str, Any]]) -> list[tuple[float, float, float, float]]:
    """(tries, won, drawn, lost), each over about `WINDOW_GAMES` games."""
    points = []
    counts = np.zeros(3)
    for row in history:
        counts += (row["wins"], row["draws"], row["losses"])
        if counts.sum() >= WINDOW_GAMES:
            won, drawn, lost = counts / counts.sum()
            points.append((row["timesteps"], won, drawn, lost))
            counts[:] = 0
    return points
