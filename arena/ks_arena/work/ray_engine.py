"""The games of a study on a Ray cluster: Ray places them, and plays again what a lost worker was playing."""

import os
from collections.abc import Generator, Iterator
from itertools import islice
from typing import Any

from ks_arena.match.result import GameResult
from ks_arena.sections import ConfigError
from ks_arena.study.schedule import GameJob
from ks_arena.work.engine import BREATH
from ks_arena.work.table import Table

try:
    import ray
except ImportError as error:
    raise ConfigError('Ray is missing, which the extra "ray" brings: pip install "ks-env[ray]"') from error

_tables: list[Table] = []  # one in each of Ray's worker processes


def _play(job: GameJob) -> GameResult:
    """Play a game at this worker's table."""
    if not _tables:
        _tables.append(Table())
    return _tables[0].play(job)


class RayEngine:
    """A Ray cluster: the one that `RAY_ADDRESS` names, else one of this machine, started for the study.

    Every machine needs the same packages; a model file has to have the same path on all of them.

    Args:
        workers: how many games are played at once, one CPU of the cluster each.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, jobs: Iterator[GameJob]) -> Generator[GameResult | None, None, None]:
        """Play the jobs; closing the iterator cancels the games in play."""
        own = connect(self.workers)
        # -1: a worker or machine may be lost any number of times; a player that brings its process down is
        # for the table to handle, not for Ray.
        play = ray.remote(num_cpus=1, max_retries=-1)(_play)
        running: list[Any] = []
        try:
            running = [play.remote(job) for job in islice(jobs, self.workers + 1)]
            while running:
                done, running = ray.wait(running, num_returns=1, timeout=BREATH)
                if not done:
                    yield None
                running += [play.remote(job) for job in islice(jobs, len(done))]
                yield from _results(done)
        finally:
            for reference in running:
                ray.cancel(reference, force=True)
            if own:
                ray.shutdown()


def _results(done: list[Any]) -> list[GameResult]:
    try:
        results: list[GameResult] = ray.get(done)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None  # what the worker has said, without Ray's words around it
    return results


def connect(workers: int) -> bool:
    """Join a cluster, or start one of this machine; whether it was started or joined here."""
    if ray.is_initialized():
        return False
    # Players may live in the folder that the command was called in.
    path = os.pathsep.join(filter(None, [os.getcwd(), os.environ.get("PYTHONPATH")]))
    options: dict[str, Any] = {
        "runtime_env": {"env_vars": {"PYTHONPATH": path}},
        "log_to_driver": False,
        "logging_level": "ERROR",
    }
    address = os.environ.get("RAY_ADDRESS")
    if address:
        ray.init(address=address, **options)
    else:
        ray.init(address="local", num_cpus=workers, include_dashboard=False, **options)
    return True
