"""What every environment returns, infos included, on pairs of games with one history for a seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import chess
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ks_env.envs.aec import raw_env
from ks_env.envs.sb3 import GameVecEnv
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from tests.leaks.scripted import (
    Episode,
    Scripted,
    arguments,
    as_bytes,
    finished_pairs,
    seen_by_learner,
    split,
)
from tests.leaks.twins import Twins
from tests.oracle import RULES

PAIRS = 4


def solo(pair: Twins, own: list[int], opponent: Scripted) -> Iterator[Any]:
    env = GameEnv(opponent=lambda: opponent, shaping="material", **arguments(pair))
    yield env.reset(seed=5)
    for action in own:
        yield env.step(np.int64(action))


def vector(pair: Twins, own: list[int], opponent: Scripted) -> Iterator[Any]:
    env = GameVectorEnv(1, lambda: opponent, autoreset_mode=AutoresetMode.DISABLED, **arguments(pair))
    yield env.reset(seed=5)
    for action in own:
        yield env.step(np.array([action]))


def vector_same_step(pair: Twins, own: list[int], opponent: Scripted) -> Iterator[Any]:
    env = GameVectorEnv(1, lambda: opponent, autoreset_mode=AutoresetMode.SAME_STEP, **arguments(pair))
    yield env.reset(seed=5)
    for action in own:
        yield env.step(np.array([action]))[1:]


def bare(pair: Twins) -> dict[str, Any]:
    """The pair's arguments without what a compact observation has no place for."""
    return {key: value for key, value in arguments(pair).items() if key not in ("encoder", "terms")}


def compact(pair: Twins, own: list[int], opponent: Scripted) -> Iterator[Any]:
    env = GameVectorEnv(
        1, lambda: opponent, autoreset_mode=AutoresetMode.DISABLED, observation="compact", **bare(pair)
    )
    yield env.reset(seed=5)
    for action in own:
        yield env.step(np.array([action]))


def solo_compact(pair: Twins, own: list[int], opponent: Scripted) -> Iterator[Any]:
    env = GameEnv(opponent=lambda: opponent, observation="compact", **bare(pair))
    yield env.reset(seed=5)
    for action in own:
        yield env.step(np.int64(action))


def sb3(pair: Twins, own: list[int], opponent: Scripted) -> Iterator[Any]:
    env = GameVecEnv(1, lambda: opponent, seed=5, **arguments(pair))
    yield env.reset(), env.action_masks()
    for action in own:
        _, rewards, dones, infos = env.step(np.array([action]))
        yield rewards, dones, infos, None if dones.any() else env.action_masks()


@pytest.mark.parametrize("ruleset", RULES)
@pytest.mark.parametrize(
    "episode", [solo, vector, vector_same_step, compact, solo_compact, sb3], ids=lambda e: e.__name__
)
def test_against_an_opponent(episode: Episode, ruleset: str) -> None:
    steps = 0
    for pair in finished_pairs(ruleset, PAIRS, seed=1):
        first, second = (seen_by_learner(pair, game, episode) for game in range(2))
        for step, (shown, other) in enumerate(zip(first, second, strict=True)):
            assert shown == other, (step, pair.transcript())
        steps += len(first)
    assert steps > 2 * PAIRS


@pytest.mark.parametrize("ruleset", [name for name in RULES if not RULES[name].hopeless_public])
def test_pairs_differ_in_unheard_tries(ruleset: str) -> None:
    """So that an environment which counted the opponent's tries would be found out above."""
    pairs = finished_pairs(ruleset, PAIRS, seed=1)
    assert any(len(split(pair, 0)[1]) != len(split(pair, 1)[1]) for pair in pairs)


def aec(pair: Twins, game: int) -> list[Any]:
    """What `raw_env` shows the agent whenever it is to act, and at the end."""
    options = {key: value for key, value in arguments(pair).items() if key != "seat"}
    env, agent = raw_env(**options), chess.COLOR_NAMES[pair.seat]
    env.reset(seed=5)
    seen = []
    for action in pair.asked[game]:
        if env.agent_selection == agent:
            seen.append(as_bytes((env.last(), env.infos[agent])))
        env.step(action)
    shown = env.observe(agent), env.infos[agent], env.rewards[agent], env.terminations[agent]
    seen.append(as_bytes((*shown, env.truncations[agent])))
    return seen


@pytest.mark.parametrize("ruleset", RULES)
def test_aec(ruleset: str) -> None:
    for pair in finished_pairs(ruleset, PAIRS, seed=1):
        first, second = (aec(pair, game) for game in range(2))
        for step, (shown, other) in enumerate(zip(first, second, strict=True)):
            assert shown == other, (step, pair.transcript())


def test_aec_shows_a_waiting_agent_nothing_of_a_refusal() -> None:
    env = raw_env()
    env.reset(seed=1)
    before = as_bytes((env.observe("black"), env.infos["black"]))
    refused = int(np.flatnonzero(env.observe("white")["action_mask"] == 0)[0])
    env.step(refused)
    assert env.agent_selection == "white"
    assert as_bytes((env.observe("black"), env.infos["black"])) == before


def self_play(pair: Twins, game: int, form: Any) -> list[Any]:
    """What `SelfPlayVectorEnv` shows the seat at its own decisions, and at the end."""
    given = bare(pair) if form == "compact" else arguments(pair)
    options = {key: value for key, value in given.items() if key != "seat"}
    env = SelfPlayVectorEnv(1, autoreset_mode=AutoresetMode.DISABLED, observation=form, **options)
    seat = 0 if pair.seat == chess.WHITE else 1
    observation, info = env.reset(seed=5)
    seen = []
    for action in pair.asked[game]:
        if info["to_play"][0] == seat:
            seen.append(as_bytes((observation, info)))
        observation, rewards, terminated, truncated, info = env.step(np.array([action]))
    shared = {key: value for key, value in info.items() if key not in ("action_mask", "tries")}
    end = env.observe(0, seat), rewards[0, seat], terminated, truncated, shared, info["tries"][0, seat]
    seen.append(as_bytes(end))
    return seen


@pytest.mark.parametrize("ruleset", RULES)
@pytest.mark.parametrize("form", ["dict", "compact"])
def test_self_play(ruleset: str, form: Any) -> None:
    for pair in finished_pairs(ruleset, PAIRS, seed=1):
        first, second = (self_play(pair, game, form) for game in range(2))
        for step, (shown, other) in enumerate(zip(first, second, strict=True)):
            assert shown == other, (step, pair.transcript())
