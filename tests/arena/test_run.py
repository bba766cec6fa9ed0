"""Whole studies: killed, resumed, played by one worker or several, stopped by a sequential test."""

import contextlib
import io
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest
from ks_arena.report import write_report
from ks_arena.sections import ConfigError, dump_section
from ks_arena.statistics.sprt import SprtVerdict
from ks_arena.study.config import StudyConfig
from ks_arena.study.run import run_study
from ks_arena.study.store import Store
from ks_arena.study.study import Study
from ks_arena.work.database import alone
from rich.console import Console

from tests.arena.standing import one_worker
from tests.arena.test_play import HERE, facts

SHORT = {"max_plies": 60}
PLAY = (
    "import sys; from pathlib import Path; from ks_arena.study.config import load_study;"
    "from ks_arena.study.run import run_study; from ks_env.players.trust import allow;"
    "allow(everything=True);"
    "run_study(load_study(sys.argv[1]), Path(sys.argv[2]), workers=2)"
)


def config(*players: str, **keys: Any) -> StudyConfig:
    entries = [{"player": name, "label": f"{'ABCDE'[i]}"} for i, name in enumerate(players)]
    usual = {"name": "test", "games": 6, "ruleset_options": SHORT, "isolated": False}
    return StudyConfig(**usual | {"tournament": {"kind": "round-robin", "players": entries}} | keys)


def run(study: StudyConfig, path: Path, **options: Any) -> Study:
    """Play a study, by the standing worker unless a test asks for workers or another engine."""
    plain = options.keys().isdisjoint({"workers", "engine"})
    with one_worker() if plain else nullcontext():
        return run_study(study, path, console=Console(file=io.StringIO()), **options)


def played(study: Study) -> list[tuple[Any, ...]]:
    return [facts(game) for game in study.games()]


def test_a_study_gives_the_same_games_with_one_worker_and_with_two(tmp_path: Path) -> None:
    study = config("random", "capture", f"{HERE}:Shared", f"{HERE}:Raises")
    one = run(study, tmp_path / "one")
    two = run(study, tmp_path / "two", workers=2)
    assert one.finished
    assert len(one.games()) == 36
    assert played(one) == played(two)
    assert {game.reason for game in one.games()} > {"forfeit"}


def test_a_finished_study_is_not_played_again(tmp_path: Path) -> None:
    study = config("random", "capture")
    before = run(study, tmp_path / "s").games()
    assert run(study, tmp_path / "s").games() == before  # clocks and all


def test_a_study_that_was_killed_many_times_has_every_game_once(tmp_path: Path) -> None:
    study = config("random", "capture", f"{HERE}:Counting", games=20)
    file = tmp_path / "study.yaml"
    file.write_text(dump_section(study))
    path = tmp_path / "killed"
    command = [sys.executable, "-c", PLAY, str(file), str(path)]
    chance = random.Random(1)
    kills, seen = 0, 0
    while kills < 2:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        wait_for_games(path, seen + 1, process)
        time.sleep(chance.uniform(0, 0.1))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        seen = count(path)
        kills += 1
    assert seen < 60
    survivor = run(study, path)
    assert survivor.finished
    assert len({game.key for game in survivor.games()}) == len(survivor.games()) == 60
    assert played(survivor) == played(run(study, tmp_path / "whole"))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    """In the midst of a player's thought, and though nobody tells them."""
    study = config(f"{HERE}:Hangs", "random", games=4, limits={"seconds_a_move": 100})
    file = tmp_path / "study.yaml"
    file.write_text(dump_section(study))
    parent = subprocess.Popen([sys.executable, "-c", PLAY, str(file), str(tmp_path / "s")])
    try:
        end = time.monotonic() + 240
        while len(workers := children(parent.pid)) < 2:
            assert time.monotonic() < end, "there are no workers"
            time.sleep(0.1)
        time.sleep(1)  # they import, or think
    finally:
        parent.kill()
        parent.wait()
    end = time.monotonic() + 60
    while left := [each for each in workers if alive(each)]:
        assert time.monotonic() < end, f"{left} are left"
        time.sleep(0.1)


def children(pid: int) -> list[int]:
    """Worker processes, without the one that looks after shared memory."""
    found = []
    with contextlib.suppress(OSError):  # a thread or a process ends while it is looked at
        for each in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in each.read_text().split():
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(int(child))
    return found


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # a zombie has ended: nobody here has asked how


def test_a_study_that_was_moved_is_gone_on_with(tmp_path: Path) -> None:
    begun, moved = tmp_path / "a" / "study.sqlite", tmp_path / "b" / "study.sqlite"
    first = config("random", "capture", games=2)
    run(first, begun)
    (tmp_path / "a").rename(tmp_path / "b")
    with closing(sqlite3.connect(moved)) as base:
        base.execute("DELETE FROM games WHERE leg = 1")
        base.commit()
    study = run(first, moved)
    assert study.finished
    write_report(Study.read(moved), moved.parent)
    assert (moved.parent / "report.md").exists()
    assert not begun.exists()


def count(path: Path) -> int:
    if not Store.is_begun(path):
        return 0
    with closing(sqlite3.connect(path)) as base:
        tables = base.execute("SELECT count(*) FROM sqlite_master WHERE name = 'games'").fetchone()[0]
        return base.execute("SELECT count(*) FROM games").fetchone()[0] if tables else 0


def wait_for_games(path: Path, games: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while count(path) < games and process.poll() is None:
        assert time.monotonic() < end, "no game is played"
        time.sleep(0.01)


def test_a_worker_that_is_killed_costs_no_game(tmp_path: Path) -> None:
    once = tmp_path / "died"
    study = config("random", f"{HERE}:Dies:once={str(once)!r}")
    whole = run(study, tmp_path / "s")
    assert once.exists()
    assert whole.finished
    assert not [game for game in whole.games() if game.fault]


def test_the_study_goes_on_after_a_player_that_hangs(tmp_path: Path) -> None:
    study = config(f"{HERE}:Hangs", "random", games=2, limits={"seconds_a_move": 0.2})
    games = run(study, tmp_path / "s").games()
    assert [game.reason for game in games] == ["forfeit", "forfeit"]
    assert all("did not come back" in (game.fault or "") for game in games)


def test_a_sequential_test_stops_at_the_same_pair_with_any_number_of_workers(tmp_path: Path) -> None:
    # The one loses every game, so that the test decides soon.
    study = config("random", f"{HERE}:Raises", games=200, sprt={"elo0": 0, "elo1": 100})
    one = run(study, tmp_path / "one")
    two = run(study, tmp_path / "two", workers=2)
    stop = one.verdict(0)
    assert stop is not None
    assert stop.accepted == "H1"
    assert stop.stopped_at < 100
    assert two.verdict(0) == stop
    assert played(one) == played(two)
    assert len(one.games()) == 2 * stop.stopped_at == one.expected_games
    assert one.finished
    assert run(study, tmp_path / "one").verdict(0) == stop


def test_a_stopped_test_survives_a_restart_in_the_middle(tmp_path: Path) -> None:
    study = config("random", f"{HERE}:Raises", games=200, sprt={"elo0": 0, "elo1": 100})
    whole = run(study, tmp_path / "whole")
    # A file with the first games only, as a kill leaves it.
    with closing(Store.create(tmp_path / "part", study, {})) as store:
        for game in whole.games()[:5]:
            store.add(game)
    part = run(study, tmp_path / "part")
    assert part.verdict(0) == whole.verdict(0)
    assert played(part) == played(whole)


def test_another_study_in_the_file_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "s"
    before = run(config("random", "capture"), path).games()
    with pytest.raises(ConfigError, match="holds a study with another seed and games; use --restart"):
        run(config("random", "capture", seed=2, games=8), path)
    assert Study.read(path).games() == before
    again = run(config("random", "capture", seed=2), path, restart=True)
    assert len(again.games()) == 6
    assert again.games() != before


def test_restart_throws_away_nothing_but_a_study(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("precious")
    with pytest.raises(ConfigError, match="is not a study"):
        run(config("random", "capture"), path, restart=True)
    assert path.read_text() == "precious"


def test_a_changed_model_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    run(config("random", "capture"), path)
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE study SET value = ? WHERE key = 'fingerprints'", ('{"A": "what it was"}',))
        base.commit()
    with pytest.raises(ConfigError, match="the file of player 'A' has changed"):
        run(config("random", "capture"), path)


def test_a_decision_stands_though_another_version_would_decide_otherwise(tmp_path: Path) -> None:
    study = config("random", f"{HERE}:Raises", games=200, sprt={"elo0": 0, "elo1": 100})
    path = tmp_path / "s"
    stop = run(study, path).verdict(0)
    assert stop is not None
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE stops SET pairs = ?, verdict = 'H0'", (stop.stopped_at - 2,))
        base.commit()
    again = run(study, path)
    assert again.verdict(0) == SprtVerdict("H0", stop.stopped_at - 2, stop.llr)
    assert again.finished
    with closing(sqlite3.connect(path)) as base:
        base.execute("DELETE FROM stops")
        base.commit()
    assert run(study, path).verdict(0) == stop


def test_two_processes_cannot_play_one_study(tmp_path: Path) -> None:
    with alone(tmp_path / ".s.lock", ""), pytest.raises(ConfigError, match="another process is playing"):
        run(config("random", "capture"), tmp_path / "s")


@pytest.mark.parametrize(
    ("players", "options", "fault"),
    [
        (("random", "nobody"), {}, "nobody"),
        (("random", "random:depth=3"), {}, "depth"),
        (("random", f"{HERE}:Nobody"), {}, "Nobody"),
        (("random", "capture"), {"workers": 0}, "--workers is 0; expected 1 or more"),
        (("random", "capture"), {"engine": "slurm"}, "--engine is 'slurm'; expected processes or ray"),
    ],
)
def test_what_cannot_be_run_is_told_before_anything_is_made(
    tmp_path: Path, players: tuple[str, str], options: dict[str, Any], fault: str
) -> None:
    with pytest.raises(ConfigError, match=fault):
        run(config(*players), tmp_path / "s", **options)
    assert not (tmp_path / "s").exists()
