"""The configs that come with the package, found by name wherever it is installed.

The name of `configs/studies/mcts.yaml` is `studies/mcts`; with the folder and the ending it is found as well,
so that what the documentation says works outside of the repository.
"""

import os
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

FOLDER = Path("configs")
ENDING = ".yaml"


@cache
def configs_folder() -> Path | None:
    """Where the configs are: beside the sources, or where the wheel put them; None if nowhere."""
    beside = Path(__file__).resolve().parents[2] / FOLDER
    if beside.is_dir():
        return beside
    try:
        installed = files("ks-env") or []
    except PackageNotFoundError:
        return None
    for file in installed:
        if file.name == f"quickstart{ENDING}" and file.parent.name == FOLDER.name:
            return Path(str(file.locate())).resolve().parent
    return None


def config_names() -> list[str]:
    """The names of all configs, sorted."""
    folder = configs_folder()
    if folder is None:
        return []
    return sorted(
        str(file.relative_to(folder).with_suffix("").as_posix()) for file in folder.rglob(f"*{ENDING}")
    )


def find_shipped(path: Path | str) -> Path:
    """The file at a path, or if it does not exist the one that ships with the package under that name.

    Returns:
        The path as it was given, if neither is there.
    """
    path, folder = Path(path), configs_folder()
    # A name that is too long is one of no file; pathlib would raise.
    if os.path.exists(path) or path.is_absolute() or folder is None:
        return path
    name = path.relative_to(FOLDER) if path.parts[:1] == FOLDER.parts else path
    for found in (folder / name, folder / f"{name}{ENDING}"):
        if ".." not in found.parts and os.path.isfile(found):
            return found
    return path
