"""The table: games in a process of their own, which may hang or die."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ks_arena.match.play import play_game
from ks_arena.sections import ConfigError
from ks_arena.work.table import Table, TableClosedError, surroundings

from tests.arena.test_play import HERE, facts, jobs


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    """One for all tests, as for all games of a study: a worker takes two seconds to start."""
    with closing(Table()) as table:
        yield table


def test_a_table_plays_the_same_games_as_this_process(table: Table) -> None:
    for job in jobs("random", "capture", pairs=2):
        assert facts(table.play(job)) == facts(play_game(job))


def test_a_player_that_never_comes_back_forfeits_and_the_table_goes_on(table: Table) -> None:
    hangs, other = jobs(f"{HERE}:Hangs", "random", limits={"seconds_a_move": 0.3})
    result = table.play(hangs)
    assert (result.outcome, result.reason) == (-1, "forfeit")
    assert result.fault is not None
    assert "did not come back" in result.fault
    assert result.work[0].moves == 2  # what was tried before is kept
    assert result.work[0].slowest > 0.3
    assert table.play(other).outcome == 1
    assert table.play(jobs("random", "random")[0]).fault is None


def test_getting_ready_has_a_limit_of_its_own(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ks_arena.work.table.PREPARING", 0.3)
    job = jobs("random", f"{HERE}:Hangs:where='begin'", limits={"seconds_a_move": 0.1})[0]
    result = table.play(job)
    assert (result.outcome, result.reason) == (1, "forfeit")
    assert result.fault is not None
    assert result.fault.startswith("was not ready for the game in 0.")
    assert (result.actions, result.work[1].slowest) == (b"", 0)


def test_a_player_that_always_brings_its_process_down_forfeits(table: Table) -> None:
    job = jobs("random", f"{HERE}:Dies", limits={"deaths": 2})[0]
    result = table.play(job)
    assert (result.outcome, result.reason, result.fault) == (1, "forfeit", "brought down 2 worker processes")


def test_a_game_whose_process_died_once_is_played_again(table: Table, tmp_path: Path) -> None:
    once = tmp_path / "died"
    name = f"{HERE}:Dies:once={str(once)!r}"
    result = table.play(jobs(name, "random")[0])
    assert once.exists()
    assert result.fault is None
    assert facts(result) == facts(table.play(jobs(name, "random")[0]))


def test_a_worker_that_is_killed_from_outside_is_replaced(table: Table) -> None:
    job = jobs("random", f"{HERE}:Slow:seconds=1")[0]
    expected = facts(table.play(job))
    killed = []

    def kill() -> None:
        time.sleep(0.5)
        killed.append(table.pid)
        assert table.pid is not None
        os.kill(table.pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    assert facts(table.play(job)) == expected
    thread.join()
    assert table.pid not in killed


def test_a_player_is_not_charged_for_a_machine_that_stood_still(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ks_arena.work.table.STANDSTILL", -10)  # every look comes too late
    once = tmp_path / "late"
    job = jobs(f"{HERE}:LateOnce:once={str(once)!r}", "random", limits={"seconds_a_move": 0.3})[0]
    result = table.play(job)
    assert once.exists()
    assert result.fault is None


def test_a_late_player_is_charged_otherwise(table: Table, tmp_path: Path) -> None:
    once = tmp_path / "late"
    job = jobs(f"{HERE}:LateOnce:once={str(once)!r}", "random", limits={"seconds_a_move": 0.3})[0]
    assert table.play(job).reason == "forfeit"


def test_an_interrupt_raised_by_a_player_is_its_fault(table: Table) -> None:
    result = table.play(jobs(f"{HERE}:Baffles:how=interrupt", "random")[0])
    assert result.fault == "raised KeyboardInterrupt:"


def test_what_is_no_players_fault_ends_the_study(table: Table) -> None:
    job = replace(jobs("random", "capture")[0], prints=(None, "what it was"))
    with pytest.raises(ConfigError, match="the file of player 'B' has changed"):
        table.play(job)
    assert table.play(jobs("random", "capture")[0]).fault is None  # the worker goes on


def test_processes_of_a_player_end_with_its_worker(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "pid"
    job = jobs(f"{HERE}:StartsAProcess:file={str(file)!r}", "random", limits={"seconds_a_move": 0.1})[0]
    assert table.play(job).reason == "forfeit"
    end = time.monotonic() + 10
    while Path(f"/proc/{file.read_text()}/cmdline").exists() and time.monotonic() < end:
        if not Path(f"/proc/{file.read_text()}/cmdline").read_bytes():
            break  # ended, and only waits for somebody to ask
        time.sleep(0.05)
    assert time.monotonic() < end


def test_games_hang_on_their_seeds_alone_not_on_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "seeds_on_import.py").write_text(
        "import random\nrandom.seed(42)\nfrom tests.arena.players import Shared\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    pairs = [jobs(name, "random") for name in ("seeds_on_import:Shared", f"{HERE}:WalksThroughASet")]
    with closing(Table()) as one, closing(Table()) as other:  # of workers that find the module
        for first, second in pairs:
            one.play(first)
            assert facts(other.play(second)) == facts(one.play(second))


def test_surroundings_are_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with np.errstate():
        restore = surroundings()
        os.chdir("/")
        np.seterr(all="raise")
        signal.setitimer(signal.ITIMER_REAL, 60)
        restore()
        assert Path.cwd() == tmp_path
        assert np.geterr()["divide"] == "warn"
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_closing_ends_the_game_in_play_and_the_process() -> None:
    table = Table()
    seen: list[int] = []

    def close() -> None:
        assert table.pid is not None
        seen.append(table.pid)
        table.close()

    threading.Timer(1.5, close).start()
    with pytest.raises(TableClosedError):
        table.play(jobs(f"{HERE}:Hangs", "random", limits={"seconds_a_move": None})[0])
    with pytest.raises(ProcessLookupError):
        os.kill(seen[0], 0)
