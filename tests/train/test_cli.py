import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from train.cli import app

RUN = CliRunner()


def test_the_command_needs_no_torch_until_it_does() -> None:
    program = (
        "import sys; sys.modules['torch'] = None; sys.modules['stable_baselines3'] = None\n"
        "from typer.testing import CliRunner; from train.cli import app\n"
        "print(CliRunner().invoke(app, ['replay', '--help']).output)\n"
        "result = CliRunner().invoke(app, ['evaluate', 'random'])\n"
        "assert result.exit_code == 2, result; print(result.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "HTML page" in done.stdout
    assert 'pip install "ks-env[train]"' in done.stdout


def test_players_and_version() -> None:
    listed = RUN.invoke(app, ["players"]).output
    assert "capture" in listed
    assert "random" in listed
    assert RUN.invoke(app, ["version"]).output.strip()


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
        (["evaluate", "nobody"], "nobody: no such model"),
        (["evaluate", "random", "--games", "7"], "even number of games"),
        (["evaluate", "random", "--against", "nobody"], "unknown player"),
        (["train", "none.yaml"], "cannot be read"),
    ],
)
def test_faults_are_said_plainly(arguments: list[str], wanted: str) -> None:
    result = RUN.invoke(app, arguments)
    assert result.exit_code == 2
    assert wanted in result.stderr
    assert "Traceback" not in result.output
