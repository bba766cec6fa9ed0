"""Where a trained model lies on disk, and the config of the run that made it.

    <run>/model.zip                         <run>/config.yaml
    <run>/checkpoints/000000262144/model.zip

Nothing here reads a model, so that a file can be looked up and fingerprinted without torch.
"""

from pathlib import Path

from ks_arena.sections import ConfigError

MODEL = "model.zip"
CONFIG = "config.yaml"
CHECKPOINTS = "checkpoints"


def model_file(path: Path | str) -> Path:
    """The model's file, given by itself or by its folder.

    Raises:
        ConfigError: there is none.
    """
    path = Path(path)
    file = path / MODEL if path.is_dir() else path
    if file.is_file():
        return file
    checkpoints = sorted(path.glob(f"{CHECKPOINTS}/*/{MODEL}"))
    hint = f"; the latest checkpoint of the run is {checkpoints[-1].parent}" if checkpoints else ""
    raise ConfigError(f"{file}: no such model; expected a run's folder or a {MODEL}{hint}")


def config_file(file: Path) -> Path | None:
    """The config of the run that a model's file belongs to: beside it, or above the run's checkpoints.

    None for a model that no run made.
    """
    file = file.absolute()
    places = [file.parent]
    if file.parent.parent.name == CHECKPOINTS:
        places.append(file.parents[2])
    return next((place / CONFIG for place in places if (place / CONFIG).is_file()), None)
