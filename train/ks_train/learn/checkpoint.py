"""The whole state of a run on disk, so that a run killed at any moment goes on as if it had not been.

    <run>/checkpoints/000000262144/     named by the learner's tries so far
        model.zip       MaskablePPO: parameters, optimiser, counters (`MaskablePPO.load` reads it too)
        env.npz         every game and random stream of the vector env
        learner.npz     last observation, where episodes start, torch's and numpy's generators
        run.json        time spent, stage, history, evaluations, Python's generator

A checkpoint is written in a folder of another name and renamed when complete; the older ones go after that.
"""

import json
import random
import shutil
import zipfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from ks_train.learn.config import Budget

VERSION = 2
SEEN = "observation."  # begins the names of the parts of the last observation


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message names it and says what is wrong."""


@dataclass
class RunState:
    """What a run knows beside the learner and the environment.

    Attributes:
        seconds: wall clock spent so far.
        cpu_seconds: processor time spent so far.
        stage: index of the current stage.
        history: one row a rollout, see `ks_train.learn.ppo.rollout_row`.
        evaluations: one row an evaluation and opponent, see `ks_train.judge.evaluate.Series.row`.
    """

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    stage: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)
    evaluations: list[dict[str, Any]] = field(default_factory=list)

    def progress(self, budget: Budget, timesteps: int) -> float:
        """The share of the budget spent after so many tries."""
        return budget.progress(timesteps, self.seconds, self.cpu_seconds)


def save(folder: Path, model: MaskablePPO, state: RunState, keep: int) -> Path:
    """Write a checkpoint of the run in `folder`, and leave the `keep` latest."""
    parent = folder / "checkpoints"
    final = parent / f"{model.num_timesteps:012d}"
    aside = parent / f"{final.name}.tmp"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    model.save(aside / "model.zip")
    assert model.env is not None
    np.savez(aside / "env.npz", **model.env.env_method("get_state", indices=[0])[0])
    np.savez(aside / "learner.npz", **_learner_arrays(model))
    version, numbers, gauss = random.getstate()
    run = {"version": VERSION, "updates": model._n_updates, "python": [version, list(numbers), gauss]}
    (aside / "run.json").write_text(json.dumps(run | asdict(state)), encoding="utf-8")
    shutil.rmtree(final, ignore_errors=True)
    aside.rename(final)
    for old in _complete(parent)[:-keep]:
        shutil.rmtree(old)
    return final


def latest(folder: Path) -> Path | None:
    """The latest complete checkpoint of the run in `folder`."""
    complete = _complete(folder / "checkpoints")
    return complete[-1] if complete else None


def read_state(checkpoint: Path) -> RunState:
    """The run's own state, which says in which stage the environment has to be made.

    Raises:
        CheckpointError: unreadable, or of another version.
    """
    run = _read_json(checkpoint)
    return RunState(**{key: run[key] for key in RunState.__dataclass_fields__})


def restore(checkpoint: Path, model: MaskablePPO) -> None:
    """Bring a fresh learner and its environment into the saved state, random streams of the process included.

    Raises:
        CheckpointError: unreadable, of another version, or of a learner of other shape.
    """
    run = _read_json(checkpoint)
    try:
        model.set_parameters(str(checkpoint / "model.zip"), exact_match=True, device="cpu")
        with np.load(checkpoint / "env.npz", allow_pickle=False) as arrays:
            env_state = dict(arrays)
        with np.load(checkpoint / "learner.npz", allow_pickle=False) as arrays:
            learner = dict(arrays)
        assert model.env is not None
        model.env.env_method("set_state", env_state, indices=[0])
    except (OSError, ValueError, KeyError, RuntimeError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{checkpoint}: does not fit this experiment or is damaged: {error}") from error
    model.num_timesteps = int(checkpoint.name)
    model._n_updates = run["updates"]
    seen = {name[len(SEEN) :]: array for name, array in learner.items() if name.startswith(SEEN)}
    model._last_obs = seen.pop("") if "" in seen else seen
    model._last_episode_starts = learner["episode_starts"]
    torch.set_rng_state(torch.from_numpy(learner["torch"]))
    np.random.set_state(("MT19937", learner["numpy_key"], int(learner["numpy_position"]), 0, 0.0))
    version, numbers, gauss = run["python"]
    random.setstate((version, tuple(numbers), gauss))


def _learner_arrays(model: MaskablePPO) -> dict[str, Any]:
    numpy_state = np.random.get_state(legacy=False)
    assert isinstance(numpy_state, dict)
    last: Any = model._last_obs
    seen = {SEEN + key: array for key, array in last.items()} if isinstance(last, dict) else {SEEN: last}
    return seen | {
        "episode_starts": model._last_episode_starts,
        "torch": torch.get_rng_state().numpy(),
        "numpy_key": numpy_state["state"]["key"],
        "numpy_position": numpy_state["state"]["pos"],
    }


def _complete(parent: Path) -> list[Path]:
    """Complete checkpoints, oldest first."""
    return sorted(path for path in parent.glob("*") if path.name.isdigit())


def _read_json(checkpoint: Path) -> dict[str, Any]:
    try:
        run: dict[str, Any] = json.loads((checkpoint / "run.json").read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise CheckpointError(
            f"{checkpoint}: is damaged: {error}; remove it to go on from an older one"
        ) from error
    if run.get("version") != VERSION:
        raise CheckpointError(f"{checkpoint}: is of version {run.get('version')}; expected {VERSION}")
    return run
