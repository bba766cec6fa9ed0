"""Configs that are found by name."""

from pathlib import Path

import pytest
from ks_arena.sections import ConfigError, read_yaml
from ks_arena.shipped import config_names, configs_folder, find_shipped
from ks_arena.study.config import load_study

CONFIGS = Path(__file__).resolve().parents[2] / "configs"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_config_has_a_name() -> None:
    assert configs_folder() == CONFIGS
    assert {CONFIGS / f"{name}.yaml" for name in config_names()} == set(CONFIGS.rglob("*.yaml"))


@pytest.mark.parametrize(
    "name", ["quickstart", "quickstart.yaml", "configs/quickstart.yaml", "configs/quickstart"]
)
def test_by_name_ending_or_path(name: str) -> None:
    assert find_shipped(name) == CONFIGS / "quickstart.yaml"


def test_the_users_own_file_comes_first(tmp_path: Path) -> None:
    own = tmp_path / "configs" / "quickstart.yaml"
    own.parent.mkdir()
    own.write_text("name: own")
    assert read_yaml("configs/quickstart.yaml") == {"name": "own"}
    assert read_yaml("quickstart")["name"] == "quickstart"


@pytest.mark.parametrize("name", ["none.yaml", "../README", "/quickstart", "studies", ""])
def test_other_paths_stay_as_they_are(name: str) -> None:
    assert find_shipped(name) == Path(name)


def test_a_name_that_is_nearly_right() -> None:
    with pytest.raises(ConfigError, match=r"quickstrt: cannot be read: .*`ks configs` such as quickstart"):
        read_yaml("quickstrt")


def test_a_name_that_no_file_can_have_is_refused_in_one_line() -> None:
    for read in (read_yaml, load_study):
        with pytest.raises(ConfigError, match="cannot be read"):
            read("[" * 50_000)
    assert find_shipped("x" * 5000) == Path("x" * 5000)
