"""What plays games, many at a time: processes of this machine, or a Ray cluster.

An engine takes jobs as it needs them and gives results as they come, in any order; every now and then it
gives None, so that whoever waits can look up.
"""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from queue import SimpleQueue
from typing import Protocol

from ks_arena.match.result import GameResult
from ks_arena.sections import ConfigError
from ks_arena.study.schedule import GameJob
from ks_arena.work.table import Table

BREATH = 0.2  # seconds


class Engine(Protocol):
    """Plays games, many at a time."""

    def run(self, jobs: Iterator[GameJob]) -> Generator[GameResult | None, None, None]:
        """Play the jobs; they are drawn from the iterator when there is room for them."""
        ...


class Processes:
    """Worker processes of this machine.

    Args:
        workers: how many games are played at once.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, jobs: Iterator[GameJob]) -> Generator[GameResult | None, None, None]:
        """Play the jobs; closing the iterator ends the games in play."""
        tables = [Table() for _ in range(self.workers)]
        free: SimpleQueue[Table] = SimpleQueue()
        for table in tables:
            free.put(table)

        def play(job: GameJob) -> GameResult:
            table = free.get()
            try:
                return table.play(job)
            finally:
                free.put(table)

        threads = ThreadPoolExecutor(self.workers)
        try:
            yield from _in_turn(lambda job: threads.submit(play, job), jobs, self.workers)
        finally:
            for table in tables:
                table.close()
            threads.shutdown(cancel_futures=True)
            for table in tables:
                table.clear()


def _in_turn(
    submit: Callable[[GameJob], Future[GameResult]], jobs: Iterator[GameJob], workers: int
) -> Iterator[GameResult | None]:
    """Keep every worker busy and one job more in waiting."""
    running = {submit(job) for job in islice(jobs, workers + 1)}
    while running:
        done, running = wait(running, timeout=BREATH, return_when=FIRST_COMPLETED)
        if not done:
            yield None
        running |= {submit(job) for job in islice(jobs, len(done))}
        for future in done:
            yield future.result()


def make_engine(name: str, workers: int) -> Engine:
    """The engine of that name: "processes" or "ray".

    Raises:
        ConfigError: no such engine, no workers, or Ray is not installed.
    """
    if workers < 1:
        raise ConfigError(f"--workers is {workers}; expected 1 or more")
    if name == "processes":
        return Processes(workers)
    if name == "ray":
        from ks_arena.work.ray_engine import RayEngine

        return RayEngine(workers)
    raise ConfigError(f"--engine is {name!r}; expected processes or ray")
