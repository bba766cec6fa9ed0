"""A file that names a player is no program."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from ks_arena.apart.cage import Walls
from ks_arena.sections import ConfigError, load_section
from ks_arena.study.config import load_study
from ks_train.commands.main import app
from ks_train.learn.config import Evaluation
from typer.testing import CliRunner

from ks_env.players.trust import allow, check_named_in_file, forget, runs

STUDY = """
name: trap
tournament: {{kind: round-robin, players: [random, "{player}"]}}
games: 2
"""


@pytest.fixture(autouse=True)
def nothing_allowed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("ks_arena.study.config.walls", lambda: Walls("none", (), complete=False))
    yield
    forget()


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ("random", ()),
        ("mcts-c:nodes=5", ()),
        ("sampler-los:engine=stockfish", ()),
        ("model:file=a.zip,algorithm=stable_baselines3:PPO", ()),
        ("os:system:command='touch x'", ("os:system",)),
        ("process:command='touch x'", ("touch x",)),
        ("sampler-los:engine='touch x'", ("touch x",)),
        ("advisors:engine=stockfish;true", ("stockfish;true",)),
        ("model:file=a.zip,algorithm='os:system'", ("os:system",)),
    ],
)
def test_what_a_name_runs(spec: str, found: tuple[str, ...]) -> None:
    assert runs(spec) == found
    if found:
        with pytest.raises(ValueError, match="--allow"):
            check_named_in_file(spec)
        allow(*found)
    check_named_in_file(spec)


def test_a_study_runs_nothing_that_was_not_allowed(tmp_path: Path) -> None:
    mark, file = tmp_path / "mark", tmp_path / "study.yaml"
    file.write_text(STUDY.format(player=f"os:system:command='touch {mark}'"))
    done = CliRunner().invoke(app, ["tournament", str(file), "--folder", str(tmp_path / "out")])
    words = done.output.replace("\n", " ")
    assert done.exit_code != 0
    assert "study.yaml" in words
    assert "os:system" in words
    assert "--allow" in words
    assert not mark.exists()
    allow("os:system")
    load_study(file)


def test_a_place_within_walls_is_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ks_arena.study.config.walls", lambda: Walls("all", (), complete=True))
    file = tmp_path / "study.yaml"
    file.write_text(STUDY.format(player="os:system:command='true'"))
    load_study(file)
    file.write_text(STUDY.format(player="os:system:command='true'") + "isolated: false\n")
    with pytest.raises(ConfigError, match=r"study.yaml: .*os:system"):
        load_study(file)
    file.write_text(STUDY.format(player="process:command='true'"))
    with pytest.raises(ConfigError, match="--allow 'true'"):
        load_study(file)


def test_a_config_of_training_makes_no_place(tmp_path: Path) -> None:
    mark, file = tmp_path / "mark", tmp_path / "evaluation.yaml"
    file.write_text(f"against: [\"os:system:command='touch {mark}'\"]\n")
    with pytest.raises(ConfigError, match=r"evaluation.yaml: against.0: .*os:system"):
        load_section(Evaluation, file)
    assert not mark.exists()
