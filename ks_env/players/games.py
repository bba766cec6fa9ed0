"""Which players play a game."""

from functools import cache
from typing import Any

from ks_env.games.definition import GameDefinition
from ks_env.players.protocol import plays
from ks_env.players.registry import class_of, player_names


@cache
def players_of(game: GameDefinition) -> tuple[str, ...]:
    """Names of the players that play the game, as far as their factories declare what they give."""
    return tuple(name for name in player_names() if _declares(name, game))


def _declares(name: str, game: GameDefinition) -> bool:
    try:
        return plays(class_of(name), game)
    except Exception:  # its package, or one that it needs, cannot be imported
        return False


def check_plays(player: Any, game: GameDefinition) -> None:
    """Refuse a player that does not know the game.

    Raises:
        ValueError: it does not; the message names those that do.
    """
    if not plays(player, game):
        name = getattr(player, "name", repr(player))
        raise ValueError(
            f"the player {name!r} does not play {game.id}; expected one of {', '.join(players_of(game))}, "
            f"or another with {game.id!r} among its games"
        )
