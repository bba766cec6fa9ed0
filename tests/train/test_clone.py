"""Cloning a data set: what is learnt, what is refused, and a training that begins with it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from ks_arena.sections import ConfigError
from ks_train.learn import ppo
from ks_train.learn.clone import clone, read_decisions
from ks_train.learn.config import Experiment
from rich.console import Console

from ks_env.players.registry import make_player
from tests.train.data.made import config as data_config
from tests.train.data.made import make

SMALL: dict[str, Any] = {
    "name": "small",
    "torch_threads": 1,
    "env": {"num_envs": 2, "terms": "raw", "ruleset_options": {"max_plies": 40}},
    "opponents": [{"opponent": "random"}],
    "learner": {"steps": 32, "batch_size": 64, "learning_rate": 0.003},
    "network": {"width": 32, "value_hidden": 8},
    "budget": {"timesteps": 4},
    "evaluation": {"against": ["random"], "games": 2},
}
SILENT = Console(quiet=True)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = data_config(games=40, players=[{"player": "capture", "teacher": "itself", "noise": 0.1}, "random"])
    return make(tmp_path_factory.mktemp("data") / "capture.parquet", data).path


def test_a_clone_learns_what_the_teacher_likes(games: Path, tmp_path: Path) -> None:
    """`capture` takes whenever it can, and else tries anything; a clone finds out the first."""
    experiment = Experiment.model_validate(SMALL)
    folder = clone(experiment, games, tmp_path / "clone", epochs=30, console=SILENT)
    summary = json.loads((folder / "clone.json").read_text())
    assert summary["decisions"] > 300
    decisions = read_decisions(games, experiment, SILENT)
    evenly = float(np.log(np.diff(decisions.tries.offsets))[decisions.held_out].mean())
    assert summary["held_out"]["cross_entropy"] < evenly - 0.1
    make_player(f"model:file={folder}")

    begun = Experiment.model_validate(SMALL | {"init": str(folder)})
    trained = ppo.make_model(begun, ppo.make_env(begun, 0), None)
    fresh = ppo.make_model(experiment, ppo.make_env(experiment, 0), None)
    one, other = trained.policy.state_dict(), fresh.policy.state_dict()
    assert one.keys() == other.keys()
    assert not all(torch.equal(one[name], other[name]) for name in one)
    wider = Experiment.model_validate(SMALL | {"init": str(folder), "network": {"width": 16}})
    with pytest.raises(ConfigError, match="is a network of another shape"):
        ppo.make_model(wider, ppo.make_env(wider, 0), None)


def test_a_model_is_kept(games: Path, tmp_path: Path) -> None:
    (tmp_path / "model.zip").touch()
    with pytest.raises(ConfigError, match="holds a model; choose another folder"):
        clone(Experiment.model_validate(SMALL), games, tmp_path, epochs=1, console=SILENT)


def test_planes_alone_are_refused(games: Path, tmp_path: Path) -> None:
    planes = Experiment.model_validate(SMALL | {"env": {"num_envs": 2}})
    with pytest.raises(ConfigError, match="expected the terms that the network rests on"):
        clone(planes, games, tmp_path / "clone", epochs=1, console=SILENT)
