"""Files that commands read: studies, checkpoints, journals of data sets, summaries."""

import json
import random
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from ks_arena.sections import ConfigError
from ks_arena.study.config import StudyConfig
from ks_arena.study.records import check_games
from ks_arena.study.store import Store
from ks_arena.study.study import Study
from ks_train.commands.training import read_summary
from ks_train.data.journal import Journal
from ks_train.learn.checkpoint import CheckpointError, read_state

from tests.arena.made_up import game
from tests.fuzzers import mutate
from tests.fuzzers.driver import Fuzzer

RUN = {
    **{"version": 3, "updates": 1, "python": [3, [1, 2], None], "seconds": 1.0, "cpu_seconds": 1.0},
    **{"last_progress": 0.5, "evaluations": []},
    "history": [
        {
            **{
                "timesteps": 8,
                "seconds": 1.0,
                "cpu_seconds": 1.0,
                "opponent": "random",
                "games": 1,
                "wins": 1,
            },
            **{
                "draws": 0,
                "losses": 0,
                "reward": 1.0,
                "length": 3,
                "tries_per_second": 9.0,
                "env_share": 0.5,
            },
        }
    ],
}
SUMMARY = {"name": "x", "timesteps": 8, "series": [], "evaluations": []}


@cache
def study() -> bytes:
    """The file of a study of two games."""
    players: Any = {"kind": "round-robin", "players": ["random", "capture"]}
    config = StudyConfig(name="x", tournament=players, games=4)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.sqlite"
        with closing(Store.create(path, config, {})) as store:
            for leg in (0, 1):
                store.add(game((0, 0, leg), ("random", "capture"), 0, "plies", plies=0))
        return path.read_bytes()


@cache
def journal() -> bytes:
    """An empty journal."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.journal"
        Journal.create(path, {"name": "x"}).close()
        return path.read_bytes()


def some_study(rng: random.Random) -> bytes:
    """Some bytes changed, or a value."""
    if rng.random() < 0.5:
        return mutate.binary(rng, study())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.sqlite"
        path.write_bytes(study())
        with closing(sqlite3.connect(path)) as base:
            table = rng.choice(("games", "games", "study", "versions", "stops"))
            column = rng.choice([row[1] for row in base.execute(f"PRAGMA table_info({table})")])
            value = mutate.odd(rng)
            fits = isinstance(value, (float, str, bytes)) or (isinstance(value, int) and abs(value) < 2**63)
            if not fits:
                value = json.dumps(mutate.plain(value))
            where = "WHERE key = 'config'" if table == "study" else ""
            try:
                base.execute(f"UPDATE {table} SET {column} = ? {where}", (value,))
            except sqlite3.IntegrityError:  # one value for two games
                base.execute(f"DELETE FROM {table}")
            base.commit()
        return path.read_bytes()


def at(name: str, read: Callable[[Path], object]) -> Callable[[bytes], None]:
    """What reads a file of this name that holds the bytes."""

    def call(given: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(given)
            read(path)

    return call


def read_study(path: Path) -> None:
    before = path.read_bytes()
    try:
        check_games(Study.read(path))
    finally:
        assert path.read_bytes() == before, "reading has changed the file"


def some_json(kept: Any) -> Callable[[random.Random], bytes]:
    def some(rng: random.Random) -> bytes:
        text = json.dumps(kept) if rng.random() < 0.4 else json.dumps(mutate.plain(mutate.value(rng, kept)))
        return mutate.binary(rng, text.encode()) if rng.random() < 0.4 else text.encode()

    return some


def open_journal(path: Path) -> None:
    with closing(Journal(path)) as found:
        found.about  # noqa: B018


FUZZERS = [
    Fuzzer("the file of a study", some_study, at("study.sqlite", read_study), (ConfigError,), 300),
    Fuzzer(
        "run.json of a checkpoint",
        some_json(RUN),
        at("000000000008/run.json", lambda path: read_state(path.parent)),
        (CheckpointError,),
        1000,
    ),
    Fuzzer(
        "summary.json",
        some_json(SUMMARY),
        at("summary.json", lambda path: read_summary(path.parent)),
        tests=1500,
    ),
    Fuzzer(
        "the journal of a data set",
        lambda rng: mutate.binary(rng, journal()),
        at("games.journal", open_journal),
        (ConfigError,),
        1000,
    ),
]
