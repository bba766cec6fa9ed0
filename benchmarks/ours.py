"""This project's environments, played at random over their masks."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.draw import random_actions, random_tries
from benchmarks.measure import Step
from ks_env.envs.aec import raw_env
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import (
    GameVectorEnv,
    SelfPlayVectorEnv,
)
from ks_env.games import DEFAULT_GAME

SEED = 1
GAMES = 256  # at once; see the table of batch sizes that the run prints


def drawer(seed: int = SEED) -> Callable[[npt.NDArray[np.int8]], int]:
    """Draws one allowed action of a mask. All one-game contestants that have a mask use it."""
    stream = np.array([seed], np.uint64)
    actions = np.zeros(1, np.int64)

    def draw(mask: npt.NDArray[np.int8]) -> int:
        random_actions(mask[None], stream, actions)
        return int(actions[0])

    return draw


def _play_vector(env: SelfPlayVectorEnv | GameVectorEnv) -> Step:
    observations, _ = env.reset(seed=SEED)
    masks = observations["action_mask"]  # the bound buffer: every step writes it anew
    stream = np.array([SEED], np.uint64)
    actions = np.zeros(env.num_envs, np.int64)
    games = env.num_envs

    def step() -> int:
        random_actions(masks, stream, actions)
        env.step(actions)
        return games

    return step


def compact_self_play(games: int = GAMES) -> Step:
    """Self-play with the compact observation; the try is drawn from the list."""
    env = SelfPlayVectorEnv(games, copy=False, observation="compact")
    tries = env.reset(seed=SEED)[0]["tries"]  # the bound buffer
    stream, actions = np.array([SEED], np.uint64), np.zeros(games, np.int64)

    def step() -> int:
        random_tries(tries, stream, actions)
        env.step(actions)
        return games

    return step


def self_play(games: int = GAMES, encoder: str | None = None, game: str = DEFAULT_GAME) -> Step:
    """Both seats at random: every try is observed."""
    return _play_vector(SelfPlayVectorEnv(games, game=game, copy=False, encoder=encoder))


def against(opponent: str, games: int = GAMES, encoder: str | None = None, game: str = DEFAULT_GAME) -> Step:
    """One seat at random; the opponent's tries come on top of those counted."""
    return _play_vector(GameVectorEnv(games, opponent, game=game, copy=False, encoder=encoder))


def invisible_self_play(hidden: str, games: int = GAMES) -> Step:
    """Invisible chess, both seats at random."""
    return _play_vector(partial(SelfPlayVectorEnv, game="InvisibleChess")(games, copy=False, hidden=hidden))


def invisible_against(opponent: str, hidden: str, games: int = GAMES) -> Step:
    """Invisible chess, one seat at random."""
    return _play_vector(
        partial(GameVectorEnv, game="InvisibleChess")(games, opponent, copy=False, hidden=hidden)
    )


def aec() -> Step:
    """PettingZoo: `last` and `step`; a new game at the end."""
    env = raw_env()
    env.reset(seed=SEED)
    draw = drawer()

    def step() -> int:
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.reset()
            return 0
        env.step(draw(observation["action_mask"]))
        return 1

    return step


def solo(opponent: str = "random") -> Step:
    """Gymnasium, one game, against a kernel opponent."""
    env = GameEnv(opponent)
    draw = drawer()
    mask = env.reset(seed=SEED)[0]["action_mask"]

    def step() -> int:
        nonlocal mask
        observation, _, termination, truncation, _ = env.step(np.int64(draw(mask)))
        if termination or truncation:
            observation, _ = env.reset()
        mask = observation["action_mask"]
        return 1

    return step


def stream_of_tries(games: int) -> tuple[Any, Step]:
    """The self-play environment itself and its step, for the table of limits."""
    env = SelfPlayVectorEnv(games, copy=False)
    return env, _play_vector(env)
