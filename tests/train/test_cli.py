import json
import subprocess
import sys
from importlib.metadata import EntryPoint, version
from pathlib import Path

import pytest
import yaml
from ks_train.commands import main
from ks_train.commands.main import app
from ks_train.learn.config import load_config
from ks_train.learn.folder import open_folder
from typer.testing import CliRunner

RUN = CliRunner()
GROUP = "ks_env.players"


def test_the_command_needs_no_torch_until_it_does() -> None:
    program = (
        "import sys; sys.modules['torch'] = None; sys.modules['stable_baselines3'] = None\n"
        "from typer.testing import CliRunner; from ks_train.commands.main import app\n"
        "print(CliRunner().invoke(app, ['replay', '--help']).output)\n"
        "result = CliRunner().invoke(app, ['evaluate', 'random'])\n"
        "assert result.exit_code == 2, result; print(result.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "HTML page" in done.stdout
    assert 'pip install "ks-env[train]"' in done.stdout


def test_players_and_version() -> None:
    listed = RUN.invoke(app, ["players"]).output.splitlines()
    assert "random            draws evenly from the informed mask" in listed
    assert {line.find("  ") > 0 and len(line[:18].split()) == 1 for line in listed} == {True}
    assert RUN.invoke(app, ["--version"]).output.strip() == version("ks-env")


def test_a_player_that_cannot_be_loaded_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("there", "math:sqrt", GROUP), EntryPoint("x", "nowhere:player", GROUP)]
    monkeypatch.setattr(main, "entry_points", lambda group: points)
    first, second = RUN.invoke(app, ["players"]).output.splitlines()
    assert first == "there  Return the square root of x"
    assert second == "x      cannot be loaded: No module named 'nowhere'"


def test_evaluate_a_player_by_name(tmp_path: Path) -> None:
    output = tmp_path / "score.json"
    result = RUN.invoke(
        app, ["evaluate", "capture", "--against", "random", "--games", "10", "--json", str(output)]
    )
    assert result.exit_code == 0, result.output
    assert "capture" in result.output
    (row,) = json.loads(output.read_text())
    assert (row["player"], row["opponent"], row["games"]) == ("capture", "random", 10)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["evaluate", "nobody"], "'nobody' is not a player"),
        (["evaluate", "random", "--games", "7"], "even number of games"),
        (["evaluate", "random", "--against", "nobody"], "'nobody' is not a player"),
        (["evaluate", "random", "--against", "random,nobody"], "'nobody' is not a player"),
        (["evaluate", "random", "--temperature", "-1"], "the temperature is -1.0; expected 0 or"),
        (["evaluate", "random", "--temperature", "nan"], "the temperature is nan; expected 0 or"),
        (["evaluate", "random", "--seed", "-1"], "seed -1 is negative"),
        (["train", "none.yaml"], "cannot be read"),
        (["train", "."], "cannot be read"),
        (["replay", "."], "expected a file name that ends in"),
    ],
)
def test_faults_are_said_plainly(arguments: list[str], wanted: str) -> None:
    assert wanted in failure(arguments)


def failure(arguments: list[str]) -> str:
    """The one line that a failing command says, on stderr."""
    result = RUN.invoke(app, arguments)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    return line


def test_where_the_scores_go_is_checked_before_games_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_late(*arguments: object) -> None:
        raise AssertionError("games were played")

    monkeypatch.setattr("ks_train.judge.evaluate.play_names", too_late)
    missing = tmp_path / "none" / "score.json"
    assert f"there is no folder {missing.parent}" in failure(["evaluate", "random", "--json", str(missing)])
    assert "is not a file" in failure(["evaluate", "random", "--json", str(tmp_path)])
    assert not missing.parent.exists()


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"opponents": [{"opponent": "rando"}]}, "opponents.0.opponent: unknown player 'rando'"),
        ({"evaluation": {"against": []}}, "evaluation.against"),
        ({"env": {"encoder": "nothing"}}, "env.encoder: unknown encoder"),
        ({"env": {"start": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}}, "env.start.0: bad FEN"),
        ({"learner": {"learning_rate": 0.0}}, "learner.learning_rate"),
        ({"folder": "experiment.yaml/run"}, "experiment.yaml"),
    ],
)
def test_configs_that_cannot_be_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, object], wanted: str
) -> None:
    monkeypatch.chdir(tmp_path)
    config = {"name": "x", "opponents": [{"opponent": "random"}], "budget": {"timesteps": 1000}} | changes
    Path("experiment.yaml").write_text(yaml.safe_dump(config))
    assert wanted in failure(["train", "experiment.yaml"])


def test_a_damaged_checkpoint_is_a_line_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = {"name": "x", "opponents": [{"opponent": "random"}], "budget": {"timesteps": 1000}}
    Path("experiment.yaml").write_text(yaml.safe_dump(config))
    with open_folder(load_config("experiment.yaml"), resume=False, restart=False) as folder:
        (folder / "checkpoints" / "000000000512").mkdir(parents=True)
    checkpoint = folder / "checkpoints" / "000000000512"
    assert "is damaged" in failure(["train", "experiment.yaml"])
    for text in ("", "[]", "{}", "[" * 100_000, '{"version": 3, "updates": "x"}'):
        (checkpoint / "run.json").write_text(text)
        assert f"{checkpoint}: is damaged" in failure(["train", "experiment.yaml"])
