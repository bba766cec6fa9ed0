"""The examples run as they stand."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from benchmarks import plugins
from benchmarks.plugins import SAID, environment, kept, programs, requirement_of, row, tried

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_ppo_in_one_file(tmp_path: Path) -> None:
    options = ["--seconds", "1", "--opponents", "random*2,capture*2", "--games", "5", "--save", "weights.pt"]
    run = [sys.executable, str(EXAMPLES / "ppo.py"), *options]
    printed = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    lines = printed.splitlines()
    assert [line.partition(":")[0] for line in lines[-2:]] == ["random", "capture"]
    assert (tmp_path / "weights.pt").stat().st_size > 10_000
    assert len((EXAMPLES / "ppo.py").read_text().splitlines()) <= 250


NEEDS = {  # the modules that tell whether a program's framework is here
    "agilerl_ppo": ("agilerl", "peft"),
    "agilerl_selfplay": ("agilerl", "peft"),
    "d3rlpy_cql": ("d3rlpy", "minari"),
    "rllib_ppo": ("ray", "tree", "pandas"),
    "rllib_selfplay": ("ray", "tree", "pandas"),
    "sb3_ppo": ("sb3_contrib",),
    "supersuit_selfplay": ("supersuit",),
    "tianshou_ppo": ("tianshou",),
    "tianshou_selfplay": ("tianshou",),
    "torchrl_ppo": ("torchrl",),
    "torchrl_selfplay": ("torchrl",),
    "zoo_ppo": ("rl_zoo3",),
}
NEVER_SKIPPED = {"sb3_ppo", "torchrl_ppo", "torchrl_selfplay"}  # the extra `dev` brings their frameworks
if sys.version_info < (3, 13):
    NEVER_SKIPPED |= {"supersuit_selfplay"}


@pytest.mark.parametrize("name", programs())
def test_a_program_trains(name: str, tmp_path: Path) -> None:
    missing = [module for module in NEEDS[name] if find_spec(module) is None]
    if missing and name not in NEVER_SKIPPED:
        pytest.skip(f"{name} needs {', '.join(missing)}")
    run = [sys.executable, str(EXAMPLES / "plugins" / f"{name}.py"), "--seconds", "1"]
    said = SAID.search(subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout)
    assert said is not None
    assert int(said[1]) > 0
    assert 0 <= int(said[3]) <= int(said[4])


def test_every_program_says_what_it_needs() -> None:
    files = {path.stem for path in (EXAMPLES / "plugins").glob("*.py")} - {"nets", "judging", "rllib_module"}
    assert files == set(programs())
    for name in files:
        assert len((EXAMPLES / "plugins" / f"{name}.py").read_text().splitlines()) <= 60, name


PROGRAMS = {
    "fine": ("print('1000 tries in 4.0 s; won 3 of 8 games')", True, "| 4 s | 250 | 25.0% |"),
    "raises": ("raise ValueError('no such space | at all')", False, "ValueError: no such space / at all"),
    "silent": ("", False, "nothing was said"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_table_tells_what_came_of_a_program(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, works, words = PROGRAMS[name]
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / f"{name}.txt").write_text("numpy\n")
    (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.setattr(plugins, "FOLDER", tmp_path)

    def here(*_: Any) -> tuple[Path, str]:
        return Path(sys.executable), ""

    monkeypatch.setattr(plugins, "environment", here)
    outcome = tried(name, 1.0, tmp_path)
    assert outcome["works"] is works
    assert words in row(outcome | {"plain_loop": 1000.0})


def test_what_pip_cannot_install_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "none.txt").write_text("numpy\n")
    (tmp_path / "none.py").write_text("")
    monkeypatch.setattr(plugins, "FOLDER", tmp_path)
    monkeypatch.setattr(plugins, "environment", lambda *_: (tmp_path, "ERROR: no matching distribution"))
    outcome = tried("none", 1.0, tmp_path)
    assert "not installed: ERROR: no matching distribution" in row(outcome)


def test_programs_that_need_the_same_share_an_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements" / "loose").mkdir(parents=True)
    for name, needs in (("first", "numpy"), ("second", "numpy"), ("third", "numpy"), ("fourth", "scipy")):
        (tmp_path / "requirements" / f"{name}.txt").write_text(needs)
        (tmp_path / name).mkdir()
        (tmp_path / name / "ready").touch()
    (tmp_path / "requirements" / "loose" / "third.txt").write_text("scipy")
    monkeypatch.setattr(plugins, "FOLDER", tmp_path)
    places = {name: environment(name, tmp_path)[0].parts[-3] for name in programs()}
    assert places == {"first": "first", "second": "first", "third": "third", "fourth": "fourth"}


def test_what_is_installed_past_its_pins_is_told() -> None:
    assert requirement_of("sb3_ppo")[1] is False
    name, loose = requirement_of("d3rlpy_cql")
    assert name.startswith("d3rlpy==")
    assert loose
    outcome = {
        "program": "d3rlpy_cql",
        "framework": "d3rlpy 1",
        "lines": 50,
        "works": True,
        "past_its_pins": True,
    }
    figures = {"tries": 40, "rate": 10.0, "won": 1, "games": 8, "plain_loop": 100.0, "load": 1.5}
    assert row(outcome | figures).endswith("| yes, past its pins | 50 | 4 s | 10 | 10.0% | 1.5 | 1 of 8 |")


def test_rows_that_are_not_made_anew_are_kept(tmp_path: Path) -> None:
    rows = [{"program": name} for name in ("sb3_ppo", "zoo_ppo", "no_more")]
    (tmp_path / "plugins.json").write_text(json.dumps({"programs": rows}))
    assert kept(tmp_path, ["zoo_ppo"]) == [{"program": "sb3_ppo"}]
    assert kept(tmp_path / "none", []) == []
    assert kept(None, []) == []
