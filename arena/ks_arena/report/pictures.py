"""The pictures of a report: cross table, ratings, and how games ended. The ladder's is in `ladder`."""

from collections import Counter
from math import isfinite

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure

from ks_arena.report import words
from ks_arena.report.crosstable import Cell, CrossTable
from ks_arena.report.style import WIDTH, Paper, legend_above
from ks_arena.report.sums import Summary
from ks_arena.statistics.ratings import Ratings
from ks_arena.statistics.score import Estimate
from ks_arena.study.scores import PairingScore

LONGEST = 26  # letters of a label
# How games are drawn; one that comes in another way is added behind them.
DRAWS = ("stalemate", "material", "repetition", "fifty moves", "plies")


def draw_crosstable(table: CrossTable, paper: Paper) -> Figure:
    """Points of rows against columns, the more coloured the further from even."""
    rows, columns = len(table.rows), len(table.columns)
    side = min(1.5, max(0.62, (WIDTH - 2.2) / columns))
    height = min(side, 0.85) if columns > 2 else 0.5
    width = min(WIDTH, 3.4 + 1.5 * columns) if columns < 4 else max(WIDTH, 2.2 + side * columns)
    figure = Figure(figsize=(width, 1.3 + height * rows), layout="constrained")
    axes = figure.subplots()
    colours = LinearSegmentedColormap.from_list(
        "points", [paper.lost, paper.even, paper.won], bad=paper.paper
    )
    shares = np.array([[_share(table.cell(row, column)) for column in table.columns] for row in table.rows])
    axes.imshow(np.ma.masked_invalid(shares), cmap=colours, vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(table.rows):
        for x, column in enumerate(table.columns):
            _write_cell(axes, x, y, table.cell(row, column), paper, side)
    letters = max(6, int(side * 12))
    turned = columns > 1 and max(len(label) for label in table.columns) > letters
    axes.set_xticks(
        range(columns),
        [words.shortened(label, LONGEST) for label in table.columns],
        rotation=38 if turned else 0,
        ha="left" if turned else "center",
        rotation_mode="anchor" if turned else "default",
    )
    axes.set_yticks(range(rows), [words.shortened(label, LONGEST) for label in table.rows])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    axes.grid(which="minor", color=paper.paper, linewidth=2)
    axes.tick_params(which="minor", length=0)
    return figure


def _share(cell: Cell | None) -> float:
    return float("nan") if cell is None or cell.points is None else cell.points


def _write_cell(axes: Axes, x: int, y: int, cell: Cell | None, paper: Paper, side: float) -> None:
    if cell is None:
        axes.text(x, y, "·", ha="center", va="center", color=paper.muted)
    elif cell.points is None:
        axes.text(x, y, "no games", ha="center", va="center", color=paper.muted, fontsize=min(9, 11 * side))
    else:
        colour = _readable_on(cell.points, paper)
        big, small = min(12.5, 15 * side), min(8.5, 9.5 * side)
        axes.text(
            x, y - 0.14, f"{100 * cell.points:.1f}", ha="center", va="center", color=colour, fontsize=big
        )
        text = words.results(*cell.results)
        axes.text(x, y + 0.24, text, ha="center", va="center", color=colour, fontsize=small)


def _readable_on(points: float, paper: Paper) -> str:
    """Ink or paper, whichever is further from the colour of the cell."""
    end = to_rgb(paper.won if points > 0.5 else paper.lost)
    far = abs(2 * points - 1)
    cell = np.array(to_rgb(paper.even)) * (1 - far) + np.array(end) * far
    grey = np.array([0.299, 0.587, 0.114])
    distances = {colour: abs(grey @ (np.array(to_rgb(colour)) - cell)) for colour in (paper.ink, paper.paper)}
    return max(distances, key=lambda colour: float(distances[colour]))


def draw_ratings(ratings: tuple[Ratings, ...], paper: Paper) -> Figure:
    """Elo with 95 % intervals, the strongest on top; a panel for each group that can be compared."""
    sizes = [len(each.labels) for each in ratings]
    figure = Figure(figsize=(WIDTH, 1.0 + 0.38 * sum(sizes) + 0.6 * len(sizes)), layout="constrained")
    if not ratings:
        return _nothing(figure, "no complete pair of games yet", paper)
    panels = figure.subplots(len(ratings), 1, squeeze=False, height_ratios=[size + 1 for size in sizes])[:, 0]
    for axes, each in zip(panels, ratings, strict=True):
        _draw_group(axes, each, paper)
    open_ends = any(not all(map(isfinite, end.interval)) for each in ratings for end in each.players)
    arrow = "; an arrow: not bounded on this side" if open_ends else ""
    panels[-1].set_xlabel(f"Elo, with 95 % intervals{arrow}")
    return figure


def _draw_group(axes: Axes, ratings: Ratings, paper: Paper) -> None:
    order = sorted(zip(ratings.labels, ratings.players, strict=True), key=lambda item: item[1].value)
    low, high = _range_of([estimate for _, estimate in order])
    room = 0.06 * (high - low)
    for y, (_, estimate) in enumerate(order):
        left = estimate.low if isfinite(estimate.low) else low - room
        right = estimate.high if isfinite(estimate.high) else high + room
        axes.plot([left, right], [y, y], color=paper.series[0], lw=2, solid_capstyle="butt")
        axes.plot(estimate.value, y, "o", color=paper.series[0], ms=6)
        for end, x, marker in ((estimate.low, left, "<"), (estimate.high, right, ">")):
            shape = "|" if isfinite(end) else marker
            axes.plot(x, y, marker=shape, color=paper.series[0], ms=7, mew=2 if shape == "|" else 0)
    axes.axvline(0, color=paper.muted, lw=0.8, ls=":", zorder=0)
    axes.set_yticks(range(len(order)), [words.shortened(label, LONGEST) for label, _ in order])
    axes.set(xlim=(low - 1.6 * room, high + 1.6 * room), ylim=(-0.6, len(order) - 0.4))
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)


def _range_of(estimates: list[Estimate]) -> tuple[float, float]:
    """From the lowest to the highest of all that is finite; never empty."""
    ends = [x for each in estimates for x in (each.value, each.low, each.high) if isfinite(x)]
    low, high = min(*ends, 0.0), max(*ends, 0.0)
    return (low, high) if high - low > 1 else (low - 50, high + 50)


def draw_reasons(summary: Summary, paper: Paper) -> Figure:
    """A bar a pairing: won by the first player, drawn by reason, won by the second."""
    scores = summary.scores
    kinds = _kinds(scores, paper)
    figure = Figure(figsize=(WIDTH, 1.7 + 0.46 * len(scores)), layout="constrained")
    axes = figure.subplots()
    begun = np.zeros(len(scores))
    for text, (colour, hatch, shares) in kinds.items():
        axes.barh(
            range(len(scores)),
            shares,
            left=begun,
            height=0.68,
            color=colour,
            hatch=hatch,
            edgecolor=paper.paper,
            linewidth=0.8,
            label=text,
        )
        begun += shares
    for y, score in enumerate(scores):
        if not score.games:
            axes.text(0.01, y, "no games", va="center", color=paper.muted, fontsize=9)
    names = [
        f"{words.shortened(s.pairing.first, LONGEST)}\nv {words.shortened(s.pairing.second, LONGEST)}"
        for s in scores
    ]
    axes.set_yticks(range(len(scores)), names, fontsize=8)
    axes.set_xticks(np.linspace(0, 1, 6), [f"{part} %" for part in range(0, 101, 20)])
    axes.set(xlim=(0, 1), ylim=(len(scores) - 0.5, -0.5), xlabel="share of the games")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    legend_above(figure, axes, max(len(text) for text in kinds) if kinds else 0)
    return figure


Shares = np.ndarray
Kinds = dict[str, tuple[str, str, Shares]]  # colour, hatch, f8[pairings]


def _kinds(scores: tuple[PairingScore, ...], paper: Paper) -> Kinds:
    """How games ended, from the first player's side; ways that occur."""
    ends: Counter[tuple[float, str]] = sum((score.ends for score in scores), Counter())
    drawn = sorted((reason for points, reason in ends if points == 0.5), key=_place)
    kinds: Kinds = {}
    for points, who, colour in ((1.0, "first", paper.won), (0.0, "second", paper.lost)):
        mated = [(points, "checkmate")]
        other = sorted((reason for won, reason in ends if won == points and reason != "checkmate"))
        found = {f"{who} wins: checkmate": (colour, "", _shares(scores, mated))}
        if other:
            text = f"{who} wins: {', '.join(other)}"
            found[text] = (colour, "////", _shares(scores, [(points, reason) for reason in other]))
        if points == 1.0:
            kinds |= found
            for number, reason in enumerate(drawn):
                tint = paper.draws[number % len(paper.draws)]
                kinds[f"draw: {reason}"] = (tint, "", _shares(scores, [(0.5, reason)]))
        else:
            kinds |= dict(reversed(found.items()))
    return {text: kind for text, kind in kinds.items() if kind[2].any()}


def _place(reason: str) -> tuple[int, str]:
    return (DRAWS.index(reason) if reason in DRAWS else len(DRAWS), reason)


def _shares(scores: tuple[PairingScore, ...], ends: list[tuple[float, str]]) -> Shares:
    return np.array(
        [sum(score.ends[end] for end in ends) / max(len(score.games), 1) for score in scores], dtype=float
    )


def _nothing(figure: Figure, text: str, paper: Paper) -> Figure:
    figure.text(0.5, 0.5, text, ha="center", va="center", color=paper.muted)
    return figure
