"""Figures of a paper, redrawn from several ladders."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ks_arena.report.ladder import draw_ladder
from ks_arena.report.write import write_png
from ks_arena.reproduce.published import PublishedTable
from ks_arena.study.scores import Rung, ladder_of
from ks_arena.study.study import Study


def write_pictures(
    folder: Path,
    table: PublishedTable,
    studies: Mapping[str, Study],
    earlier: Mapping[str, Any],
    cut: str = "",
) -> list[Path]:
    """Draw those pictures of the table of which there are scores; the files.

    Args:
        folder: where they go, as .png.
        table: the table.
        studies: what has been played of it, by key.
        earlier: what files of results tell of studies, by key; of those not played.
        cut: what the files' names end in where the studies are cut short.
    """
    written = []
    for picture in table.pictures:
        ladder: list[Rung] = []
        for key in picture.studies:
            if key in studies:
                ladder += ladder_of(studies[key])
            else:
                ladder += [Rung(**told) for told in earlier.get(key, {}).get("ladder", ())]
        if any(rung.games for rung in ladder):
            file = folder / f"{picture.name}{cut}.png"
            written.append(write_png(file, partial(draw_ladder, ladder, picture.unit)))
    return written
