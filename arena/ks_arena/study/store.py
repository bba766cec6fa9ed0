"""The file of a study: SQLite, written in transactions, so that it survives a kill at any moment.

One table holds the study itself, one the games, by their place in it: a game that is there is never played
or counted again. What a sequential test decided is written in the transaction of the game that decided it.
"""

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from ks_arena.match.result import GameResult, SeatWork
from ks_arena.sections import ConfigError, check_section
from ks_arena.statistics.sprt import SprtVerdict
from ks_arena.study.config import StudyConfig
from ks_env.record.files import settle

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
        try:
            mode = "rw" if write else "ro"
            address = f"{path.absolute().as_uri()}?mode={mode}"
            self._base = sqlite3.connect(address, uri=True, timeout=60, isolation_level=None)
            self._check()
            if not write:
                return
            # A commit then waits for no disk: a kill of the process loses nothing, a loss of power at most
            # the latest games.
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.OperationalError as error:
            raise ConfigError(f"{path}: cannot be opened: {error}") from error
        except sqlite3.DatabaseError as error:
            raise ConfigError(f"{path}: is not a study or is damaged: {error}") from error

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
        path.parent.mkdir(parents=True, exist_ok=True)
        values = {
            "schema": str(SCHEMA_VERSION),
            "config": config.model_dump_json(),
            "fingerprints": json.dumps(fingerprints, sort_keys=True),
        }
        # Made under another name: a kill leaves either nothing or a whole study.
        aside = path.with_name(f".{path.name}.new")
        aside.unlink(missing_ok=True)
        with closing(sqlite3.connect(aside, timeout=60, isolation_level=None)) as base:
            base.execute("BEGIN EXCLUSIVE")
            for statement in filter(str.strip, SCHEMA.split(";")):
                base.execute(statement)
            base.execute(f"PRAGMA application_id = {APPLICATION}")
            base.executemany("INSERT INTO study VALUES (?, ?)", values.items())
            base.execute("COMMIT")
        settle(aside, path)
        return cls(path, write=True)

    @staticmethod
    def is_begun(path: Path) -> bool:
        """Whether there is anything in the file."""
        return path.exists() and path.stat().st_size > 0

    def value(self, key: str) -> str:
        """What is kept of the study under this key."""
        row = self._base.execute("SELECT value FROM study WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise ConfigError(f"{self.path}: is damaged: it lacks {key!r}")
        return str(row[0])

    @property
    def config(self) -> StudyConfig:
        """The config of the study."""
        return check_section(StudyConfig, json.loads(self.value("config")), str(self.path))

    @property
    def fingerprints(self) -> dict[str, str]:
        """Digests of the players' files by label."""
        found: dict[str, str] = json.loads(self.value("fingerprints"))
        return found

    def add(self, game: GameResult, stops: Mapping[int, SprtVerdict]) -> None:
        """Keep a game, and the stop of its pairing that it brought about, in one transaction."""
        self._base.execute("BEGIN IMMEDIATE")
        try:
            row = self._row_of(game)
            self._base.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
            for pairing, stop in stops.items():
                self.add_stop(pairing, stop)
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

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
            *_columns(game.work[0]),
            *_columns(game.work[1]),
            game.seconds,
            zlib.compress(game.actions),
            self._versions_id(game.versions),
        )

    def _versions_id(self, text: str) -> int:
        self._base.execute("INSERT OR IGNORE INTO versions (text) VALUES (?)", (text,))
        return int(self._base.execute("SELECT id FROM versions WHERE text = ?", (text,)).fetchone()[0])

    def keys(self) -> set[tuple[int, int, int]]:
        """The places of all games that are there."""
        return set(self._base.execute("SELECT pairing, pair, leg FROM games"))

    def stops(self) -> dict[int, SprtVerdict]:
        """Where sequential tests have stopped, by pairing."""
        rows = self._base.execute("SELECT pairing, pairs, verdict, llr FROM stops")
        return {pairing: SprtVerdict(verdict, pairs, llr) for pairing, pairs, verdict, llr in rows}

    def games(self, pairing: int | None = None, *, surplus: bool = False) -> Iterator[GameResult]:
        """Games in the order of the schedule: those that count, and with `surplus` the others too."""
        versions = dict(self._base.execute("SELECT id, text FROM versions"))
        counted = "" if surplus else "AND (stops.pairs IS NULL OR games.pair < stops.pairs)"
        only = "" if pairing is None else f"AND games.pairing = {int(pairing)}"
        rows = self._base.execute(
            "SELECT games.* FROM games LEFT JOIN stops ON games.pairing = stops.pairing"
            f" WHERE 1 {counted} {only} ORDER BY games.pairing, games.pair, games.leg"
        )
        for row in rows:
            yield _game_of(row, versions)

    def close(self) -> None:
        """Close the file; one that was written to stands alone then, and is read where nobody may write."""
        if self._write:
            with contextlib.suppress(sqlite3.OperationalError):  # somebody reads it just now
                self._base.execute("PRAGMA journal_mode = DELETE")
        self._base.close()


def _columns(work: SeatWork) -> tuple[Any, ...]:
    return work.moves, work.tries, work.seconds, work.slowest, work.nodes


def _game_of(row: Any, versions: dict[int, str]) -> GameResult:
    works = (SeatWork(*row[13:18]), SeatWork(*row[18:23]))
    values: Any = (*row[:13], works, row[23], zlib.decompress(row[24]), versions[row[25]])
    return GameResult(*values)
