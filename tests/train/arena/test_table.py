"""The table: games in a process of their own, which may hang or die."""

import os
import signal
import threading
import time
from contextlib import closing

import pytest

from tests.train.arena.test_play import HERE, facts, jobs
from train.arena.play import play_game
from train.arena.table import Table, TableClosedError


@pytest.fixture
def table():
    with closing(Table()) as table:
        yield table


def test_a_table_plays_the_same_games_as_this_process(table):
    for job in jobs("random", "capture", pairs=2):
        assert facts(table.play(job)) == facts(play_game(job))


def test_a_player_that_never_comes_back_forfeits_and_the_table_goes_on(table):
    hangs, other = jobs(f"{HERE}:Hangs", "random", limits={"seconds_a_move": 0.3})
    result = table.play(hangs)
    assert (result.outcome, result.reason) == (-1, "forfeit")
    assert result.fault is not None
    assert "did not come back" in result.fault
    assert result.work[0].moves == 2  # what was tried before is kept
    assert result.work[0].slowest > 0.3
    assert table.play(other).outcome == 1
    assert table.play(jobs("random", "random")[0]).fault is None


def test_getting_ready_has_a_limit_of_its_own(table, monkeypatch):
    monkeypatch.setattr("train.arena.table.PREPARING", 0.3)
    job = jobs("random", f"{HERE}:Hangs:where='begin'", limits={"seconds_a_move": 0.1})[0]
    result = table.play(job)
    assert (result.outcome, result.reason) == (1, "forfeit")
    assert result.fault is not None
    assert result.fault.startswith("was not ready for the game in 0.")
    assert (result.actions, result.work[1].slowest) == (b"", 0)


def test_a_player_that_always_brings_its_process_down_forfeits(table):
    job = jobs("random", f"{HERE}:Dies", limits={"deaths": 2})[0]
    result = table.play(job)
    assert (result.outcome, result.reason, result.fault) == (1, "forfeit", "brought down 2 worker processes")


def test_a_game_whose_process_died_once_is_played_again(table, tmp_path):
    once = tmp_path / "died"
    name = f"{HERE}:Dies:once={str(once)!r}"
    result = table.play(jobs(name, "random")[0])
    assert once.exists()
    assert result.fault is None
    assert facts(result) == facts(table.play(jobs(name, "random")[0]))


def test_a_worker_that_is_killed_from_outside_is_replaced(table):
    job = jobs("random", f"{HERE}:Slow:seconds=1")[0]
    expected = facts(table.play(job))
    killed = []

    def kill() -> None:
        time.sleep(0.5)
        killed.append(table.pid)
        os.kill(table.pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    assert facts(table.play(job)) == expected
    thread.join()
    assert table.pid not in killed


def test_closing_ends_the_game_in_play_and_the_process():
    table = Table()
    seen = []

    def close() -> None:
        seen.append(table.pid)
        table.close()

    threading.Timer(1.5, close).start()
    with pytest.raises(TableClosedError):
        table.play(jobs(f"{HERE}:Hangs", "random", limits={"seconds_a_move": None})[0])
    with pytest.raises(ProcessLookupError):
        os.kill(seen[0], 0)
