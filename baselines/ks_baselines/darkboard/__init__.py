"""Darkboard: weighted maximax over metapositions (Ciancarini and Favini 2007), as a player.

`darkboard:literal` is the program of Ciancarini and Favini (2007) and nothing else; `darkboard:improved` has
hard rules before the search, as the "improved version" of Ciancarini and Favini (2010, §6.1); `darkboard`
knows more.
"""

from ks_baselines.darkboard.player import DarkboardPlayer, darkboard_player

__all__ = ["DarkboardPlayer", "darkboard_player"]
