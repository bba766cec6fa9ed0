"""Games on a local Ray cluster of two workers: the same as here, though one of them is killed."""

import io
import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from ks_arena.match.play import play_game
from ks_arena.study.run import run_study
from rich.console import Console

from tests.arena.test_play import HERE, facts, jobs
from tests.arena.test_run import config, played, run
from tests.train.data.made import make

ray = pytest.importorskip("ray")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    """The cluster that an engine starts for itself; it stays until that engine is closed."""
    from ks_arena.work.ray_engine import RayEngine

    with closing(RayEngine(2).run(iter(jobs("random", "capture")))) as games:
        next(games)
        assert ray.is_initialized()
        yield
    assert not ray.is_initialized()


def a_busy_worker() -> int:
    """One of Ray's worker processes that plays a game just now."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for folder in filter(str.isdigit, os.listdir("/proc")):
            try:
                if b"ray::_play" in Path("/proc", folder, "cmdline").read_bytes():
                    return int(folder)
            except OSError:  # it has ended meanwhile
                continue
        time.sleep(0.01)
    raise AssertionError("no worker of Ray plays")


def test_a_study_is_the_same_on_ray(tmp_path: Path) -> None:
    study = config("random", "capture", f"{HERE}:Raises")
    here = run(study, tmp_path / "here")
    there = run_study(study, tmp_path / "there", workers=2, engine="ray", console=Console(file=io.StringIO()))
    assert there.finished
    assert played(there) == played(here)


def test_a_data_set_is_the_same_on_ray(tmp_path: Path) -> None:
    here = make(tmp_path / "here.parquet")
    there = make(tmp_path / "there.parquet", engine="ray")
    assert here.path.read_bytes() == there.path.read_bytes()


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="finds Ray's workers in /proc")
def test_ray_plays_the_same_games_though_a_worker_is_killed() -> None:
    from ks_arena.work.ray_engine import RayEngine

    slow = f"{HERE}:Slow:seconds=0.3"
    all_jobs = jobs(slow, "capture", pairs=4, ruleset_options={"max_plies": 40})
    killed = 0
    results = []
    with closing(RayEngine(2).run(iter(all_jobs))) as games:
        for game in filter(None, games):
            results.append(game)
            if len(results) == 3:
                killed = a_busy_worker()
                os.kill(killed, signal.SIGKILL)
    assert killed
    assert sorted(map(facts, results)) == sorted(facts(play_game(job)) for job in all_jobs)
