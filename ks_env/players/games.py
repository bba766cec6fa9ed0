"""Which games a player plays: it says so by the methods that it has."""

from functools import cache
from typing import Any

from ks_env.games.by_game import INVISIBLE_CHESS, KRIEGSPIEL
from ks_env.players.registry import class_of, player_names

# How a new game is begun, by a player and by a batch player
BEGINS = {KRIEGSPIEL: ("begin", "begin_row"), INVISIBLE_CHESS: ("begin_invisible", "begin_row_invisible")}


def plays(player: Any, game: str) -> bool:
    """Whether a player, or a batch player, can begin a game of this kind."""
    return any(hasattr(player, method) for method in BEGINS[game])


@cache
def players_of(game: str) -> tuple[str, ...]:
    """Names of the players that play the game, as far as their factories declare what they give."""
    return tuple(name for name in player_names() if _declares(name, game))


def _declares(name: str, game: str) -> bool:
    try:
        return plays(class_of(name), game)
    except Exception:  # its package, or one that it needs, cannot be imported
        return False


def check_plays(player: Any, game: str) -> None:
    """Refuse a player that does not know the game.

    Raises:
        ValueError: it does not; the message names those that do.
    """
    if not plays(player, game):
        name = getattr(player, "name", repr(player))
        raise ValueError(
            f"the player {name!r} does not play {game}; expected one of {', '.join(players_of(game))}, "
            f"or another with the method {BEGINS[game][0]!r}"
        )
