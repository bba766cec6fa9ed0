"""The players of shipped networks: the network without torch, its file, its tries."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
import torch
from ks_arena.sections import ConfigError, dump_section
from ks_baselines.policy import (
    SHIPPED,
    Weights,
    policy_judged_player,
    policy_player,
    read_weights,
    score,
    write_weights,
)
from ks_train.judge.evaluate import play_names
from ks_train.learn.config import Experiment
from ks_train.learn.ppo import make_env, make_model
from ks_train.policy.ship import ship
from ks_train.policy.terms import Rows, TermsNetwork

from ks_env import GameVectorEnv
from ks_env.belief.terms import Tries, taken
from ks_env.belief.terms.raw import RawTerms
from ks_env.core.ruleset import ICC, RULESETS
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players import make_player
from tests.belief.terms.seat import preset
from tests.leaks.replayed import decisions
from tests.leaks.scripted import finished_pairs

TERMS = RawTerms()
PLAYERS = ("policy", "policy-judged:boards=16,depth=1,room=128")


def some_tries() -> Tries:
    """Of eight games, some moves on."""
    env = GameVectorEnv(8, "random", terms=TERMS, ragged_tries=True, autoreset_mode="SameStep")
    _, info = env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(30):
        weights = rng.random(info["action_mask"].shape) * info["action_mask"]
        _, _, _, _, info = env.step(weights.argmax(1))
    return taken(env.tries(), np.arange(8))


def network() -> TermsNetwork:
    """One whose every part counts."""
    torch.manual_seed(1)
    made = TermsNetwork(len(TERMS.tries), len(TERMS.states), 12, 6)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.normal_(std=0.3)
    return made


def test_it_is_the_network_that_was_trained() -> None:
    made, tries = network(), some_tries()
    weights = Weights.of({name: tensor.numpy() for name, tensor in made.state_dict().items()})
    with torch.no_grad():
        logits, values = made(Rows.of(tries))
    for row in range(8):
        one = taken(tries, np.array([row]))
        found, value = score(weights, one)
        first, last = tries.offsets[row : row + 2]
        np.testing.assert_allclose(found, logits[first:last].numpy(), rtol=1e-4, atol=1e-4)
        assert value == pytest.approx(float(values[row]), rel=1e-4, abs=1e-4)


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "weights.npz"
    weights = Weights.of({name: tensor.numpy() for name, tensor in network().state_dict().items()})
    write_weights(weights, TERMS, 0.25, file)
    read, temperature = read_weights(file, TERMS)
    assert temperature == 0.25
    for mine, other in zip(weights, read, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-3, atol=1e-4)
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match=r"weights.npz: holds no weights or is damaged"):
        read_weights(file, TERMS)


def test_weights_of_other_terms_are_refused(tmp_path: Path) -> None:
    class Fewer(RawTerms):
        tries = RawTerms.tries[1:]

    file = tmp_path / "weights.npz"
    weights = Weights.of({name: tensor.numpy() for name, tensor in network().state_dict().items()})
    write_weights(weights, Fewer(), 1.0, file)
    with pytest.raises(ValueError, match="was trained on other terms"):
        read_weights(file, TERMS)


def test_only_models_over_terms_of_a_player_are_shipped(tmp_path: Path) -> None:
    file = tmp_path / "weights.npz"
    for name, over in (("planes", None), ("full", "full"), ("raw", "raw")):
        settings: dict[str, Any] = {
            "name": name,
            "env": {"terms": over, "num_envs": 1},
            "opponents": [{"opponent": "random"}],
            "learner": {"steps": 2, "batch_size": 2},
            "network": {"width": 8, "value_hidden": 4, "channels": 4, "layers": 1, "embedding": 2},
            "budget": {"timesteps": 2},
            "evaluation": {"temperature": 0.7},
        }
        config = Experiment.model_validate(settings)
        (tmp_path / name).mkdir()
        model = make_model(config, make_env(config, 0), None)
        model.save(tmp_path / name / "model.zip")
        (tmp_path / name / "config.yaml").write_text(dump_section(config))
    for name in ("planes", "full"):
        expected = f"{name}: rests on no terms that a player has; expected .* raw or judged-deep"
        with pytest.raises(ConfigError, match=expected):
            ship(tmp_path / name, file)
    assert not file.exists(), "nothing is half written"
    ship(tmp_path / "raw", file)
    read, temperature = read_weights(file, TERMS)
    assert temperature == 0.7
    of_try = model.policy.network.of_try.weight.detach().numpy()  # type: ignore[union-attr, operator]
    np.testing.assert_allclose(read.of_try, of_try, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("terms", SHIPPED)
def test_the_shipped_weights_are_small(terms: str) -> None:
    assert SHIPPED[terms].stat().st_size < 2_000_000
    weights, temperature = read_weights(SHIPPED[terms], preset(terms))
    assert all(np.isfinite(array).all() for array in weights)
    assert temperature > 0, "the likeliest try alone repeats itself"


@pytest.mark.parametrize("wrong", [-1, "hot", True, float("nan")])
def test_wrong_temperatures(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"temperature is .*; expected a number of at least 0"):
        policy_player(temperature=wrong)
    with pytest.raises(ValueError, match="player 'policy-judged': temperature is"):
        policy_judged_player(temperature=wrong)


@pytest.mark.parametrize("key", ["boards", "depth", "room", "model"])
@pytest.mark.parametrize("wrong", [0, "much", None, 10**7, True])
def test_wrong_parameters(key: str, wrong: Any) -> None:
    with pytest.raises(ValueError, match=f"player 'policy-judged': {key} is {wrong!r}; expected"):
        policy_judged_player(**{key: wrong})


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_plays_by_all_rules_and_a_seed_fixes_the_game(ruleset: str, name: str) -> None:
    played = []
    for _ in range(2):
        env = GameVectorEnv(2, name, ruleset=ruleset, seat="white")
        _, info = env.reset(seed=5)
        rng, seen = np.random.default_rng(1), []
        for _ in range(40):
            actions = (rng.random(info["action_mask"].shape) * info["action_mask"]).argmax(1)
            observations, *_, info = env.step(actions)
            seen.append(observations["observation"].tobytes())
        played.append(seen)
    assert played[0] == played[1]


@pytest.mark.parametrize("name", PLAYERS)
def test_one_history_is_one_try(name: str) -> None:
    """Pairs of games that its seat cannot tell apart."""
    compared = 0
    for pair in finished_pairs("icc", 4, seed=1):
        first, second = (list(decisions(make_player(name), pair, game, pair.seat)) for game in (0, 1))
        assert first == second, pair.transcript()
        compared += len(first)
    assert compared > 4


@pytest.mark.parametrize("name", PLAYERS)
def test_it_beats_simple_players(name: str) -> None:
    for opponent, least in (("random", 16), ("capture", 13)):
        assert play_names(name, opponent, 20, 9).score.wins >= least


def test_a_try_takes_less_than_a_millisecond() -> None:
    player = policy_player()
    player.begin(kriegspiel.opening(chess.WHITE, ICC, chess.STARTING_FEN, 1))
    view = Game().view(chess.WHITE)
    times = []
    for _ in range(200):
        begun = time.thread_time()
        player.choose(view)
        times.append(time.thread_time() - begun)
    assert float(np.median(times)) < 1e-3
