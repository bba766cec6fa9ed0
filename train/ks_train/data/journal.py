"""Games as they are played, kept so that a kill costs none of them: SQLite, one transaction a game."""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from ks_arena.sections import ConfigError
from ks_arena.work.database import create

from ks_train.data.schema import COLUMNS, VERSION, table_of

APPLICATION = 0x6B736474  # "ksdt": PRAGMA application_id of a journal


class Journal:
    """The games of a data set that have been played.

    Args:
        path: the file; it has to be there.

    Raises:
        ConfigError: it is not a journal, or of another version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._base = sqlite3.connect(path, timeout=60, isolation_level=None)
            found = self._base.execute("PRAGMA application_id").fetchone()[0]
            if found != APPLICATION:
                raise ConfigError(f"{path}: is not a journal of `ks generate`")
            version = self.about.get("schema")
            if version != VERSION:
                raise ConfigError(f"{path}: has the schema {version}; this version reads {VERSION}")
            # A commit waits for the disk: a loss of power, too, costs at most the game in play.
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = FULL")
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes what it cannot read
            raise ConfigError(f"{path}: is not a journal, or is damaged: {error}") from error

    @classmethod
    def create(cls, path: Path, about: Mapping[str, Any]) -> "Journal":
        """Make the journal of a new data set; `about` describes it, in JSON types."""
        statements: list[tuple[str, tuple[str, ...]]] = [
            ("CREATE TABLE about (text TEXT NOT NULL)", ()),
            ("CREATE TABLE games (number INTEGER PRIMARY KEY, row BLOB NOT NULL)", ()),
            ("INSERT INTO about VALUES (?)", (json.dumps({"schema": VERSION, **about}),)),
        ]
        create(path, APPLICATION, statements)
        return cls(path)

    @property
    def about(self) -> dict[str, Any]:
        """What is said of the data set, and the version of the schema."""
        row = self._base.execute("SELECT text FROM about").fetchone()
        try:
            found: Any = json.loads(row[0]) if row else None
        except (ValueError, TypeError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise ConfigError(f"{self.path}: is damaged: it does not say which data set it is the journal of")
        return found

    def add(self, row: Mapping[str, Any]) -> None:
        """Keep a game, a row of `COLUMNS`."""
        batch = table_of([row]).to_batches()[0]
        data = zlib.compress(batch.serialize().to_pybytes())
        self._base.execute("INSERT OR REPLACE INTO games VALUES (?, ?)", (row["number"], data))

    def numbers(self, below: int) -> set[int]:
        """The numbers of the games that are there, below this one."""
        rows = self._base.execute("SELECT number FROM games WHERE number < ?", (below,))
        return {number for (number,) in rows}

    def games(self, below: int) -> Iterator[pa.RecordBatch]:
        """The games with numbers below this one in their order, one row each."""
        for (data,) in self._base.execute("SELECT row FROM games WHERE number < ? ORDER BY number", (below,)):
            yield pa.ipc.read_record_batch(pa.py_buffer(zlib.decompress(data)), COLUMNS)

    def close(self) -> None:
        """Close the file."""
        self._base.close()
