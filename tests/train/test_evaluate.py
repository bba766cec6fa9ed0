from collections import Counter
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from ks_arena.sections import ConfigError
from ks_train.judge import evaluate
from ks_train.judge.evaluate import ModelPlayer, load_model, play_names, play_series
from ks_train.learn.config import Environment, Experiment
from ks_train.learn.ppo import make_env, make_model

from ks_env.core.answers import Kind
from ks_env.envs.sb3 import GameVecEnv
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.opening import Opening
from ks_env.players import registry
from ks_env.players.kernel_player import random_player

CLOSE = Environment(start=("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",))  # short games


class FirstAllowed:
    """A player that needs no training."""

    name = "first"

    def __init__(self) -> None:
        self.asked = Counter[int]()

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert masks.any(axis=1).all(), "only games under way are asked about"
        assert observations.shape[2:] == (8, 8)
        self.asked[len(masks)] += 1
        actions: np.ndarray = masks.argmax(axis=1)
        return actions


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    config = Experiment.model_validate(
        {
            "name": "fresh",
            "env": {"num_envs": 2},
            "opponents": [{"opponent": "random"}],
            "learner": {"steps": 2, "batch_size": 2},
            "network": {"channels": 8, "layers": 1, "embedding": 4, "value_hidden": 8},
            "budget": {"timesteps": 4},
        }
    )
    return make_model(config, make_env(config, 0), tmp_path_factory.mktemp("run"))


def test_each_slot_plays_the_games_fixed_in_advance() -> None:
    env = GameVecEnv(4, "random", start=CLOSE.start, seed=3)
    slots = []
    step_wait = env.step_wait

    def noted() -> Any:
        outcome = step_wait()
        slots.extend(outcome[2].nonzero()[0].tolist())
        return outcome

    env.step_wait = noted  # type: ignore[method-assign]
    quota = np.array([3, 2, 1, 2])
    episodes = list(evaluate._episodes(FirstAllowed(), env, quota))
    assert len(episodes) == quota.sum()
    # Slots went on playing after their quota, and those games are not among the episodes.
    assert (np.bincount(slots, minlength=4) >= quota).all()
    assert len(slots) > quota.sum()


def test_games_are_split_by_colour_and_among_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate, "SLOTS", 3)
    player = FirstAllowed()
    series = play_series(player, "random", 14, 1, CLOSE)
    assert len(series.white) == len(series.black) == 7
    assert max(player.asked) == 3
    row = series.row()
    assert row["games"] == 14 == row["wins"] + row["draws"] + row["losses"]
    assert sum(row["reasons"].values()) == 14


def test_the_seed_fixes_the_games(model: Any) -> None:
    first, again, other = (
        play_series(ModelPlayer(model, 1.0, seed), "capture", 6, seed, CLOSE) for seed in (5, 5, 6)
    )
    assert first == again
    assert first.games != other.games


def test_temperature_zero_takes_the_likeliest_and_all_are_allowed(model: Any) -> None:
    env = GameVecEnv(8, "random", seed=1)
    observations, masks = env.reset(), np.array(env.action_masks())
    rows = np.arange(8)
    greedy = ModelPlayer(model, 0.0, 1).choose(observations, masks)
    expected = model.predict(observations, action_masks=masks, deterministic=True)[0]
    np.testing.assert_array_equal(greedy, expected)
    drawn = np.array([ModelPlayer(model, 2.0, seed).choose(observations, masks) for seed in range(20)])
    assert masks[rows, drawn].all()
    assert len(np.unique(drawn[:, 0])) > 5
    cold = ModelPlayer(model, 1e-4, 1).choose(observations, masks)
    np.testing.assert_array_equal(cold, greedy)


@pytest.mark.parametrize("games", [0, 3, -2])
def test_odd_numbers_of_games_are_refused(games: int) -> None:
    with pytest.raises(ValueError, match="even number of games"):
        play_series(FirstAllowed(), "random", games, 1)
    with pytest.raises(ValueError, match="even number of games"):
        play_names("random", "random", games, 1)


def test_a_model_of_other_planes_is_refused(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    player = ModelPlayer(model, 1.0, 1, "old")
    player.space = spaces.Box(0, 1, (3, 8, 8), np.uint8)
    with pytest.raises(ValueError, match=r"old: was trained on planes of shape \(3, 8, 8\)"):
        play_series(player, "random", 2, 1)


@pytest.mark.parametrize("temperature", [-0.1, float("nan"), float("inf")])
def test_temperatures_that_divide_nothing_are_refused(model: Any, temperature: float) -> None:
    with pytest.raises(ValueError, match="expected 0 or a positive number"):
        ModelPlayer(model, temperature, 1)


def test_options_of_the_ruleset_count() -> None:
    env = Environment(ruleset_options={"max_plies": 6}, hidden_start=True)
    for series in (
        play_series(FirstAllowed(), "random", 4, 1, env),
        play_names("random", "random", 4, 1, env),
    ):
        assert series.reasons() == {"plies": 4}


def test_named_players_meet() -> None:
    series = play_names("capture", "random", 60, 1)
    assert series.score.margin_interval()[0] > 0, "capture is the stronger"
    mirrored = play_names("random", "capture", 60, 1)
    assert mirrored.score.margin_interval()[1] < 0
    assert play_names("capture", "random", 10, 1) == play_names("capture", "random", 10, 1)


def test_players_that_listen_hear_what_their_seat_may(monkeypatch: pytest.MonkeyPatch) -> None:
    players = []

    class Listener:
        def __init__(self) -> None:
            self.name, self.inner, self.heard = "listener", random_player(), list[Announcement]()
            players.append(self)

        def begin(self, opening: Opening) -> None:
            assert opening.start_fen == CLOSE.start[0] if CLOSE.start else False
            self.colour = opening.colour
            self.inner.begin(opening)

        def choose(self, view: Any) -> int:
            return self.inner.choose(view)

        def hear(self, announcement: Announcement) -> None:
            self.heard.append(announcement)

    monkeypatch.setitem(registry.BUILT_IN, "listener", Listener)
    series = play_names("listener", "random", 4, 7, CLOSE)
    told = [player for player in players if player.heard]
    assert len(told) == 4
    for player in told:
        kinds = [each.kind for each in player.heard]
        assert kinds[0] == Kind.START
        assert kinds.count(Kind.START) == 1
        others = [each for each in player.heard[1:] if each.by != player.colour]
        assert others
        assert all(each.action is None and each.kind == Kind.MOVED for each in others), "ICC: no refusals"
        assert player.heard[-1].reason != 0
    own = sum(each.by == player.colour for player in told for each in player.heard[1:])
    assert own == sum(game.length for game in series.games)


def test_models_that_are_none(tmp_path: Any) -> None:
    with pytest.raises(ConfigError, match="no such model"):
        load_model(tmp_path)
    (tmp_path / "model.zip").write_bytes(b"PK damaged")
    with pytest.raises(ConfigError, match="is not a model or is damaged"):
        load_model(tmp_path)
