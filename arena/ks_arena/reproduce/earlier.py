"""Figures that were measured before, of games that are no longer here."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ks_arena.reproduce.measures import Measured, Work
from ks_arena.reproduce.published import PublishedTable
from ks_arena.sections import ConfigError
from ks_arena.statistics.score import Estimate
from ks_arena.study.config import StudyConfig


@dataclass
class Earlier:
    """What files of results tell of a table.

    Attributes:
        figures: by the row's words.
        studies: what the files say of the studies behind them, by key.
    """

    figures: dict[str, Measured] = field(default_factory=dict)
    studies: dict[str, Any] = field(default_factory=dict)


def read_earlier(files: Sequence[Path], table: PublishedTable) -> Earlier:
    """The figures of a table's rows in `results.json` files; of several the one with the most games.

    A figure counts where the studies behind it are the table's of today.

    Raises:
        ConfigError: a file is missing, holds no results, or none of this table's studies.
    """
    out = Earlier()
    for file in files:
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
            found = list(_figures(kept, table))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ConfigError(
                f"{file}: cannot be read as results of `ks reproduce`: {type(error).__name__}: {error}"
            ) from error
        if not found:
            raise ConfigError(f"{file}: holds no figure of this table's studies as they are now")
        for what, measured, studies in found:
            if what not in out.figures or out.figures[what].games < measured.games:
                out.figures[what] = measured
                out.studies |= studies
    return out


def _figures(kept: Any, table: PublishedTable) -> Iterator[tuple[str, Measured, dict[str, Any]]]:
    rows = {row.what: row for row in table.rows}
    for told in kept["rows"]:
        row = rows.get(told["what"])
        if row is None or told["ours"] is None:
            continue
        keys = {study for study, _, _ in row.sides}
        studies = {key: kept["studies"][key] for key in keys if key in kept["studies"]}
        if all(key in studies and _is_same(studies[key]["config"], table.studies[key]) for key in keys):
            work = Work(told["seconds_a_move"], told["nodes_a_move"])
            yield row.what, Measured(_estimate(told["ours"]), told["games"], told["forfeits"], work), studies


def _is_same(kept: Any, config: StudyConfig) -> bool:
    """Whether a config is that of the table; what it does not tell yet is as it was by default."""
    try:
        return StudyConfig.model_validate(kept) == config
    except ValidationError:
        return False


def _estimate(told: dict[str, float | None]) -> Estimate:
    low = -inf if told["low"] is None else float(told["low"])
    high = inf if told["high"] is None else float(told["high"])
    value = told["value"]
    if value is None:  # beyond all bounds, on the side that has none
        return Estimate(inf if high == inf else -inf, low, high)
    return Estimate(float(value), low, high)
