"""Reliability diagrams of location maps."""

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from ks_train.calibration_command import QUESTION_WORDS

DRAWN = (
    ("reliability", "location map", "#1b6ca8", "o"),
    ("reliability of the uniform map", "uniform map", "#c8553d", "s"),
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
    asked = [each for each in QUESTION_WORDS.items() if each[0] != "king"]
    whole = {row["question"]: row for row in rows if row["phase"] == "all"}
    for panel, (question, words) in zip(axes, asked, strict=False):
        panel.plot([0, 1], [0, 1], color="0.7", linewidth=1, zorder=0)
        for key, name, colour, marker in DRAWN:
            points = [point for point in whole.get(question, {}).get(key, []) if point[2] >= FEWEST]
            panel.plot(
                [p[0] for p in points], [p[1] for p in points], color=colour, marker=marker, label=name
            )
        panel.set(title=words, xlim=(0, 1), ylim=(0, 1), xlabel="foreseen", ylabel="came")
        panel.legend(fontsize=8, loc="upper left")
    _king(axes[-1], [row for row in rows if row["question"] == "king"])
    figure.savefig(path, dpi=110)


def _king(panel: Any, rows: list[dict[str, Any]]) -> None:
    """Log losses of the king's place by phase, as bars."""
    places = range(len(rows))
    width = 0.4
    panel.bar(
        [p - width / 2 for p in places],
        [row["log loss"] for row in rows],
        width,
        color="#1b6ca8",
        label="location map",
    )
    panel.bar(
        [p + width / 2 for p in places],
        [row["log loss of the uniform map"] for row in rows],
        width,
        color="#c8553d",
        label="uniform map",
    )
    panel.set(title=QUESTION_WORDS["king"], ylabel="log loss")
    panel.set_xticks(list(places), [row["phase"] for row in rows], fontsize=8)
    panel.legend(fontsize=8)
