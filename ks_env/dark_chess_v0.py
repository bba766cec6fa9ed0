"""Dark chess in PettingZoo's form: `from ks_env import dark_chess_v0`."""

from functools import partial

from ks_env.envs import aec, parallel

env = partial(aec.env, game="DarkChess")
raw_env = partial(aec.raw_env, game="DarkChess")
parallel_env = partial(parallel.parallel_env, game="DarkChess")

__all__ = ["env", "parallel_env", "raw_env"]
