"""The arena at the command line."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from ks_arena.study.store import Store
from ks_arena.study.study import Study
from ks_train.commands.main import app
from typer.testing import CliRunner

from ks_env.record import load_all
from tests.arena.standing import one_worker
from tests.arena.test_run import count

ENDING = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.fixture
def _by_one_worker() -> Iterator[None]:
    with one_worker():
        yield


def ks(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == code, result.output
    return " ".join(result.output.split())


def test_a_match_is_played_shown_and_gone_on_with() -> None:
    Path("starts.fen").write_text(ENDING)
    command = ["match", "random", "capture", "--games", "6", "--start", "starts.fen", "--workers", "2"]
    shown = ks(*command)
    (path,) = Path("runs/matches").glob("random-v-capture-*.sqlite")
    study = Study.read(path)
    assert [game.start_fen for game in study.games()] == [ENDING] * 6
    assert "6" in shown
    assert str(path) in shown
    assert ks(*command).split("games in")[0].endswith(shown.split("points and Elo")[1].split("games in")[0])
    assert Study.read(path).games() == study.games()  # clocks and all


@pytest.mark.usefixtures("_by_one_worker")
def test_another_setting_is_another_match() -> None:
    ks("match", "random", "capture", "--games", "2")
    ks("match", "random", "capture", "--games", "2", "--seed", "2")
    ks("match", "random", "random", "--games", "2", "--ruleset", "rand", "--store", "mine.sqlite")
    assert len(list(Path("runs/matches").glob("*.sqlite"))) == 2
    assert Study.read(Path("mine.sqlite")).labels == ("random (1)", "random (2)")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["random", "nobody"], "nobody"),
        (["random", "capture", "--games", "3"], "multiple of 2"),
        (["random", "capture", "--sprt", "5"], "--sprt is '5'; expected two numbers such as 0,50"),
        (["random", "capture", "--sprt", "5,0"], "elo0 5.0 is not below elo1 0.0"),
        (["random", "capture", "--start", "none.fen"], "none.fen: cannot be read"),
        (["random", "capture", "--engine", "slurm"], "expected processes or ray"),
        (["random", "capture", "--ruleset", "chess"], "unknown ruleset 'chess'"),
        (["random", "capture", "--seconds-a-move", "0"], "seconds_a_move"),
    ],
)
def test_a_wrong_word_is_told_in_a_line_and_nothing_is_made(words: list[str], fault: str) -> None:
    assert fault in ks("match", *words, code=2)
    assert not Path("runs").exists()


def test_a_player_of_the_present_folder_can_be_named() -> None:
    Path("mine_here.py").write_text(
        "from ks_env.players.registry import make_player\ndef careful():\n    return make_player('capture')\n"
    )
    ks("match", "mine_here:careful", "random", "--games", "2", "--store", "s")
    assert Study.read(Path("s")).labels == ("careful", "random")
    assert not [game for game in Study.read(Path("s")).games() if game.fault]


def write_study(**keys: Any) -> Path:
    usual = {
        "name": "small",
        "tournament": {"kind": "round-robin", "players": ["random", "capture"]},
        "games": 4,
        "ruleset_options": {"max_plies": 60},
    }
    path = Path("small.yaml")
    path.write_text(yaml.safe_dump(usual | keys))
    return path


@pytest.mark.usefixtures("_by_one_worker")
def test_a_tournament_leaves_its_games_and_a_report() -> None:
    ks("tournament", str(write_study()))
    folder = Path("runs/small")
    assert Study.read(folder / "study.sqlite").finished
    text = (folder / "report.md").read_text()
    assert "random" in text
    assert (folder / "report.html").read_text().lstrip().lower().startswith("<!doctype html")
    ks("report", str(folder / "study.sqlite"), "--output", "elsewhere")
    assert Path("elsewhere/report.md").exists()


@pytest.mark.usefixtures("_by_one_worker")
def test_a_folder_stands_for_the_study_in_it() -> None:
    ks("tournament", str(write_study()))
    folder = Path("runs/small")
    (folder / "report.md").unlink()
    ks("report", str(folder))
    assert (folder / "report.md").exists()
    assert "4 games" in ks("export", str(folder), "games.csv")
    assert "no such study" in ks("export", "runs", "games.csv", code=2)


def test_a_tournament_says_which_key_is_wrong() -> None:
    assert "sead: unknown key (did you mean 'seed'" in ks("tournament", str(write_study(sead=4)), code=2)


@pytest.mark.usefixtures("_by_one_worker")
@pytest.mark.parametrize("ending", ["csv", "pgn", "parquet"])
def test_games_are_exported(ending: str) -> None:
    ks("tournament", str(write_study()), "--folder", "here")
    shown = ks("export", "here/study.sqlite", f"games.{ending}")
    assert shown.startswith("4 games in games.")
    assert Path(f"games.{ending}").stat().st_size > 100
    if ending == "pgn":
        assert len(load_all("games.pgn")) == 4


@pytest.mark.usefixtures("_by_one_worker")
def test_an_unknown_export_or_study_is_told() -> None:
    ks("match", "random", "capture", "--games", "2", "--store", "s")
    assert ".csv" in ks("export", "s", "games.xls", code=2)
    assert "no such study" in ks("export", "t", "games.csv", code=2)
    assert "no such study" in ks("report", "t", code=2)


def test_an_interrupt_keeps_the_games_and_says_how_to_go_on() -> None:
    command = Path(sys.executable).with_name("ks")
    words = ["match", "random", "capture", "--games", "5000", "--store", "s"]
    process = subprocess.Popen(
        [command, *words], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    end = time.monotonic() + 60
    while count(Path("s")) < 3 and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == 130
    assert "stopped; run the same command without --restart to continue" in said
    with closing(Store(Path("s"))) as store:
        assert 3 <= len(store.keys()) < 5000


@pytest.mark.usefixtures("_by_one_worker")
def test_a_match_of_another_game(tmp_path: Path) -> None:
    path = tmp_path / "dark.sqlite"
    words = ["match", "random", "capture", "--game", "dark chess", "--games", "4", "--store", str(path)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    with closing(Store(path)) as store:
        assert len(store.keys()) == 4
