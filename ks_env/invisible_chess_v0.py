"""Invisible chess in PettingZoo's form: `from ks_env import invisible_chess_v0`."""

from functools import partial

from ks_env.envs import aec, parallel

env = partial(aec.env, game="InvisibleChess")
raw_env = partial(aec.raw_env, game="InvisibleChess")
parallel_env = partial(parallel.parallel_env, game="InvisibleChess")

__all__ = ["env", "parallel_env", "raw_env"]
