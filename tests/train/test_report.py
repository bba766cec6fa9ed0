"""The game that a run leaves to look at."""

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from ks_train.judge.evaluate import ModelPlayer, play_series
from ks_train.judge.report import play_game, sample_game
from ks_train.learn.config import Experiment
from ks_train.learn.ppo import make_env, make_model

from ks_env.belief import encoders
from ks_env.core.answers import Reason
from ks_env.core.planes import Plane
from ks_env.games.kriegspiel.planes import COUNT
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.games.opening import Opening
from ks_env.players import registry
from ks_env.record import steps
from tests.envs.play import Scribe

SETTINGS: dict[str, Any] = {
    "name": "fresh",
    "env": {"num_envs": 2, "start": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "ruleset_options": {"max_plies": 30}},
    "opponents": [{"opponent": "random"}],
    "learner": {"steps": 2, "batch_size": 2, "gamma": 0.9},
    "network": {"channels": 8, "layers": 1, "embedding": 4, "value_hidden": 8},
    "budget": {"timesteps": 4},
    "evaluation": {"against": ["random"], "games": 2},
}


class Pawns:
    """One more plane: the seat's own pawns."""

    planes = (Plane("pawns", 1, False, "own pawns"),)
    memory = encoders.NO_MEMORY
    seen = 0

    def begin(self, opening: Opening) -> Any:
        raise AssertionError("there is no memory to begin")

    def observe(self, views: np.ndarray, memory: np.ndarray, rules: Any, out: np.ndarray) -> None:
        assert views.dtype.names
        assert "truth" not in views.dtype.names
        out[:, 0] = (views["men"] == chess.PAWN).reshape(-1, 8, 8)
        Pawns.seen += len(views)


class Vandal(Scribe):
    """Writes into what it is shown."""

    def choose(self, view: np.void) -> int:
        action = super().choose(view)
        view["men"] = 0
        view["own"] = 0
        return action


def experiment(**env: Any) -> Experiment:
    return Experiment.model_validate(SETTINGS | {"env": SETTINGS["env"] | env})


def replays(record: GameRecord) -> bool:
    return len(list(steps(record))) == len(record.tries) + 1


def test_an_encoder_is_there_in_training_evaluation_and_sample_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = EntryPoint("pawns", f"{__name__}:Pawns", encoders.GROUP)
    monkeypatch.setattr(encoders, "entry_points", lambda group: [entry])
    config = experiment(encoder="pawns")
    model = make_model(config, make_env(config, 0), tmp_path)
    assert model.observation_space.shape == (COUNT + 1, 8, 8)
    assert play_series(ModelPlayer(model, 1.0, 1), "random", 2, 1, config.env).score.games == 2
    Pawns.seen = 0
    record = sample_game(config, model)
    own = sum(entry.seat == chess.WHITE for entry in record.tries)
    assert Pawns.seen >= own > 0
    assert replays(record)


def test_the_sample_game_is_of_the_experiments_rules(tmp_path: Path) -> None:
    config = experiment(ruleset="berkeley", ruleset_options={"max_plies": 6}, hidden_start=True)
    model = make_model(config, make_env(config, 0), tmp_path)
    record = play_game(config.env, model, 1.0, "random", 4)
    assert record.ruleset.name == "berkeley"
    assert record.ruleset.max_plies == 6
    assert record.hidden_start
    assert record.start_fen == SETTINGS["env"]["start"]
    assert record.reason is Reason.PLIES
    assert replays(record)
    assert record == play_game(config.env, model, 1.0, "random", 4)
    assert record != play_game(config.env, model, 1.0, "random", 5)


def test_an_opponent_cannot_change_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "vandal", Vandal)
    monkeypatch.setitem(registry.BUILT_IN, "scribe", Scribe)
    config = experiment()
    model = make_model(config, make_env(config, 0), tmp_path)
    games = [play_game(config.env, model, 1.0, name, 2) for name in ("vandal", "scribe")]
    assert games[0].tries == games[1].tries
    assert replays(games[0])


def test_training_has_the_learners_discount_and_the_rules_options() -> None:
    config = experiment()
    settings = make_env(config, 0).get_attr("engine")[0]
    assert settings.batch.settings["gamma"] == 0.9
    assert settings.rules.max_plies == 30


def test_a_sample_game_of_a_model_with_a_memory(tmp_path: Path) -> None:
    config = experiment(encoder="metaposition")
    model = make_model(config, make_env(config, 0), tmp_path)
    assert replays(sample_game(config, model))
    series = play_series(ModelPlayer(model, 1.0, 1), "capture", 4, 1, config.env)
    assert series.score.games == 4
