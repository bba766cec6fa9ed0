"""Calibration and profiles as pictures."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chess
import numpy as np
from matplotlib.figure import Figure

from ks_env.belief.profile import Profile
from ks_train.commands.calibrate import QUESTION_WORDS

DRAWN = (
    ("location map", "#1b6ca8", "o"),
    ("belief network", "#2f855a", "^"),
    ("uniform map", "#c8553d", "s"),
    ("network with particles", "#b7791f", "v"),
    ("particles", "#6b46c1", "D"),
)
FEWEST = 20  # predictions behind a point


def draw_reliability(rows: list[dict[str, Any]], path: Path) -> None:
    """A panel for each question: how often it came, over the chance foreseen, for all phases together.

    Args:
        rows: `calibration.summarise`.
        path: of the PNG.
    """
    figure = Figure(figsize=(11, 7), layout="constrained")
    axes = figure.subplots(2, 3).ravel()
    drawn = [each for each in DRAWN if any(f"log loss of the {each[0]}" in row for row in rows)]
    asked = [each for each in QUESTION_WORDS.items() if each[0] != "king"]
    whole = {row["question"]: row for row in rows if row["phase"] == "all"}
    for panel, (question, words) in zip(axes, asked, strict=False):
        panel.plot([0, 1], [0, 1], color="0.7", linewidth=1, zorder=0)
        for name, colour, marker in drawn:
            told = whole.get(question, {}).get(f"reliability of the {name}", [])
            points = [point for point in told if point[2] >= FEWEST]
            panel.plot(
                [p[0] for p in points], [p[1] for p in points], color=colour, marker=marker, label=name
            )
        panel.set(title=words, xlim=(0, 1), ylim=(0, 1), xlabel="foreseen", ylabel="came")
        panel.legend(fontsize=8, loc="upper left")
    _king(axes[-1], [row for row in rows if row["question"] == "king"], drawn)
    figure.savefig(path, dpi=110)


def _king(panel: Any, rows: list[dict[str, Any]], drawn: Sequence[tuple[str, str, str]]) -> None:
    """Log losses of the king's place by phase, as bars."""
    places = range(len(rows))
    width = 0.81 / len(drawn)
    for i, (name, colour, _) in enumerate(drawn):
        losses = [row[f"log loss of the {name}"] for row in rows]
        panel.bar(
            [p + (i - (len(drawn) - 1) / 2) * width for p in places], losses, width, color=colour, label=name
        )
    panel.set(title=QUESTION_WORDS["king"], ylabel="log loss")
    panel.set_xticks(list(places), [row["phase"] for row in rows], fontsize=8)
    panel.legend(fontsize=8)


def draw_profile(profile: Profile, kind: int, time: int, path: Path) -> None:
    """Four boards: as White and as Black, D(p, t) and D(p, t) − D(p, t − 1).

    Args:
        profile: whose.
        kind: of men, 1 to 6.
        time: own moves made.
        path: of the PNG.
    """
    figure = Figure(figsize=(9, 9), layout="constrained")
    axes = figure.subplots(2, 2)
    for side, colour in enumerate(("White", "Black")):
        now = profile.places[side, time, kind - 1].reshape(8, 8)
        before = profile.places[side, time - 1, kind - 1].reshape(8, 8)
        boards = (
            (now, "Blues", 0.0, "probability"),
            (now - before, "RdBu", None, "change since the last move"),
        )
        for axis, (board, colours, least, words) in zip(axes[side], boards, strict=True):
            most = max(0.01, float(np.abs(board).max()))
            image = axis.imshow(
                board, origin="lower", cmap=colours, vmin=-most if least is None else least, vmax=most
            )
            axis.set_xticks(range(8), "abcdefgh")
            axis.set_yticks(range(8), "12345678")
            axis.set_title(f"as {colour}, {words}; {int(profile.games[side, time])} games", fontsize=9)
            figure.colorbar(image, ax=axis, shrink=0.8)
    figure.suptitle(f"{profile.name}: {chess.piece_name(kind)}s after {time} own moves")
    figure.savefig(path, dpi=100)
