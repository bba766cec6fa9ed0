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
    """The figures of a table in `results.json` files; of each study those of the file with the most games.

    A figure counts where the studies behind it, and what is computed from them, are the table's of today.

    Raises:
        ConfigError: a file is missing, holds no results, or none of this table's studies.
    """
    told = {file: _read(file, table) for file in files}
    best: dict[str, Path] = {}
    for key in table.studies:
        holders = {file: studies[key]["games"] for file, (studies, _) in told.items() if key in studies}
        if holders:
            best[key] = max(holders, key=holders.__getitem__)
    out = Earlier()
    for file, (studies, figures) in told.items():
        for row in table.rows:
            keys = {study for study, _, _ in row.sides}
            if row.what in figures and keys and all(best.get(key) == file for key in keys):
                out.figures[row.what] = figures[row.what]
                out.studies |= {key: studies[key] for key in keys}
    return out


def _read(file: Path, table: PublishedTable) -> tuple[dict[str, Any], dict[str, Measured]]:
    """The studies of a file that are the table's, and the figures."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        studies = {
            key: study | {"games": int(study["games"])}
            for key, study in kept["studies"].items()
            if key in table.studies and _is_same(study["config"], table.studies[key])
        }
        figures = dict(_figures(kept["rows"], table))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(
            f"{file}: cannot be read as results of `ks reproduce`: {type(error).__name__}: {error}"
        ) from error
    if not studies:
        expected = ", ".join(table.studies)
        raise ConfigError(
            f"{file}: holds none of this table's studies with its settings; expected {expected}"
        )
    return studies, figures


def _figures(rows: Any, table: PublishedTable) -> Iterator[tuple[str, Measured]]:
    meant = {row.what: row.measure_dict for row in table.rows}
    for told in rows:
        what = told["what"]
        if what not in meant or told["ours"] is None or told.get("measure", meant[what]) != meant[what]:
            continue
        nodes = None if told["nodes_a_move"] is None else float(told["nodes_a_move"])
        work = Work(float(told["seconds_a_move"]), nodes)
        yield what, Measured(_estimate(told["ours"]), int(told["games"]), int(told["forfeits"]), work)


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
