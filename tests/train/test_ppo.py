"""A whole small run, and one that is killed at a moment it does not choose."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml
from ks_arena.sections import ConfigError
from ks_train.judge.evaluate import load_model
from ks_train.learn import checkpoint
from ks_train.learn.checkpoint import CheckpointError
from ks_train.learn.config import Experiment, load_config
from ks_train.learn.folder import ARTEFACTS, LOCK, MARKER, load_experiment
from ks_train.learn.run import train
from ks_train.learn.turn import due
from rich.console import Console
from stable_baselines3.common.save_util import load_from_zip_file

from ks_env.record import load as load_record
from ks_env.record import steps

SMALL = {
    "name": "small",
    "seed": 3,
    "torch_threads": 1,
    "env": {"num_envs": 8, "shaping": "material", "ruleset_options": {"max_plies": 60}},
    "opponents": [
        {
            "opponent": "random",
            "share": 0.5,
            "seat": "white",
            "start": "4k3/pppp4/8/8/8/8/8/QQQQK3 w - - 0 1",
        },
        {"opponent": "capture", "share": 0.5},
    ],
    "learner": {"steps": 16, "batch_size": 32, "epochs": 2, "learning_rate": {"start": 0.01, "end": 0.001}},
    "network": {"channels": 8, "layers": 2, "embedding": 4, "value_hidden": 8},
    "budget": {"timesteps": 2048},
    "evaluation": {"games": 4, "games_while_training": 2, "every": 640, "reference": ["capture"]},
    "checkpoints": {"every": 320, "keep": 2},
}


def small(folder: Path, **changes: Any) -> Path:
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump(SMALL | {"folder": str(folder / "run")} | changes))
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nobody disturbed."""
    path = small(tmp_path_factory.mktemp("whole"))
    return train(load_config(path), console=Console(file=io.StringIO()))


def tensors(model: Path) -> dict[str, torch.Tensor]:
    """Parameters and optimiser state of a model."""
    parts: Any = load_from_zip_file(model, device="cpu")[1]
    flat: dict[str, torch.Tensor] = dict(parts["policy"])
    for number, state in parts["policy.optimizer"]["state"].items():
        flat |= {f"optimizer {number} {key}": torch.as_tensor(value) for key, value in state.items()}
    return flat


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def assert_same_run(first: Path, second: Path) -> None:
    one, other = tensors(first / "model.zip"), tensors(second / "model.zip")
    assert one.keys() == other.keys()
    assert len(one) > 20
    for name in one:
        assert torch.equal(one[name], other[name]), name
    summaries = [json.loads((run / "summary.json").read_text()) for run in (first, second)]
    for key in ("evaluations", "series", "timesteps"):
        assert summaries[0][key] == summaries[1][key]
    clock = ("seconds", "cpu_seconds", "tries_per_second", "env_share")
    rows = [
        [{key: value for key, value in row.items() if key not in clock} for row in summary["history"]]
        for summary in summaries
    ]
    assert rows[0] == rows[1]


def test_killed_and_resumed_is_the_same_run(whole: Path, tmp_path: Path) -> None:
    path, run = small(tmp_path), tmp_path / "run"
    command = [sys.executable, "-c", "from ks_train.commands.main import app; app()", "train", str(path)]
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while (latest := checkpoint.latest(run)) is None or int(latest.name) < 384:
        assert killed.poll() is None, killed.stderr.read().decode() if killed.stderr else ""
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.kill(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert not (run / "model.zip").exists(), "killed before the end"
    shown = io.StringIO()
    train(load_config(path), console=Console(file=shown))
    assert "resumed from" in shown.getvalue(), "an unfinished run of this config is resumed"
    assert_same_run(whole, run)


@pytest.mark.parametrize("named", ["in the run's folder", "the user's own, with the new folder"])
def test_a_run_that_was_moved_goes_on(whole: Path, tmp_path: Path, named: str) -> None:
    """An interrupted one: a finished one whose last checkpoint and results are not there."""
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    (run / "summary.json").unlink()
    last = checkpoint.latest(run)
    assert last is not None
    shutil.rmtree(last)
    path = run / "config.yaml" if named == "in the run's folder" else small(tmp_path)
    before = contents(whole)
    shown = io.StringIO()
    assert train(load_experiment(path), console=Console(file=shown)) == run
    assert "resumed from" in shown.getvalue()
    assert contents(whole) == before, "the folder where it was is left alone"
    assert_same_run(whole, run)


def test_a_finished_run_that_was_moved_can_be_evaluated(whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "elsewhere"
    shutil.copytree(whole, run)
    _, env, temperature = load_model(run)
    assert env == load_config(whole / "config.yaml").env
    assert temperature == load_config(whole / "config.yaml").evaluation.temperature


def test_a_checkpoint_half_written_is_passed_over(whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    good = checkpoint.latest(run)
    (run / "checkpoints" / "000000009999.tmp").mkdir()
    assert checkpoint.latest(run) == good


def test_what_a_run_leaves_behind(whole: Path) -> None:
    summary = json.loads((whole / "summary.json").read_text())
    assert summary["timesteps"] == 2048
    assert [row["timesteps"] for row in summary["history"]] == list(range(128, 2049, 128))
    assert {row["opponent"] for row in summary["history"]} == {"random", "capture"}
    assert {row["timesteps"] for row in summary["evaluations"]} == {640, 1280, 1920}
    for row in summary["series"] + summary["reference"]:
        assert row["wins"] + row["draws"] + row["losses"] == row["games"] == 4
        low, high = row["win_rate_95"]
        assert low <= row["win_rate"] <= high
    assert (whole / "curve.png").read_bytes().startswith(b"\x89PNG")
    record = load_record(whole / "game.pgn")
    assert len(list(steps(record))) >= len(record.tries)
    assert "<html" in (whole / "game.html").read_text()[:200].lower()
    assert any((whole / "tensorboard").iterdir())
    assert len(list((whole / "checkpoints").iterdir())) == 2
    model, env, temperature = load_model(whole)
    assert model.num_timesteps == 2048
    assert env.shaping is not None
    assert temperature == 1.0


def test_a_folder_in_use_is_not_touched(whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    config = (run / "config.yaml").read_text()
    (run / "config.yaml").write_text(config.replace(str(whole), str(run)))
    before = contents(run)
    with pytest.raises(ConfigError, match=r"holds a finished run; use --restart .*make train ARGS=--restart"):
        train(load_config(small(tmp_path)))
    with pytest.raises(ConfigError, match="holds a run of another config"):
        train(load_config(small(tmp_path, seed=4)), resume=True)
    assert contents(run) == before


@pytest.mark.parametrize("name", ["model.zip", "trainer.npz", "run.json"])
def test_damaged_checkpoints_are_named(whole: Path, tmp_path: Path, name: str) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    config = load_config(run / "config.yaml").model_copy(update={"folder": run})
    (run / "config.yaml").write_text((whole / "config.yaml").read_text().replace(str(whole), str(run)))
    latest = checkpoint.latest(run)
    assert latest is not None
    content = (latest / name).read_bytes()
    (latest / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(CheckpointError, match=latest.name):
        train(config, resume=True, console=Console(file=io.StringIO()))


def test_a_checkpoint_of_another_version_is_refused(whole: Path, tmp_path: Path) -> None:
    latest = checkpoint.latest(whole)
    assert latest is not None
    copy = tmp_path / latest.name
    shutil.copytree(latest, copy)
    run = json.loads((copy / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps(run | {"version": 99}))
    with pytest.raises(CheckpointError, match="is of version 99; expected 3"):
        checkpoint.read_state(copy)


def test_restart_begins_anew(whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    path = small(
        tmp_path,
        budget={"timesteps": 256},
        evaluation={"games": 2, "against": ["random"]},
    )
    (run / "notes.txt").write_text("mine")
    (run / ".model.zip").write_bytes(b"half")
    train(load_config(path), restart=True, console=Console(file=io.StringIO()))
    assert json.loads((run / "summary.json").read_text())["timesteps"] == 256
    assert [path.name for path in (run / "checkpoints").iterdir()] == ["000000000256"]
    assert (run / "notes.txt").read_text() == "mine"
    made = {*ARTEFACTS, MARKER, "notes.txt"}
    assert {path.name for path in run.iterdir()} - {LOCK} == made, "all that a run makes, and nothing beside"


def test_due_once_for_each_multiple_passed() -> None:
    passed = [steps for steps in range(128, 2000, 128) if due(500, steps - 128, steps)]
    assert passed == [512, 1024, 1536]
    assert not due(None, 384, 512)


def test_the_small_run_is_an_experiment() -> None:
    assert Experiment.model_validate(SMALL).rollout == 128
