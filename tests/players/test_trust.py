"""A file that names a player is no program."""

import base64
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from ks_arena.apart.cage import Walls
from ks_arena.sections import ConfigError, load_section
from ks_arena.study.config import load_study
from ks_train.commands.main import app
from ks_train.learn.config import Evaluation
from stable_baselines3 import PPO
from stable_baselines3.common.save_util import data_to_json
from typer.testing import CliRunner

from ks_env.players.contents import UNCLEAR, foreign
from ks_env.players.trust import allow, check_named_in_file, forget, runs
from tests.train.models import save_run

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
        (
            "model:file=a.zip,algorithm=stable_baselines3:common.save_util.pickle",
            ("stable_baselines3:common.save_util.pickle",),
        ),
        ("os:system:command='touch x'", ("os:system",)),
        ("process:command='touch x'", ("touch x",)),
        ("sampler-los:engine='touch x'", ("touch x",)),
        ("advisors:engine=stockfish;true", ("stockfish;true",)),
        ("model:file=a.zip,algorithm='os:system'", ("os:system",)),
    ],
)
def test_what_a_name_runs(spec: str, found: tuple[str, ...]) -> None:
    assert runs(spec) == {each: each for each in found}
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


class Touching:
    """What is pickled of it makes a file where it is loaded."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.file),)


def _write_model(file: Path, **parts: Any) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data", data_to_json(parts))
    return file


def test_a_model_in_a_study_runs_nothing_that_was_not_allowed(tmp_path: Path) -> None:
    mark, file, study = tmp_path / "mark", tmp_path / "evil.zip", tmp_path / "study.yaml"
    _write_model(file, policy_kwargs={"net_arch": [4]}, learning_rate=Touching(mark))
    for player in (str(file), f"model:file={file}"):
        study.write_text(STUDY.format(player=player))
        with pytest.raises(ConfigError, match=rf"study.yaml: .*runs '\w+.mkdir'.*--allow '{file}'"):
            load_study(study)
    assert not mark.exists()
    allow(str(file))
    load_study(study)


def test_models_that_training_writes_run_nothing(tmp_path: Path) -> None:
    for number, env in enumerate(({}, {"encoder": None, "terms": "raw"})):
        assert foreign(save_run(tmp_path / str(number), env=env)) == ()
    activation = {"net_arch": [4], "activation_fn": torch.nn.ELU, "optimizer_class": torch.optim.SGD}
    PPO("MlpPolicy", "CartPole-v1", n_steps=2, policy_kwargs=activation).save(tmp_path / "other.zip")
    assert foreign(tmp_path / "other.zip") == ()


def _as_text(code: bytes) -> dict[str, str]:
    return {":serialized:": base64.b64encode(code).decode()}


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (b"cos\nsystem\n(S'true'\ntR.", "os.system"),
        (b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93.", "builtins.eval"),
        (b"\x80\x04\x8c\x08builtins\x8c\x0cobject.mro.x\x93.", "builtins.object.mro.x"),
        (
            b"cstable_baselines3.common.policies\nth.hub.load\n.",
            "stable_baselines3.common.policies.th.hub.load",
        ),
        (
            b"cstable_baselines3.common.utils\nSummaryWriter\n(S'x'\ntR.",
            "stable_baselines3.common.utils.SummaryWriter",
        ),
        (b"Pfile\n.", UNCLEAR),
        (b"cnumpy\ndtype\n(S'i4'\ntR}S'a'\nb(S'x'\nd(((((", UNCLEAR),
    ],
)
def test_what_a_pickle_names_is_found(code: bytes, name: str, tmp_path: Path) -> None:
    file = tmp_path / "model.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data", json.dumps({"a": 1, "b": _as_text(code)}))
    assert foreign(file) == foreign(tmp_path) == (name,)


def test_what_is_no_archive_runs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "model.zip"
    assert foreign(file) == ()
    file.write_bytes(b"PK\x03\x04 no archive")
    assert foreign(file) == ()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data", "[1]")
    assert foreign(file) == ()
