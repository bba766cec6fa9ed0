"""Files of SQLite: made whole or not at all, thrown away whole, and held by one process at a time."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from ks_arena.sections import ConfigError
from ks_env.core.files import put_in_place

BESIDE = ("-journal", "-wal", "-shm")  # what SQLite may leave beside a file


def create(path: Path, application: int, statements: Iterable[tuple[str, tuple[Any, ...]]]) -> None:
    """Make a file under another name, so that a kill leaves either nothing or all of it.

    Args:
        path: the file.
        application: the number by which its kind is known.
        statements: what is executed in it, with arguments.

    Raises:
        ConfigError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.new")
    aside.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(aside, timeout=60, isolation_level=None)) as base:
            base.execute("BEGIN EXCLUSIVE")
            for statement, arguments in statements:
                base.execute(statement, arguments)
            base.execute(f"PRAGMA application_id = {application}")
            base.execute("COMMIT")
        put_in_place(aside, path)
    except sqlite3.Error as error:
        raise ConfigError(f"{path}: cannot be written: {error}") from error
    finally:
        aside.unlink(missing_ok=True)


def discard(path: Path) -> None:
    """Remove a file and what SQLite may have left beside it, the file last."""
    for ending in (*BESIDE, ""):
        path.with_name(path.name + ending).unlink(missing_ok=True)


@contextmanager
def alone(file: Path, fault: str) -> Iterator[None]:
    """Hold this file for the time of the block, by a lock that does not outlive its process.

    Raises:
        ConfigError: another process holds it; `fault` says so.
        OSError: it cannot be made.
    """
    try:
        lock = sqlite3.connect(file, timeout=0, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise OSError(f"{file}: {error}") from error
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise ConfigError(fault) from error
            raise OSError(f"{file}: {error}") from error
        yield
