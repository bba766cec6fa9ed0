"""Score against budget: one line a series, 95 % intervals as bars.

In the manner of P. Ciancarini and G. P. Favini, "Monte Carlo tree search in Kriegspiel" (Artificial
Intelligence 174, 2010), Fig. 10. Points are on the left, the Elo that they stand for on the right.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ks_arena.report import words
from ks_arena.report.style import MARKERS, WIDTH, Paper, legend_above
from ks_arena.statistics.elo import points_of
from ks_arena.study.records import one_line
from ks_arena.study.scores import Rung

ELOS = (-600, -400, -300, -200, -100, -50, 0, 50, 100, 200, 300, 400, 600)
APART = 0.045  # of the axis: the least distance of two ticks of Elo that can be read
SPREAD = 0.035  # in doublings: series are drawn beside each other


def draw_ladder(rungs: Sequence[Rung], unit: str, paper: Paper) -> Figure:
    """A panel for each opponent, the budget on an axis of doublings.

    A series may be made up of several studies, with one budget or more in each.
    """
    rungs = sorted(rungs, key=lambda rung: rung.budget)
    opponents = list(dict.fromkeys(rung.against for rung in rungs))
    series = list(dict.fromkeys(rung.series for rung in rungs))
    figure = Figure(figsize=(WIDTH, 0.8 + 3.6 * len(opponents)), layout="constrained")
    panels = figure.subplots(len(opponents), 1, squeeze=False, sharex=True)[:, 0]
    for axes, opponent in zip(panels, opponents, strict=True):
        for number, name in enumerate(series):
            mine = [rung for rung in rungs if rung.against == opponent and rung.series == name]
            _draw_series(axes, mine, name, (number, len(series)), paper)
        axes.set_title(f"against {words.shortened(opponent, 40)}", loc="left")
        _finish(axes, rungs, paper)
    panels[-1].set_xlabel(f"budget: {one_line(unit)}")
    legend_above(figure, panels[0], max(len(words.shortened(name, 40)) for name in series))
    return figure


def _draw_series(axes: Axes, rungs: Sequence[Rung], name: str, place: tuple[int, int], paper: Paper) -> None:
    number, of = place
    known = [rung for rung in rungs if rung.games]
    shift = SPREAD * (number - (of - 1) / 2)
    at = [rung.budget * 2**shift for rung in known]
    points = np.array([rung.points for rung in known], dtype=float)
    ends = np.array([rung.interval for rung in known], dtype=float).reshape(-1, 2)
    axes.errorbar(
        at,
        points,
        yerr=np.abs(ends.T - points),
        fmt=f"{MARKERS[number % len(MARKERS)]}-",
        color=paper.series[number % len(paper.series)],
        ms=5,
        lw=1.6,
        capsize=4,
        label=words.shortened(name, 40),
    )


def _finish(axes: Axes, rungs: Sequence[Rung], paper: Paper) -> None:
    budgets = sorted({rung.budget for rung in rungs})
    axes.axhline(0.5, color=paper.muted, lw=0.8, ls=":", zorder=0)
    axes.set_xscale("log", base=2)
    axes.set_xlim(budgets[0] / 2**0.4, budgets[-1] * 2**0.4)
    shown = budgets[:: 1 + (len(budgets) - 1) // 10]
    axes.set_xticks(shown, [words.budget(budget) for budget in shown])
    axes.minorticks_off()
    low, high = axes.get_ylim()
    low, high = max(min(low, 0.4), -0.03), min(max(high, 0.6), 1.03)
    axes.set_ylim(low, high)
    ticks = [tick for tick in axes.get_yticks() if 0 <= tick <= 1 and low <= tick <= high]
    axes.set_yticks(ticks, [f"{100 * tick:.0f} %" for tick in ticks])
    axes.set_ylim(low, high)
    axes.set_ylabel("share of the points")
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    _elo_axis(axes, low, high)


def _elo_axis(axes: Axes, low: float, high: float) -> None:
    """The Elo of the points on the right: ticks that have room, zero first."""
    right = axes.twinx()
    right.set_ylim(low, high)
    places: dict[int, float] = {}
    room = APART * (high - low)
    for elo in sorted(ELOS, key=abs):
        place = points_of(elo)
        if low <= place <= high and all(abs(place - other) > room for other in places.values()):
            places[elo] = place
    right.set_yticks(list(places.values()), [words.elo(elo) for elo in places])
    right.set_ylabel("Elo")
    right.spines["right"].set_visible(True)
