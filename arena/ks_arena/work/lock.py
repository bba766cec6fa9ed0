"""One process at a time: a lock that its process cannot leave behind, whatever it dies of."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ks_arena.sections import ConfigError


@contextmanager
def alone(file: Path, fault: str) -> Iterator[None]:
    """Hold this file for the time of the block, by SQLite, which knows how each system locks files.

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
