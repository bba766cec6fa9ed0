"""Darkboard: weighted maximax over metapositions (M07), as a player.

`darkboard:literal` is the program of M07 and nothing else; `darkboard:improved` has hard rules before the
search, as the "improved version" of T10 §6.1; `darkboard` knows more.
"""

from ks_baselines.darkboard.player import DarkboardPlayer, darkboard_player

__all__ = ["DarkboardPlayer", "darkboard_player"]
