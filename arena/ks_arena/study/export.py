"""A study's games for other tools: a table (CSV, Parquet) with one row a game, or PGN.

Files are written under another name and renamed when they are complete, game by game, so that memory does
not limit how many. The columns are in `COLUMNS`; columns of one colour begin with `white_` or `black_`.
"""

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from ks_arena.match.result import GameResult
from ks_arena.sections import ConfigError
from ks_arena.study.records import record_of, tries_of
from ks_arena.study.study import Study
from ks_env.core.files import aside
from ks_env.record import to_pgn

SEATS = ("white", "black")
WORK = {"moves": "int32", "tries": "int32", "seconds": "float64", "slowest": "float64", "nodes": "int64"}

# Name and pyarrow type of each column.
COLUMNS: dict[str, str] = {
    "pairing": "int32",  # number of the pairing, from 0
    "pair": "int32",  # number of the pair of games in it, from 0
    "leg": "int8",  # 0: the pairing's first player has White; 1: Black
    "first": "string",  # labels of the pairing's players
    "second": "string",
    "budget": "float64",  # of the first player, on a ladder
    "white": "string",  # labels of the game's players
    "black": "string",
    "white_seed": "int64",
    "black_seed": "int64",
    "start_fen": "string",
    "outcome": "int8",  # +1 White won, 0 drawn or cut short, -1 Black won
    "first_points": "float64",  # 1, 0.5 or 0
    "reason": "string",  # why the game ended
    "fault": "string",  # what a player forfeited by
    "plies": "int32",
    "spoken": "int32",  # accepted moves after which the referee said something
    **{f"{seat}_{name}": kind for seat in SEATS for name, kind in WORK.items()},
    "seconds": "float64",  # wall clock of the game
    "actions": "string",  # all answered tries in UCI text or `any?`, with spaces between them
    "accepted": "string",  # for each of them 1 if it was played, 0 if it was not
    "versions": "string",  # JSON
}
BATCH = 1000  # games in one write of a Parquet file


def export_study(study: Study, path: Path, console: Console | None = None) -> None:
    """Write the games of a study as the file's name says: `.csv`, `.parquet` or `.pgn`.

    Args:
        study: finished or not.
        path: the file; what is there is replaced once all is written.
        console: where the progress is shown.

    Raises:
        ConfigError: the file's name ends in something else, or a game is damaged.
        OSError: the file cannot be written.
    """
    writers = {".csv": export_csv, ".parquet": export_parquet, ".pgn": export_pgn}
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise ConfigError(f"{path}: expected a file name that ends in {', '.join(writers)}")
    writer(study, path, console)


def export_csv(study: Study, path: Path, console: Console | None = None) -> None:
    """Write one row a game, after a row of the columns' names; what is not known is left empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with aside(path) as other, other.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(COLUMNS))
        writer.writeheader()
        for row in rows(study, _shown(study, path, console)):
            writer.writerow({key: _plain(value) for key, value in row.items()})


def _plain(value: Any) -> Any:
    """The value as a cell; text that a spreadsheet would take for a formula stands behind an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r") else value


def export_parquet(study: Study, path: Path, console: Console | None = None) -> None:
    """Write one row a game, with the study's config in the file's metadata; what is not known is null."""
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema(
        [(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS.items()],
        metadata={"study": study.config.model_dump_json()},
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with aside(path) as other, parquet.ParquetWriter(other, schema) as writer:
        for some in _batches(rows(study, _shown(study, path, console))):
            writer.write_table(pyarrow.Table.from_pylist(some, schema=schema))


def export_pgn(study: Study, path: Path, console: Console | None = None) -> None:
    """Write the games as PGN, with refused tries and announcements in comments (`ks_env.record`)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with aside(path) as other, other.open("w", encoding="utf-8") as file:
        for number, game in enumerate(_shown(study, path, console)):
            file.write("\n" * bool(number) + to_pgn(record_of(game, study.config)))


def rows(study: Study, games: Iterator[GameResult]) -> Iterator[dict[str, Any]]:
    """A row of `COLUMNS` for each game."""
    pairings = {pairing.index: pairing for pairing in study.pairings}
    for game in games:
        pairing = pairings[game.pairing]
        tries = tries_of(game, study.config)
        known = {
            "first": pairing.first,
            "second": pairing.second,
            "budget": pairing.budget,
            "first_points": game.first_points,
            "actions": " ".join(tries.texts),
            "accepted": "".join("01"[accepted] for accepted in tries.accepted),
            **{
                f"{seat}_{name}": getattr(work, name)
                for seat, work in zip(SEATS, game.work, strict=True)
                for name in WORK
            },
        }
        yield {name: known[name] if name in known else getattr(game, name) for name in COLUMNS}


def _shown(study: Study, path: Path, console: Console | None) -> Iterator[GameResult]:
    """The games, with a bar where there is a console."""
    games: Sequence[GameResult] = study.games()
    if console is None:
        yield from games
    else:
        yield from track(games, description=path.name, total=len(games), console=console, transient=True)


def _batches(all_rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while some := list(islice(all_rows, BATCH)):
        yield some
