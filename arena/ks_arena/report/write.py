"""Writing a report's files."""

import io
from collections.abc import Callable
from pathlib import Path

from matplotlib.figure import Figure

from ks_arena.report.crosstable import CrossTable
from ks_arena.report.document import document
from ks_arena.report.ladder import draw_ladder
from ks_arena.report.page import page
from ks_arena.report.pictures import draw_crosstable, draw_ratings, draw_reasons
from ks_arena.report.style import DARK, DPI, LIGHT, Paper, on
from ks_arena.report.sums import Summary, summarise
from ks_arena.study.scores import rungs
from ks_arena.study.study import Study
from ks_env.core.files import aside, write_aside


def write_report(study: Study, folder: Path) -> None:
    """Write report.md, report.html, crosstable.png, ratings.png, reasons.png and, of a ladder, ladder.png.

    None of the files is ever seen half-written; the reports come last. The page has the pictures in it.

    Args:
        study: finished or not.
        folder: where; made if it is not there.

    Raises:
        OSError: a file cannot be written.
    """
    summary = summarise(study)
    folder.mkdir(parents=True, exist_ok=True)
    pictures = _pictures(summary)
    for name, (light, _) in pictures.items():
        with aside(folder / name) as path:
            path.write_bytes(light)
    text = document(summary)
    write_aside(folder / "report.md", text)
    write_aside(folder / "report.html", _page(study, text, pictures))


def report_page(study: Study, before: str = "", after: str = "") -> str:
    """The page that `write_report` writes, with more HTML in front of it and behind it."""
    summary = summarise(study)
    return _page(study, document(summary), _pictures(summary), before, after)


def _page(study: Study, text: str, pictures: "Pictures", before: str = "", after: str = "") -> str:
    return page(text, study.config.name, pictures, max(map(len, study.labels)), before, after)


Pictures = dict[str, tuple[bytes, bytes]]  # on light and on dark paper
Draw = Callable[[Paper], Figure]


def _pictures(summary: Summary) -> Pictures:
    return {name: (png(draw, LIGHT), png(draw, DARK)) for name, draw in _drawings(summary).items()}


def _drawings(summary: Summary) -> dict[str, Draw]:
    crosstable = CrossTable(summary.study.labels, summary.scores)
    drawings: dict[str, Draw] = {
        "crosstable.png": lambda paper: draw_crosstable(crosstable, paper),
        "reasons.png": lambda paper: draw_reasons(summary, paper),
    }
    if summary.ratings:
        drawings["ratings.png"] = lambda paper: draw_ratings(summary.ratings, paper)
    if summary.is_ladder:
        unit = getattr(summary.study.config.tournament, "unit", "")
        drawings["ladder.png"] = lambda paper: draw_ladder(rungs(summary.scores), unit, paper)
    return drawings


def png(draw: Draw, paper: Paper) -> bytes:
    """A drawing as a file."""
    file = io.BytesIO()
    with on(paper):
        draw(paper).savefig(file, format="png", dpi=DPI)
    return file.getvalue()


def write_png(file: Path, draw: Draw) -> Path:
    """Write a drawing on light paper; the file."""
    with aside(file) as path:
        path.write_bytes(png(draw, LIGHT))
    return file
