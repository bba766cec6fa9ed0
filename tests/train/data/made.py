"""Small data sets for the tests."""

import io
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from ks_arena.sections import check_section
from ks_train.data.config import DataConfig
from ks_train.data.generate import Made, generate
from rich.console import Console

from tests.arena.standing import one_worker

TEACHER = {"player": "capture", "label": "teacher", "teacher": "itself", "noise": 0.2}
SHORT = {"max_plies": 40}


def config(**keys: Any) -> DataConfig:
    usual: dict[str, Any] = {
        "name": "test",
        "games": 6,
        "ruleset_options": SHORT,
        "quiet_plies": 4,
        "players": [TEACHER, "random"],
    }
    return check_section(DataConfig, usual | keys, "test")


def make(path: Path, data: DataConfig | None = None, **options: Any) -> Made:
    """A data set, made by the standing worker unless a test asks for workers or another engine."""
    plain = options.keys().isdisjoint({"workers", "engine"})
    with one_worker() if plain else nullcontext():
        return generate(data or config(), path, console=Console(file=io.StringIO()), **options)


GAMES: dict[str, dict[str, Any]] = {
    "Kriegspiel": {},
    "cincinnati": {"ruleset": "cincinnati"},
    "InvisibleChess": {
        "game": "InvisibleChess",
        "players": [TEACHER | {"hidden": "1B"}, {"player": "random", "hidden": "1N"}],
    },
    "DarkChess": {"game": "DarkChess"},
    "hidden start": {
        "hidden_start": True,
        "quiet_plies": 0,
        "start": ["4k3/8/8/8/8/8/PPPP4/R3K3 w - - 0 1", "8/4k3/8/8/8/8/PPPP4/R3K3 w - - 0 1"],
    },
}


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A data set of each game."""
    folder = tmp_path_factory.mktemp("data")
    return {
        name: make(folder / f"{name.replace(' ', '-')}.parquet", config(**keys)).path
        for name, keys in GAMES.items()
    }
