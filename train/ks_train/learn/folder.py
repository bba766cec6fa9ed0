"""The folder of a run: who may use it, what a restart removes, and files that are never half-written."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ks_arena.sections import ConfigError, dump_section
from ks_arena.work.database import alone

from ks_env.core.files import write_aside
from ks_train.learn.config import Experiment, load_config

MARKER = ".ks-run"  # only a folder with this file in it is taken for a run's
LOCK = ".ks-run.lock"
CONFIG = "config.yaml"
LAST = "summary.json"  # written when all else is there
# In the order of removal: what is left of a restart that was killed is known by its config.
ARTEFACTS = (LAST, "model.zip", "curve.png", "game.html", "game.pgn", "tensorboard", "checkpoints", CONFIG)


@contextmanager
def open_folder(config: Experiment, *, resume: bool, restart: bool) -> Iterator[Path]:
    """The run's folder with the config in it, for this process alone.

    A run of the same config that has not finished is resumed; anything else that is there is kept unless
    told otherwise.

    Args:
        config: the experiment.
        resume: go on even if the run has finished.
        restart: remove what an earlier run made, and nothing else.

    Raises:
        ConfigError: the folder holds what no run made, a finished run or one of another config, or another
            process is at work in it.
    """
    folder = config.run_folder
    _check(config, folder, resume=resume, restart=restart)
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder / LOCK, f"{folder}: another process is training in this folder"):
        if restart:
            _remove_artefacts(folder)
        write_aside(folder / MARKER, "This folder was made by `ks train`.\n")
        write_aside(folder / CONFIG, dump_section(config))
        yield folder


def load_experiment(path: Path) -> Experiment:
    """The experiment of a file; that of a run's own config is in the folder where this lies now.

    Raises:
        ConfigError: see `load_config`.
    """
    config = load_config(path)
    if path.name != CONFIG or not (path.parent / MARKER).exists():
        return config
    return config.model_copy(update={"folder": path.parent})


def _check(config: Experiment, folder: Path, *, resume: bool, restart: bool) -> None:
    """Refuse a folder that holds anything but the run to resume or to discard."""
    found = [name for name in ARTEFACTS if (folder / name).exists()]
    if found and not (folder / MARKER).exists():
        raise ConfigError(
            f"{folder} holds files that no run made ({', '.join(found)}); give the run another name or folder"
        )
    if restart or not found:
        return
    copy = folder / CONFIG
    if not copy.exists():
        raise ConfigError(
            f"{folder} holds parts of a run without its config.yaml; use --restart to start over"
        )
    if load_config(copy).model_copy(update={"folder": config.folder}) != config:  # it may have been moved
        raise ConfigError(
            f"{folder} holds a run of another config ({copy}); use --restart to throw it away and start over"
            " (make train ARGS=--restart), or give this one another name"
        )
    if (folder / LAST).exists() and not resume:
        raise ConfigError(
            f"{folder} holds a finished run; use --restart to throw it away and start over"
            " (make train ARGS=--restart), --resume to judge its model again"
        )


def _remove_artefacts(folder: Path) -> None:
    """Remove what a run makes, half-written files included."""
    for name in ARTEFACTS:
        for path in (folder / name, *folder.glob(f".{name}*")):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
