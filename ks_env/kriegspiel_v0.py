"""The Kriegspiel environment in PettingZoo's form: `from ks_env import kriegspiel_v0`."""

from ks_env.envs.aec import env, raw_env
from ks_env.envs.parallel import parallel_env

__all__ = ["env", "parallel_env", "raw_env"]
