"""Dark chess in PettingZoo's form: `from ks_env import dark_chess_v0`."""

from functools import partial

from ks_env.envs import aec

env = partial(aec.env, game="DarkChess")
raw_env = partial(aec.raw_env, game="DarkChess")

__all__ = ["env", "raw_env"]
