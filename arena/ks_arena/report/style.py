"""How the pictures look, on light and on dark paper."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH = 7.2  # inches
DPI = 130


@dataclass(frozen=True)
class Paper:
    """Colours of a picture.

    Attributes:
        paper: behind everything.
        ink: text and axes.
        muted: what matters less.
        rule: grid and empty cells.
        won: the first player's points.
        lost: the second player's.
        even: between the two.
        draws: draws, one tint a reason.
        series: lines, each told from the next without colour vision too.
    """

    paper: str
    ink: str
    muted: str
    rule: str
    won: str
    lost: str
    even: str
    draws: Sequence[str]
    series: Sequence[str]


LIGHT = Paper(
    paper="#ffffff",
    ink="#22282f",
    muted="#68727d",
    rule="#e3e7ea",
    won="#4f7942",
    lost="#c8553d",
    even="#f4f1ea",
    draws=("#d9d4c7", "#a9b7c0", "#c9b687", "#7f93a3", "#b7a7b5", "#8d8774"),
    series=("#1b6ca8", "#c8553d", "#4f7942", "#8e6c8a", "#b0862c", "#3d8f8f"),
)
DARK = Paper(
    paper="#1d2329",
    ink="#e6eaee",
    muted="#97a3af",
    rule="#323b44",
    won="#7fae6c",
    lost="#e07a62",
    even="#2b3138",
    draws=("#6b6a63", "#55656f", "#8a7a4c", "#8398a8", "#77677a", "#a29c86"),
    series=("#6db3e3", "#e98f78", "#92c07f", "#c39fc0", "#dcb65f", "#6cc1c1"),
)
MARKERS = "osD^vP"


@contextmanager
def on(paper: Paper) -> Iterator[None]:
    """Pictures made within are drawn on this paper."""
    settings: Any = {  # the annotation lists every key there is
        "figure.facecolor": paper.paper,
        "axes.facecolor": paper.paper,
        "savefig.facecolor": paper.paper,
        "text.color": paper.ink,
        "axes.labelcolor": paper.ink,
        "axes.edgecolor": paper.muted,
        "axes.titlesize": 11,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.color": paper.muted,
        "ytick.color": paper.muted,
        "xtick.labelcolor": paper.ink,
        "ytick.labelcolor": paper.ink,
        "grid.color": paper.rule,
        "legend.frameon": False,
        "legend.labelcolor": paper.ink,
        "font.size": 10,
        "text.parse_math": False,  # a label may have a "$" in it
    }
    with mpl.rc_context(settings):
        yield


def legend_above(figure: Figure, axes: Axes, longest: int) -> None:
    """A legend over the picture, in as many columns as fit; `longest` is its longest text."""
    handles, labels = axes.get_legend_handles_labels()
    if not labels:
        return
    columns = max(1, min(len(labels), int(WIDTH * 12 / (longest + 6))))
    columns = ceil(len(labels) / ceil(len(labels) / columns))  # rows of one length
    figure.legend(handles, labels, ncols=columns, loc="outside upper center", fontsize=9)
