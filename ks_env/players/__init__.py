"""Players: the protocol, the registry, and the two that are kernels, `random` and `capture`."""

from ks_env.games.opening import Opening
from ks_env.players.protocol import BatchPlayer, CountsWork, Player
from ks_env.players.registry import make_player, player_names

__all__ = ["BatchPlayer", "CountsWork", "Opening", "Player", "make_player", "player_names"]
