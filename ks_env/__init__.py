"""Kriegspiel for reinforcement learning: chess in which you see only your own men.

Importing the package registers `ks_env/Kriegspiel-v0` with Gymnasium (`make` and `make_vec`), and with
PettingZoo where it has a registry. It pulls in no torch.
"""

import gymnasium
import pettingzoo

__version__ = "0.1.0"

ENV_ID = "ks_env/Kriegspiel-v0"


def register_envs() -> None:
    """Register the environments with Gymnasium and PettingZoo."""
    if ENV_ID not in gymnasium.registry:
        # no max_episode_steps: it would count tries; the ruleset limits plies
        gymnasium.register(
            ENV_ID,
            entry_point="ks_env.envs.solo:KriegspielEnv",
            vector_entry_point="ks_env.envs.vector:KriegspielVectorEnv",
        )
    registry = getattr(pettingzoo, "aec_registry", None)  # since PettingZoo 1.27
    if registry is not None and ENV_ID not in registry:
        pettingzoo.register("aec", ENV_ID, entry_point="ks_env.envs.aec:env")


register_envs()
