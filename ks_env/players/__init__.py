"""Players: the protocol, the registry, and the two that are kernels, `random` and `capture`."""

from ks_env.players.protocol import BatchPlayer, CountsWork, InvisiblePlayer, Player, TakesPlacements
from ks_env.players.registry import make_player, parse_name, player_names

__all__ = [
    "BatchPlayer",
    "CountsWork",
    "InvisiblePlayer",
    "Player",
    "TakesPlacements",
    "make_player",
    "parse_name",
    "player_names",
]
