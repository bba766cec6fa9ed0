"""The file of a study: SQLite, written in transactions, so that it survives a kill at any moment.

One table holds the study itself, one the games, by their place in it: a game that is there is never played
or counted again. What a sequential test decided is written in the transaction of the game that decided it.
"""

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

from ks_arena.match.result import GameResult, SeatWork
from ks_arena.sections import ConfigError, check_section
from ks_arena.statistics.sprt import SprtVerdict
from ks_arena.study.config import StudyConfig
from ks_arena.work.database import create

FILE = "study.sqlite"  # of the study in the folder of a run
APPLICATION = 0x6B73656E  # "ksen": PRAGMA application_id of a study's file
SCHEMA_VERSION = 1

SCHEMA = """
CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE versions (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE games (
    pairing INTEGER NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL,
    white TEXT NOT NULL, black TEXT NOT NULL,
    white_seed INTEGER NOT NULL, black_seed INTEGER NOT NULL, start_fen TEXT NOT NULL,
    outcome INTEGER NOT NULL, reason TEXT NOT NULL, fault TEXT,
    plies INTEGER NOT NULL, spoken INTEGER NOT NULL,
    white_moves INTEGER NOT NULL, white_tries INTEGER NOT NULL,
    white_seconds REAL NOT NULL, white_slowest REAL NOT NULL, white_nodes INTEGER,
    black_moves INTEGER NOT NULL, black_tries INTEGER NOT NULL,
    black_seconds REAL NOT NULL, black_slowest REAL NOT NULL, black_nodes INTEGER,
    seconds REAL NOT NULL, actions BLOB NOT NULL, versions INTEGER NOT NULL REFERENCES versions(id),
    PRIMARY KEY (pairing, pair, leg)
);
CREATE TABLE stops (
    pairing INTEGER PRIMARY KEY, pairs INTEGER NOT NULL, verdict TEXT NOT NULL, llr REAL NOT NULL
);
"""


INSERT_STOP = "INSERT INTO stops VALUES (?, ?, ?, ?)"
# What each column of `games` holds; a number kept as REAL comes back as a float.
WORK = (int, int, float, float, int | None)
COLUMNS: tuple[Any, ...] = (
    *(int, int, int, str, str, int, int, str, int, str, str | None, int, int),
    *(*WORK, *WORK, float, bytes, int),
)
UNREADABLE = (sqlite3.Error, zlib.error, ValueError, KeyError, TypeError, RecursionError)


def file_of_run(path: Path) -> Path:
    """The file of the study in the folder of a run, or the path itself where it is no folder."""
    return path / FILE if path.is_dir() else path


class Store:
    """A study's file.

    Args:
        path: the file; it has to be there.
        write: games are to be added.

    Raises:
        ConfigError: it is not a study, or one of another version.
    """

    def __init__(self, path: Path, *, write: bool = False) -> None:
        if not path.exists():
            raise ConfigError(f"{path}: no such study")
        self.path = path
        self._write = write
        with self._reading():
            mode = "rw" if write else "ro"
            address = f"{path.absolute().as_uri()}?mode={mode}"
            self._base = sqlite3.connect(address, uri=True, timeout=60, isolation_level=None)
            self._check()
        if write:
            with self._writing():
                # A commit waits for the disk: a loss of power, too, costs at most the game in play.
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute("PRAGMA synchronous = FULL")

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Name the file in whatever error reading it raises."""
        try:
            yield
        except ConfigError:
            raise
        except UNREADABLE as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            opened = isinstance(error, sqlite3.OperationalError)
            wrong = "cannot be read" if opened else "is not a study or is damaged"
            raise ConfigError(f"{self.path}: {wrong}: {said}") from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise ConfigError(
                f"{self.path}: cannot be written: {error}; what was kept before is there"
            ) from error

    def _check(self) -> None:
        found = self._base.execute("PRAGMA application_id").fetchone()[0]
        if found != APPLICATION:
            raise ConfigError(f"{self.path}: is not a study of the arena")
        version = int(self.value("schema"))
        if version != SCHEMA_VERSION:
            raise ConfigError(
                f"{self.path}: has the schema {version}; this version reads {SCHEMA_VERSION}: export it with"
                " the version that it was made with"
            )

    @classmethod
    def create(cls, path: Path, config: StudyConfig, fingerprints: dict[str, str]) -> "Store":
        """Make the file of a new study; `fingerprints` are those of players by label.

        Raises:
            ConfigError: the file holds something else.
        """
        if cls.is_begun(path):
            raise ConfigError(f"{path}: holds something else than a new study")
        values = {
            "schema": str(SCHEMA_VERSION),
            "config": config.model_dump_json(),
            "fingerprints": json.dumps(fingerprints, sort_keys=True),
        }
        tables = [(statement, ()) for statement in filter(str.strip, SCHEMA.split(";"))]
        rows = [("INSERT INTO study VALUES (?, ?)", item) for item in values.items()]
        create(path, APPLICATION, [*tables, *rows])
        return cls(path, write=True)

    @staticmethod
    def is_begun(path: Path) -> bool:
        """Whether there is anything in the file."""
        return path.exists() and path.stat().st_size > 0

    def value(self, key: str) -> str:
        """What is kept of the study under this key."""
        with self._reading():
            row = self._base.execute("SELECT value FROM study WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise ConfigError(f"{self.path}: is damaged: it lacks {key!r}")
        return str(row[0])

    @property
    def config(self) -> StudyConfig:
        """The config of the study."""
        with self._reading():
            return check_section(StudyConfig, json.loads(self.value("config")), str(self.path))

    @property
    def fingerprints(self) -> dict[str, str]:
        """Digests of the players' files by label."""
        with self._reading():
            return dict(json.loads(self.value("fingerprints")))

    def add(self, game: GameResult, stop: SprtVerdict | None = None) -> None:
        """Keep a game, and the stop of its pairing that it brought about, in one transaction.

        Raises:
            ConfigError: the file cannot be written; the game is not kept.
        """
        with self._writing():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                row = self._row_of(game)
                self._base.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
                if stop is not None:
                    self.add_stop(game.pairing, stop)
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:  # SQLite itself rolls back when the disk is full
                    self._base.execute("ROLLBACK")
                raise

    def add_stop(self, pairing: int, stop: SprtVerdict) -> None:
        """Keep a stop that no new game brought about."""
        self._base.execute(INSERT_STOP, (pairing, stop.stopped_at, stop.accepted, stop.llr))

    def _row_of(self, game: GameResult) -> tuple[Any, ...]:
        return (
            *game.key,
            game.white,
            game.black,
            game.white_seed,
            game.black_seed,
            game.start_fen,
            game.outcome,
            game.reason,
            game.fault,
            game.plies,
            game.spoken,
            *astuple(game.work[0]),
            *astuple(game.work[1]),
            game.seconds,
            zlib.compress(game.actions),
            self._versions_id(game.versions),
        )

    def _versions_id(self, text: str) -> int:
        self._base.execute("INSERT OR IGNORE INTO versions (text) VALUES (?)", (text,))
        return int(self._base.execute("SELECT id FROM versions WHERE text = ?", (text,)).fetchone()[0])

    def keys(self) -> set[tuple[int, int, int]]:
        """The places of all games that are there."""
        with self._reading():
            return set(self._base.execute("SELECT pairing, pair, leg FROM games"))

    def stops(self) -> dict[int, SprtVerdict]:
        """Where sequential tests have stopped, by pairing."""
        with self._reading():
            rows = self._base.execute("SELECT pairing, pairs, verdict, llr FROM stops").fetchall()
        return {pairing: SprtVerdict(verdict, pairs, llr) for pairing, pairs, verdict, llr in rows}

    def games(self, *, surplus: bool = False) -> Iterator[GameResult]:
        """Games in the order of the schedule: those that count, and with `surplus` the others too.

        Raises:
            ConfigError: one cannot be read.
        """
        with self._reading():
            yield from self._games(surplus)

    def _games(self, surplus: bool) -> Iterator[GameResult]:
        versions = dict(self._base.execute("SELECT id, text FROM versions"))
        if not all(isinstance(json.loads(text), dict) for text in versions.values()):
            raise ValueError("versions are not named")
        counted = "" if surplus else "AND (stops.pairs IS NULL OR games.pair < stops.pairs)"
        rows = self._base.execute(
            "SELECT games.* FROM games LEFT JOIN stops ON games.pairing = stops.pairing"
            f" WHERE 1 {counted} ORDER BY games.pairing, games.pair, games.leg"
        )
        for row in rows:
            yield _game_of(row, versions)

    def close(self) -> None:
        """Close the file; one that was written to stands alone then, and is read where nobody may write."""
        if self._write:
            with contextlib.suppress(sqlite3.OperationalError):  # somebody reads it just now
                self._base.execute("PRAGMA journal_mode = DELETE")
        self._base.close()


def _game_of(row: Any, versions: dict[int, str]) -> GameResult:
    """A game as it was kept.

    Raises:
        ValueError: a column holds what is never kept in it. SQLite lets any column hold anything.
    """
    if not all(isinstance(value, kind) for value, kind in zip(row, COLUMNS, strict=True)):
        raise ValueError(f"game {row[:3]} has columns of other types")
    works = (SeatWork(*row[13:18]), SeatWork(*row[18:23]))
    values: Any = (*row[:13], works, row[23], zlib.decompress(row[24]), versions[row[25]])
    game = GameResult(*values)
    if game.outcome not in (-1, 0, 1) or game.leg not in (0, 1) or min(game.pair, game.plies) < 0:
        raise ValueError(f"game {game.key} has an outcome, leg or number that there is not")
    return game
