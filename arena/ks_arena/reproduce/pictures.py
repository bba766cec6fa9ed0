"""Figures of a paper, redrawn from the games of several ladders."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ks_arena.report.ladder import draw_ladder
from ks_arena.report.sums import summarise
from ks_arena.report.write import write_png
from ks_arena.reproduce.published import PublishedTable
from ks_arena.study.study import Study


def write_pictures(
    folder: Path, table: PublishedTable, studies: Mapping[str, Study], cut: str = ""
) -> list[Path]:
    """Draw those pictures of the table of which there are games; the files.

    Args:
        folder: where they go, as .png.
        table: the table.
        studies: what has been played of it, by key.
        cut: what the files' names end in where the studies are cut short.
    """
    written = []
    for picture in table.pictures:
        scores = [s for key in picture.studies if key in studies for s in summarise(studies[key]).scores]
        if any(score.games for score in scores):
            file = folder / f"{picture.name}{cut}.png"
            written.append(write_png(file, partial(draw_ladder, scores, picture.unit)))
    return written
