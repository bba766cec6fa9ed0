"""Whose folder it is, and what of it may go."""

from pathlib import Path
from typing import Any

import pytest
from ks_arena.sections import ConfigError
from ks_train.learn.config import Experiment
from ks_train.learn.folder import ARTEFACTS, LAST, MARKER, open_folder

from ks_env.core.files import aside

SMALLEST: dict[str, Any] = {
    "name": "x",
    "opponents": [{"opponent": "random"}],
    "budget": {"timesteps": 1000},
}


def experiment(folder: Path, **changes: Any) -> Experiment:
    return Experiment.model_validate(SMALLEST | {"folder": folder} | changes)


def test_a_restart_never_touches_a_folder_that_no_run_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text("mine")
    (tmp_path / "thesis.tex").write_text("years of work")
    with (
        pytest.raises(ConfigError, match=r"holds files that no run made \(config\.yaml\)"),
        open_folder(experiment(Path(".")), resume=False, restart=True),
    ):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {"config.yaml", "thesis.tex"}
    assert (tmp_path / "config.yaml").read_text() == "mine"


def test_a_restart_removes_what_a_run_makes_and_nothing_else(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    with open_folder(config, resume=False, restart=False):
        pass
    for name in ("checkpoints", "tensorboard"):
        (tmp_path / name / "deep").mkdir(parents=True)
    for name in ("model.zip", ".model.zip", ".summary.json.k3x", LAST, "curve.png", "game.html", "game.pgn"):
        (tmp_path / name).write_text("old")
    (tmp_path / "thesis.tex").write_text("years of work")
    with open_folder(experiment(tmp_path, seed=9), resume=False, restart=True):
        names = {path.name for path in tmp_path.iterdir() if "lock" not in path.name}
    assert names == {"config.yaml", MARKER, "thesis.tex"}
    assert "seed: 9" in (tmp_path / "config.yaml").read_text()


def test_an_unfinished_run_is_gone_on_with_and_a_finished_one_is_not(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    for _ in range(2):
        with open_folder(config, resume=False, restart=False):
            pass
    (tmp_path / LAST).write_text("{}")
    with (
        pytest.raises(ConfigError, match="make train ARGS=--restart"),
        open_folder(config, resume=False, restart=False),
    ):
        pass
    with open_folder(config, resume=True, restart=False):
        assert (tmp_path / LAST).exists()


def test_checkpoints_without_their_config_are_not_gone_on_with(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    with open_folder(config, resume=False, restart=False):
        pass
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "config.yaml").unlink()
    with (
        pytest.raises(ConfigError, match=r"without its config\.yaml; use --restart"),
        open_folder(config, resume=False, restart=False),
    ):
        pass


def test_two_processes_do_not_train_in_one_folder(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    with (
        open_folder(config, resume=False, restart=False),
        pytest.raises(ConfigError, match="another process is training in this folder"),
        open_folder(config, resume=False, restart=False),
    ):
        pass
    with open_folder(config, resume=False, restart=False):
        pass


def write_half(path: Path) -> None:
    with aside(path) as other:
        other.write_text("ha")
        raise RuntimeError("disk full")


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "curve.png"
    path.write_text("old")
    with pytest.raises(RuntimeError, match="disk full"):
        write_half(path)
    assert path.read_text() == "old"
    with aside(path) as other:
        other.write_text("new")
    assert path.read_text() == "new"
    assert [each.name for each in tmp_path.iterdir()] == ["curve.png"]


def test_the_config_goes_last() -> None:
    assert ARTEFACTS[-1] == "config.yaml"
