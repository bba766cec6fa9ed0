"""The whole state of a run on disk, so that a run killed at any moment goes on as if it had not been.

    <run>/checkpoints/000000262144/     named by the learner's tries so far
        model.zip       MaskablePPO: parameters, optimiser, counters (`MaskablePPO.load` reads it too)
        trainer.npz     every game and random stream of the environments, torch's and numpy's generators
        run.json        time spent, history, evaluations, Python's generator

A checkpoint is written in a folder of another name and renamed when complete; the older ones go after that.
"""

import json
import random
import shutil
import zipfile
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from ks_env.core.files import put_in_place
from ks_train.learn.config import Budget

if TYPE_CHECKING:
    from ks_train.learn.league import League
    from ks_train.learn.ppo import Stages

VERSION = 3
GENERATORS = "generators."  # begins the names of theirs
Arrays = dict[str, np.ndarray[Any, Any]]
NUMBER = (int, float)
KINDS: dict[str, tuple[type, ...]] = {  # in run.json
    "updates": (int,),
    "python": (list,),
    "seconds": NUMBER,
    "cpu_seconds": NUMBER,
    "last_progress": NUMBER,
    "history": (list,),
    "evaluations": (list,),
}
ROWS = {
    "history": {"timesteps", "opponent", "games", "wins", "draws", "losses", "env_share"},
    "evaluations": {"timesteps", "opponent", "games", "as_white", "as_black", "win_rate", "win_rate_95"},
}
# What reading a file of another shape may raise.
DAMAGED = (
    *(OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, RuntimeError),
    *(AssertionError, zipfile.BadZipFile, zlib.error),
)


def named(prefix: str, arrays: Arrays) -> Arrays:
    """The same arrays by longer names."""
    return {prefix + name: array for name, array in arrays.items()}


def part(arrays: Arrays, prefix: str) -> Arrays:
    """Those whose names begin so, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message names it and says what is wrong."""


@dataclass
class RunState:
    """What a run knows beside the learner and the environment.

    Attributes:
        seconds: wall clock spent so far.
        cpu_seconds: processor time spent so far.
        last_progress: share of the budget that was spent when the last turn began.
        history: one row a rollout, see `ks_train.learn.run.row_of`.
        evaluations: one row an evaluation and opponent, see `ks_train.judge.evaluate.Series.row`.
    """

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    last_progress: float = 0.0
    history: list[dict[str, Any]] = field(default_factory=list)
    evaluations: list[dict[str, Any]] = field(default_factory=list)

    def progress(self, budget: Budget, timesteps: int) -> float:
        """The share of the budget spent after so many tries."""
        return budget.progress(timesteps, self.seconds, self.cpu_seconds)


def save(folder: Path, trainer: "Stages | League", state: RunState, keep: int) -> Path:
    """Write a checkpoint of the run in `folder`, and leave the `keep` latest."""
    model = trainer.model
    parent = folder / "checkpoints"
    final = parent / f"{model.num_timesteps:012d}"
    aside = parent / f"{final.name}.tmp"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    model.save(aside / "model.zip")
    arrays: dict[str, Any] = trainer.arrays() | named(GENERATORS, _generators())
    np.savez(aside / "trainer.npz", **arrays)
    version, numbers, gauss = random.getstate()
    run = {"version": VERSION, "updates": model._n_updates, "python": [version, list(numbers), gauss]}
    (aside / "run.json").write_text(json.dumps(run | asdict(state)), encoding="utf-8")
    replaced = parent / f"{final.name}.old"
    shutil.rmtree(replaced, ignore_errors=True)
    if final.exists():  # damaged, or a run was restarted from an earlier one
        final.rename(replaced)
    put_in_place(aside, final)
    shutil.rmtree(replaced, ignore_errors=True)
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
    found = {key: run[key] for key in RunState.__dataclass_fields__}
    for key, names in ROWS.items():
        if not all(isinstance(row, dict) and names <= row.keys() for row in found[key]):
            raise CheckpointError(f"{checkpoint}: is damaged: {key} of run.json lacks {', '.join(names)}")
    if found["history"] and found["history"][-1]["timesteps"] != int(checkpoint.name):
        raise CheckpointError(f"{checkpoint}: is damaged: its history ends elsewhere than its name says")
    return RunState(**found)


def restore(checkpoint: Path, trainer: "Stages | League") -> None:
    """Bring a fresh trainer into the saved state, random streams of the process included.

    Raises:
        CheckpointError: unreadable, of another version, or of a learner of other shape.
    """
    run, model = _read_json(checkpoint), trainer.model
    try:
        model.set_parameters(str(checkpoint / "model.zip"), exact_match=True, device=model.device)
        with np.load(checkpoint / "trainer.npz", allow_pickle=False) as file:
            arrays = dict(file)
        trainer.restore(arrays)
        generators = part(arrays, GENERATORS)
        torch.set_rng_state(torch.from_numpy(generators["torch"]))
        np.random.set_state(("MT19937", generators["key"], int(generators["position"]), 0, 0.0))
        version, numbers, gauss = run["python"]
        random.setstate((version, tuple(numbers), gauss))
    except DAMAGED as error:
        raise CheckpointError(f"{checkpoint}: does not fit this experiment or is damaged: {error}") from error
    model.num_timesteps = int(checkpoint.name)
    model._n_updates = run["updates"]


def _generators() -> Arrays:
    """The states of torch's and numpy's."""
    numpy_state = np.random.get_state(legacy=False)
    assert isinstance(numpy_state, dict)
    inner = numpy_state["state"]
    return {"torch": torch.get_rng_state().numpy(), "key": inner["key"], "position": inner["pos"]}


def _complete(parent: Path) -> list[Path]:
    """Complete checkpoints, oldest first."""
    return sorted(path for path in parent.glob("*") if path.name.isdigit())


def _read_json(checkpoint: Path) -> dict[str, Any]:
    try:
        run: dict[str, Any] = json.loads((checkpoint / "run.json").read_text(encoding="utf-8"))
        version = run["version"]
        lacking = [key for key, kind in KINDS.items() if version == VERSION and type(run[key]) not in kind]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        said = error if isinstance(error, (OSError, ValueError)) else f"run.json: {error!r}"
        raise CheckpointError(
            f"{checkpoint}: is damaged: {said}; remove it to go on from an older one"
        ) from error
    if version != VERSION:
        raise CheckpointError(f"{checkpoint}: is of version {version}; expected {VERSION}")
    if lacking:
        raise CheckpointError(
            f"{checkpoint}: is damaged: {', '.join(lacking)} of run.json is of another kind"
        )
    return run
