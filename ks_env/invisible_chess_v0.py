"""Invisible chess in PettingZoo's form: `from ks_env import invisible_chess_v0`."""

from ks_env.envs.aec import invisible_env as env
from ks_env.envs.aec import invisible_raw_env as raw_env

__all__ = ["env", "raw_env"]
