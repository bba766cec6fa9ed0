"""The peers, played at random over their legal actions in the cheapest way that each offers."""

import random
from typing import Any

import numpy as np

from benchmarks.measure import NotInstalledError, Step
from benchmarks.ours import SEED, drawer


def _open_spiel(name: str = "kriegspiel") -> tuple[Any, Any]:
    try:
        import pyspiel
        from open_spiel.python.observation import make_observation
    except ImportError as error:
        raise NotInstalledError(f"open-spiel: {error}") from error
    game = pyspiel.load_game(name)
    return game, make_observation(game)


def open_spiel(*, with_mask: bool, name: str = "kriegspiel") -> Step:
    """A game of OpenSpiel: numpy observation of the player to move, its legal actions, one try.

    Args:
        with_mask: also write the legal actions into a numpy mask, as ours does and any learner needs.
        name: of the game, "kriegspiel" or "dark_chess".
    """
    game, observation = _open_spiel(name)
    pick = random.Random(SEED)
    mask = np.zeros(game.num_distinct_actions(), np.int8)
    state = game.new_initial_state()

    def step() -> int:
        nonlocal state
        observation.set_from(state, state.current_player())
        actions = state.legal_actions()
        if with_mask:
            mask.fill(0)
            mask[actions] = 1
        state.apply_action(actions[int(pick.random() * len(actions))])
        if state.is_terminal():
            state = game.new_initial_state()
        return 1

    return step


def shimmy() -> Step:
    """OpenSpiel's `kriegspiel` through Shimmy's AEC environment."""
    _open_spiel()
    try:
        from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0
    except ImportError as error:
        raise NotInstalledError(f"shimmy: {error}") from error
    return _play_aec(OpenSpielCompatibilityV0(game_name="kriegspiel", render_mode=None))


def pettingzoo_chess() -> Step:
    """PettingZoo's `chess_v6`: open chess, the nearest of its games."""
    try:
        from pettingzoo.classic import chess_v6
    except ImportError as error:
        raise NotInstalledError(f"pettingzoo[classic]: {error}") from error
    return _play_aec(chess_v6.raw_env())


def _mask_of(observation: Any, info: dict[str, Any]) -> Any:
    """The mask, wherever the environment has it: observation or info."""
    if isinstance(observation, dict) and "action_mask" in observation:
        return observation["action_mask"]
    return info["action_mask"]


def _play_aec(env: Any) -> Step:
    env.reset(seed=SEED)
    draw = drawer()

    def step() -> int:
        observation, _, termination, truncation, info = env.last()
        if termination or truncation:
            env.reset()
            return 0
        mask = np.ascontiguousarray(_mask_of(observation, info), np.int8)
        env.step(draw(mask))
        return 1

    return step
