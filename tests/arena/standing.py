"""A worker that stays from one study to the next: it takes two seconds to start one.

For tests that ask nothing of workers.
"""

from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager
from functools import cache
from unittest.mock import patch

from ks_arena.match.result import GameResult
from ks_arena.study.schedule import GameJob
from ks_arena.work.engine import Processes
from ks_arena.work.table import Table


@cache
def _table() -> Table:
    return Table()


def _run(_: Processes, jobs: Iterator[GameJob]) -> Generator[GameResult | None, None, None]:
    for job in jobs:
        try:
            result = _table().play(job)
        except BaseException:  # the worker may still be at this game: the next study gets another
            _table().close()
            _table().clear()
            _table.cache_clear()
            raise
        yield result


def one_worker() -> AbstractContextManager[object]:
    """Studies and data sets are played by the standing worker, however many workers are asked for."""
    return patch.object(Processes, "run", _run)
