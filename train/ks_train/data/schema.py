"""The files of a data set: Parquet, one row a game, tries instead of planes.

`COLUMNS` is the schema. What was played, by whom and with which versions is in the file's metadata under
`KEY`, as JSON. A file is written under another name and renamed, and read a row group at a time.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from ks_env.core.files import aside
from ks_env.core.ruleset import Ruleset
from ks_env.core.tables import TRIES
from ks_env.games import game_named
from ks_env.games.definition import GameDefinition
from ks_env.games.under_way import GameUnderWay

VERSION = 1  # of the schema
KEY = b"ks_env"
ROW_GROUP = 1000  # games
UNASKED = -1
WRITING: dict[str, Any] = {"compression": "zstd", "compression_level": 9, "write_page_checksum": True}
MOST_VALUE = 60_000.0  # float16 holds little more

COLUMNS = pa.schema(
    [
        ("number", pa.int64()),  # of the game in its data set, from 0
        ("game", pa.string()),  # id, such as "Kriegspiel"
        ("ruleset", pa.string()),  # its name
        ("rules", pa.string()),  # all fields of the ruleset, JSON
        ("fen", pa.string()),  # start position
        ("hidden_start", pa.bool_()),  # the players were told their own men only
        ("declared", pa.list_(pa.string())),  # of a hidden start: the positions it was one of; else empty
        ("white_men", pa.string()),  # hidden men in invisible chess, by squares at the start; else empty
        ("black_men", pa.string()),
        ("white", pa.string()),  # labels of the players
        ("black", pa.string()),
        ("white_seed", pa.int64()),
        ("black_seed", pa.int64()),
        ("result", pa.int8()),  # +1 White won, 0 drawn or cut short, -1 Black won
        ("reason", pa.string()),  # why the game ended, in words
        ("fault", pa.string()),  # what a player forfeited by; else null
        ("plies", pa.int32()),  # half-moves played
        ("tries", pa.list_(pa.int16())),  # of both seats in order, each in its mover's frame
        ("labels", pa.list_(pa.int16())),  # what the teacher would have tried; -1 not asked; null: never
        ("noise", pa.list_(pa.bool_())),  # whether the try was drawn instead of chosen; null: never
        ("value_counts", pa.list_(pa.uint8())),  # for each try, how many were weighed; null: never
        ("value_tries", pa.list_(pa.int16())),  # the tries that were weighed
        ("values", pa.list_(pa.float16())),  # their values, in the unit of who weighed them
    ]
)

FILLED = (  # columns that are read and may not be null
    "number",
    "game",
    "rules",
    "fen",
    "hidden_start",
    "white_men",
    "black_men",
    "white",
    "black",
    "result",
    "reason",
    "plies",
)


class DataError(ValueError):
    """A file that holds no games, or damaged ones; the message names the file and what was expected."""


@dataclass(frozen=True)
class Setting:
    """What games that are played side by side have in common.

    Attributes:
        game: id.
        rules: the ruleset.
        hidden: the players were told their own men only.
        declared: of a hidden start, the positions it was one of.
    """

    game: str
    rules: Ruleset
    hidden: bool
    declared: tuple[str, ...]

    @property
    def definition(self) -> GameDefinition:
        """Which game it is."""
        return game_named(self.game)

    def declared_row(self, fen: str) -> Any:
        """The GAME row of a declared start."""
        play = self.definition.play
        return play.for_match(fen, self.rules, hidden_start=True, men=("", ""), draws=(0, 0)).row().copy()


@dataclass(frozen=True)
class Games:
    """Games end to end. Those of game g are `first[g]` to before `first[g + 1]` in arrays of T tries.

    Attributes:
        source: the file, for messages.
        numbers: i8[G], of the games in their data set.
        settings: of each game.
        fens: of each game.
        men: White's and Black's hidden men of each game.
        players: labels of White and Black of each game.
        results: i1[G], +1 White won, 0 drawn, -1 Black won.
        reasons: of each game.
        faults: of each game; None without a forfeit.
        plies: i4[G].
        first: i8[G + 1].
        tries: i2[T].
        labels: i2[T], UNASKED where nobody was asked.
        noise: bool[T].
        first_values: i8[T + 1], where the values of each try begin.
        value_tries: i2[V].
        values: f2[V].
    """

    source: str
    numbers: npt.NDArray[np.int64]
    settings: list[Setting]
    fens: list[str]
    men: list[tuple[str, str]]
    players: list[tuple[str, str]]
    results: npt.NDArray[np.int8]
    reasons: list[str]
    faults: list[str | None]
    plies: npt.NDArray[np.int32]
    first: npt.NDArray[np.int64]
    tries: npt.NDArray[np.int16]
    labels: npt.NDArray[np.int16]
    noise: npt.NDArray[np.bool_]
    first_values: npt.NDArray[np.int64]
    value_tries: npt.NDArray[np.int16]
    values: npt.NDArray[np.float16]

    def __len__(self) -> int:
        return len(self.numbers)

    def name(self, g: int) -> str:
        """The game's file and number, for messages."""
        return f"{self.source}: game {self.numbers[g]}"

    def begin(self, g: int) -> GameUnderWay[Any]:
        """A game at its start."""
        setting = self.settings[g]
        try:
            return setting.definition.play.for_match(
                self.fens[g], setting.rules, hidden_start=setting.hidden, men=self.men[g], draws=(0, 0)
            )
        except ValueError as error:
            raise DataError(f"{self.name(g)}: {error}") from error

    def tries_of(self, g: int) -> npt.NDArray[np.int16]:
        """The tries of a game."""
        return self.tries[self.first[g] : self.first[g + 1]]


def rules_text(rules: Ruleset) -> str:
    """A ruleset as JSON that `rules_of` reads."""
    fields = asdict(rules)
    return json.dumps({k: v.name.lower() if isinstance(v, IntEnum) else v for k, v in fields.items()})


@lru_cache(256)
def rules_of(text: str) -> Ruleset:
    """The ruleset of a row.

    Raises:
        ValueError: it has another's fields, or none.
    """
    try:
        return Ruleset(**json.loads(text))
    except TypeError as error:
        raise ValueError(f"rules are {text!r}; expected the fields of a ruleset as JSON ({error})") from error


def table_of(rows: Sequence[Mapping[str, Any]], metadata: Mapping[bytes, bytes] | None = None) -> pa.Table:
    """Rows of `COLUMNS` as a table; lists may be arrays, and what is left out is null."""
    columns = [pa.array([row.get(field.name) for row in rows], field.type) for field in COLUMNS]
    return pa.Table.from_arrays(columns, schema=COLUMNS.with_metadata(metadata))


def metadata_of(about: Mapping[str, Any]) -> dict[bytes, bytes]:
    """What a file's metadata says, the schema's version included."""
    return {KEY: json.dumps({"schema": VERSION, **about}, sort_keys=True).encode()}


def write_games(path: Path, tables: Iterable[pa.Table], about: Mapping[str, Any]) -> int:
    """Write a data set, all of it or nothing; the number of games.

    Args:
        path: the file; what is there is replaced once all is written.
        tables: of `COLUMNS`, one row group each.
        about: what is said of the games in the metadata: the config, versions, fingerprints.

    Raises:
        OSError: the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    schema, games = COLUMNS.with_metadata(metadata_of(about)), 0
    with aside(path) as other, parquet.ParquetWriter(other, schema, **WRITING) as writer:
        for table in tables:
            writer.write_table(table.replace_schema_metadata(schema.metadata), row_group_size=ROW_GROUP)
            games += len(table)
    return games


def in_groups(rows: Iterable[Any]) -> Iterator[list[Any]]:
    """The rows of one row group after another."""
    each = iter(rows)
    while some := list(islice(each, ROW_GROUP)):
        yield some


def files_of(source: Path | str) -> list[Path]:
    """The files of a data set: the one given, or all of a folder.

    Raises:
        DataError: the folder holds none.
    """
    path = Path(source)
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise DataError(f"{path}: holds no .parquet file; expected games made by `ks generate`")
    return files


def read_about(path: Path) -> dict[str, Any]:
    """What a file says of its games: `schema`, `config`, `versions` and `fingerprints`.

    Raises:
        DataError: as for `read_games`.
    """
    with _opened(path) as file:
        return _about(path, file)


def read_games(source: Path | str) -> Iterator[Games]:
    """The games of a data set, a row group at a time.

    Args:
        source: a file or a folder of files.

    Raises:
        DataError: a file is of another kind, damaged, or of another version of the schema.
        OSError: it cannot be read.
    """
    for path in files_of(source):
        with _opened(path) as file:
            _about(path, file)
            for group in range(file.num_row_groups):
                try:
                    table = file.read_row_group(group)
                except (pa.ArrowException, OSError) as error:
                    raise DataError(f"{path}: is damaged in row group {group}: {error}") from error
                yield _games_of(str(path), table)


def _opened(path: Path) -> parquet.ParquetFile:
    if not path.exists():
        raise DataError(f"{path}: no such file; expected games made by `ks generate`")
    try:
        return parquet.ParquetFile(path, page_checksum_verification=True)
    except pa.ArrowException as error:
        raise DataError(f"{path}: is not a Parquet file, or is damaged: {error}") from error


def _about(path: Path, file: parquet.ParquetFile) -> dict[str, Any]:
    schema = file.schema_arrow
    try:
        about: dict[str, Any] = json.loads((schema.metadata or {})[KEY])
        version = about["schema"]
    except (KeyError, ValueError, TypeError) as error:
        raise DataError(
            f"{path}: is not a data set of games; expected a file made by `ks generate`"
        ) from error
    if version != VERSION:
        raise DataError(f"{path}: has the schema {version}; this version reads {VERSION}")
    for field in COLUMNS:
        at = schema.get_field_index(field.name)
        if at < 0 or schema.field(at).type != field.type:
            found = "is missing" if at < 0 else f"is {schema.field(at).type}"
            raise DataError(f"{path}: the column {field.name!r} {found}; expected {field.type}")
    return about


def _games_of(source: str, table: pa.Table) -> Games:
    """A row group as arrays."""
    columns = {name: table[name].combine_chunks() for name in COLUMNS.names}
    for name in FILLED:
        if columns[name].null_count:
            number = columns["number"][columns[name].is_null().index(True).as_py()]
            raise DataError(f"{source}: game {number}: {name} is null; expected a value in every row")
    plain = {name: columns[name].to_pylist() for name in (*FILLED, "declared", "fault")}
    numbers = np.array(plain["number"], np.int64)
    made, tries = _flat(columns["tries"])
    first = np.concatenate([[0], np.cumsum(made)])
    labels, noise, counts = (
        _like_tries(source, numbers, made, name, columns[name], default)
        for name, default in (("labels", UNASKED), ("noise", False), ("value_counts", 0))
    )
    first_values = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    value_tries, values = _weighed(source, numbers, first_values[first], columns)
    _check_range(source, "tries", tries, 0)
    _check_range(source, "labels", labels, UNASKED)
    _check_range(source, "value_tries", value_tries, 0)
    return Games(
        source=source,
        numbers=numbers,
        settings=_settings_of(source, plain),
        fens=plain["fen"],
        men=list(zip(plain["white_men"], plain["black_men"], strict=True)),
        players=list(zip(plain["white"], plain["black"], strict=True)),
        results=np.array(plain["result"], np.int8),
        reasons=plain["reason"],
        faults=plain["fault"],
        plies=np.array(plain["plies"], np.int32),
        first=first,
        tries=tries,
        labels=labels,
        noise=noise,
        first_values=first_values,
        value_tries=value_tries,
        values=values,
    )


def _settings_of(source: str, plain: Mapping[str, list[Any]]) -> list[Setting]:
    names = ("game", "rules", "hidden_start", "declared")
    try:
        return [
            Setting(game_named(game).id, rules_of(rules), hidden, tuple(declared or ()))
            for game, rules, hidden, declared in zip(*(plain[name] for name in names), strict=True)
        ]
    except ValueError as error:
        raise DataError(f"{source}: {error}") from error


def _like_tries(
    source: str,
    numbers: npt.NDArray[np.int64],
    made: npt.NDArray[np.int64],
    name: str,
    column: pa.ListArray,
    default: Any,
) -> npt.NDArray[Any]:
    """A column with an entry for each of the `made: i8[G]` tries of a game; the default where it is null."""
    lengths, flat = _flat(column)
    given = column.is_valid().to_numpy(zero_copy_only=False)
    wrong = np.flatnonzero(given & (lengths != made))
    if len(wrong):
        g = wrong[0]
        raise DataError(
            f"{source}: game {numbers[g]}: has {lengths[g]} {name}; expected one for each of its"
            f" {made[g]} tries"
        )
    out = np.full(made.sum(), default, flat.dtype)
    out[np.repeat(given, made)] = flat
    return out


def _weighed(
    source: str,
    numbers: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    columns: Mapping[str, pa.ListArray],
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.float16]]:
    """The tries that were weighed and their values; those of game g begin at `first[g]`, i8[G + 1]."""
    tries_kept, tries = _flat(columns["value_tries"])
    kept, values = _flat(columns["values"])
    expected = np.diff(first)
    wrong = np.flatnonzero((kept != expected) | (tries_kept != expected))
    if len(wrong):
        g = wrong[0]
        raise DataError(
            f"{source}: game {numbers[g]}: has {kept[g]} values of {tries_kept[g]} tries;"
            f" expected {expected[g]} by its value_counts"
        )
    return tries, values


def _check_range(source: str, name: str, flat: npt.NDArray[np.int16], least: int) -> None:
    if len(flat) and not least <= flat.min() <= flat.max() < TRIES:
        raise DataError(f"{source}: {name} has {flat.min()} to {flat.max()}; expected {least} to {TRIES - 1}")


def _flat(column: pa.ListArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Lengths of the lists, i8[G], 0 where one is null, and all of their entries."""
    lengths = pc.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False)
    return lengths.astype(np.int64), column.flatten().to_numpy(zero_copy_only=False)
