"""Kriegspiel for reinforcement learning: chess in which you see only your own men.

Importing the package registers `ks_env/Kriegspiel-v0` and `ks_env/InvisibleChess-v0` with Gymnasium (`make`
and `make_vec`), and with PettingZoo where it has a registry. It pulls in no torch.
"""

import gymnasium
import pettingzoo

__version__ = "0.1.0"

ENV_ID = "ks_env/Kriegspiel-v0"
INVISIBLE_ENV_ID = "ks_env/InvisibleChess-v0"

# Entry points: Gymnasium's environment of one game, its vector environment, PettingZoo's
ENVS = {
    ENV_ID: ("solo:KriegspielEnv", "vector:KriegspielVectorEnv", "aec:env"),
    INVISIBLE_ENV_ID: ("solo:InvisibleChessEnv", "vector:InvisibleChessVectorEnv", "aec:invisible_env"),
}


def register_envs() -> None:
    """Register the environments with Gymnasium and PettingZoo."""
    registry = getattr(pettingzoo, "aec_registry", None)  # since PettingZoo 1.27
    for name, (solo, vector, aec) in ENVS.items():
        if name not in gymnasium.registry:
            # no max_episode_steps: it would count tries; the ruleset limits plies
            gymnasium.register(
                name, entry_point=f"ks_env.envs.{solo}", vector_entry_point=f"ks_env.envs.{vector}"
            )
        if registry is not None and name not in registry:
            pettingzoo.register("aec", name, entry_point=f"ks_env.envs.{aec}")


register_envs()
