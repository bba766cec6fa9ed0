from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from ks_arena.sections import ConfigError, dump_section
from ks_arena.study.config import load_study
from ks_train.learn.config import Experiment, Schedule, load_config

from ks_env.core.ruleset import ICC, PawnTries
from ks_env.games.kriegspiel.options import Options

SMALLEST = {"name": "x", "opponents": [{"opponent": "random"}], "budget": {"timesteps": 1000}}
WHITE_MOVES, BLACK_MOVES = (f"4k3/8/8/8/8/8/4P3/4K3 {side} - - 0 1" for side in "wb")
CONFIGS = sorted(Path("configs").glob("*.yaml"))


def written(folder: Path, data: Any) -> Path:
    path = folder / "experiment.yaml"
    path.write_text(data if isinstance(data, str) else yaml.safe_dump(data))
    return path


def fault(folder: Path, **changes: Any) -> str:
    path = written(folder, SMALLEST | changes)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    message = str(caught.value)
    assert str(path) in message, "the file is named"
    return message


def test_unknown_key_names_key_and_the_one_meant(tmp_path: Path) -> None:
    message = fault(tmp_path, learner={"gama": 1.0})
    assert "learner.gama: unknown key (did you mean 'gamma'?" in message
    assert "epochs" in message


def test_unknown_key_in_a_stage_and_in_a_schedule(tmp_path: Path) -> None:
    assert "opponents.0.oponent: unknown key (did you mean 'opponent'?" in fault(
        tmp_path, opponents=[{"oponent": "random"}]
    )
    message = fault(tmp_path, learner={"learning_rate": {"begin": 0.1, "start": 0.1, "end": 0.1}})
    assert "learner.learning_rate.begin: unknown key" in message
    assert "expected one of start, end" in message


def test_every_fault_is_reported(tmp_path: Path) -> None:
    message = fault(tmp_path, seeed=3, env={"num_envs": 0})
    assert "seeed" in message
    assert "env.num_envs: input should be greater than or equal to 1; found 0" in message


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"env": {"mask": "none"}}, "'informed' or 'own-board'"),
        ({"env": {"ruleset": "icq"}}, "icc"),
        ({"env": {"start": "8/8/8/8/8/8/8/8 w - - 0 1"}}, "env.start.0: bad FEN"),
        ({"env": {"start": ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]}}, "has no legal move"),
        ({"env": {"start": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}}, "over for lack of material"),
        (
            {"env": {"hidden_start": True, "start": [WHITE_MOVES, BLACK_MOVES]}},
            "env.hidden_start: hidden start",
        ),
        ({"env": {"encoder": "nothing"}}, "env.encoder: unknown encoder 'nothing'"),
        ({"env": {"ruleset_options": {"max_plys": 3}}}, "env.ruleset_options: unknown ruleset option"),
        ({"env": {"ruleset_options": {"max_plies": 0}}}, "expected an integer from 1 to"),
        ({"env": {"shaping": {"pawn": float("inf")}}}, "env.shaping.pawn: input should be a finite number"),
        ({"env": {"start": "nonsense"}}, "env.start.0"),
        ({"env": {"shaping": "materiel"}}, "env.shaping"),
        ({"opponents": []}, "opponents, league: expected one of the two"),
        (
            {"opponents": [{"opponent": "random"}, {"opponent": "rando"}]},
            "opponents.1.opponent: unknown player",
        ),
        ({"opponents": [{"opponent": "random:level=3"}]}, "it takes the parameters: none"),
        ({"evaluation": {"against": []}}, "evaluation.against: tuple should have at least 1 item"),
        ({"evaluation": {"against": ["rando"]}}, "evaluation.against.0: unknown player 'rando'"),
        ({"evaluation": {"reference": ["rando"]}}, "evaluation.reference.0: unknown player 'rando'"),
        (
            {"learner": {"learning_rate": 0}},
            "learner.learning_rate: goes from 0.0 to 0.0; expected a start above",
        ),
        ({"learner": {"learning_rate": {"start": 1e-3, "end": -1e-3}}}, "learner.learning_rate: goes from"),
        (
            {"learner": {"learning_rate": float("nan")}},
            "learner.learning_rate.start: input should be a finite",
        ),
        ({"learner": {"gamma": float("nan")}}, "learner.gamma: input should be a finite number"),
        ({"budget": {"minutes": float("inf")}}, "budget.minutes: input should be a finite number"),
        ({"seed": 2**32}, "seed: input should be less than 4294967296"),
        ({"budget": {}}, "expected timesteps, minutes or cpu_minutes"),
        ({"learner": {"batch_size": 100}}, "does not divide"),
        ({"evaluation": {"games": 401}}, "multiple of 2"),
        ({"name": "a/b"}, "name"),
        ({"name": "."}, "name: expected a name with a letter"),
        ({"name": ".."}, "name: expected a name with a letter"),
    ],
)
def test_wrong_values_say_what_was_expected(tmp_path: Path, changes: dict[str, Any], wanted: str) -> None:
    message = fault(tmp_path, **changes)
    assert wanted in message
    assert len(message.splitlines()) <= 2, "one line a key"


def test_missing_key(tmp_path: Path) -> None:
    path = written(tmp_path, {"name": "x", "budget": {"minutes": 1}})
    with pytest.raises(ConfigError, match="opponents, league: expected one of the two"):
        load_config(path)


@pytest.mark.parametrize(
    ("text", "wanted"), [("[1, 2]", "found list"), ("a: [", "is not YAML"), ("", "found NoneType")]
)
def test_what_is_no_experiment_at_all(tmp_path: Path, text: str, wanted: str) -> None:
    with pytest.raises(ConfigError, match=wanted):
        load_config(written(tmp_path, text))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml: cannot be read"):
        load_config(tmp_path / "none.yaml")


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_configs_load_and_survive_a_round_trip(path: Path, tmp_path: Path) -> None:
    config = load_config(path)
    assert config.name == path.stem
    assert load_config(written(tmp_path, dump_section(config))) == config


def test_there_are_shipped_configs() -> None:
    assert {"quickstart", "long"} <= {path.stem for path in CONFIGS}


def test_schedules_are_lines_and_numbers_are_constant() -> None:
    assert Schedule.model_validate(0.3).at(0.7) == 0.3
    line = Schedule(start=1.0, end=0.0)
    assert [line.at(x) for x in (-1, 0, 0.25, 1, 2)] == [1, 1, 0.75, 0, 0]


def test_stages_share_the_budget() -> None:
    config = Experiment.model_validate(
        SMALLEST | {"opponents": [{"opponent": "random", "share": 3}, {"opponent": "capture", "share": 1}]}
    )
    assert [config.stage(x) for x in (0, 0.5, 0.74, 0.76, 1)] == [0, 0, 0, 1, 1]


def test_the_nearer_limit_of_the_budget_counts() -> None:
    budget = Experiment.model_validate(SMALLEST | {"budget": {"timesteps": 100, "minutes": 1}}).budget
    assert budget.progress(timesteps=50, seconds=6) == 0.5
    assert budget.progress(timesteps=50, seconds=54) == 0.9
    assert budget.progress(timesteps=200, seconds=0) == 1
    budget = Experiment.model_validate(SMALLEST | {"budget": {"cpu_minutes": 1}}).budget
    assert budget.progress(timesteps=50, seconds=500, cpu_seconds=15) == 0.25


def test_options_of_the_ruleset_and_hidden_starts_reach_the_environment(tmp_path: Path) -> None:
    config = load_config(
        written(
            tmp_path,
            SMALLEST
            | {"env": {"ruleset_options": {"max_plies": 9, "pawn_tries": "none"}, "hidden_start": True}},
        )
    )
    assert load_config(written(tmp_path, dump_section(config))) == config
    options = Options(**config.env.options())
    assert options.rules() == replace(ICC, max_plies=9, pawn_tries=PawnTries.NONE)
    assert options.hidden_start


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "is nested too deep"),
        ("{a: " * 100_000, "is nested too deep"),
        ("a: 2020-13-45", "is not YAML: month must be in 1..12"),
        ("a: &a [x, *a]", "has more than 100,000 values once its aliases are written out"),
        (
            "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
            + "".join(
                f"{to}: &{to} [{', '.join([f'*{of}'] * 10)}]\n"
                for of, to in zip("abcdef", "bcdefg", strict=True)
            ),
            "has more than 100,000 values once its aliases are written out",
        ),
        ("name: x\nstart_file: 3\n", "start_file is 3; expected the name of a file"),
    ],
)
def test_yaml_that_is_not_a_config(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as error:
        load_study(path)
    assert str(path) in str(error.value)
