"""Kriegspiel for reinforcement learning: chess in which you see only your own men.

Importing the package registers `ks_env/Kriegspiel-v0` and the ids of the other games, see `ks_env.games`,
with Gymnasium (`make` and `make_vec`), and with PettingZoo where it has a registry. It pulls in no torch.
"""

import gymnasium
import pettingzoo

from ks_env.games import game_ids

__version__ = "0.1.0"


def register_envs() -> None:
    """Register the environments of all games with Gymnasium and PettingZoo."""
    registry = getattr(pettingzoo, "aec_registry", None)  # since PettingZoo 1.27
    for game in game_ids():
        name = f"ks_env/{game}-v0"
        if name not in gymnasium.registry:
            # no max_episode_steps: it would count tries; the ruleset limits plies
            gymnasium.register(
                name,
                entry_point="ks_env.envs.solo:GameEnv",
                vector_entry_point="ks_env.envs.vector:GameVectorEnv",
                kwargs={"game": game},
            )
        if registry is not None and name not in registry:
            pettingzoo.register("aec", name, entry_point="ks_env.envs.aec:env", kwargs={"game": game})


register_envs()
