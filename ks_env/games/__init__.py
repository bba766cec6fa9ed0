"""The games: one folder each, which exports one object, its `GameDefinition`.

A game is found by the entry-point group `ks_env.games`; the entry's name is the game's id.
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from ks_env.core.hints import nearest
from ks_env.games.definition import GameDefinition, GameKernels

GROUP = "ks_env.games"
DEFAULT_GAME = "Kriegspiel"  # the game that is meant where none is named

__all__ = ["GameDefinition", "GameKernels", "game_ids", "game_named"]


@cache
def _announced() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def game_ids() -> tuple[str, ...]:
    """Ids of all games, Kriegspiel first."""
    return tuple(sorted(_announced(), key=lambda name: (name != DEFAULT_GAME, name)))


def game_named(game: str | GameDefinition) -> GameDefinition:
    """The game of that id, or the one given; capitals, spaces and dashes make no difference.

    Raises:
        ValueError: there is no such game.
    """
    if isinstance(game, GameDefinition):
        return game
    plain = {_plain(name): name for name in game_ids()}
    name = _plain(str(game))
    if name not in plain:
        near = nearest(name, plain)
        meant = f" (did you mean {plain[near]!r}?)" if near else ""
        raise ValueError(f"unknown game {game!r}{meant}; expected one of {', '.join(game_ids())}")
    return _loaded(plain[name])


def games_of(thing: object) -> tuple[str, ...]:
    """Ids of the games that a player, an encoder or terms are for: its `games`; without them Kriegspiel."""
    return tuple(getattr(thing, "games", (DEFAULT_GAME,)))


def serves(thing: object, game: GameDefinition) -> bool:
    """Whether a player, an encoder or terms are for the game; a class of them as well."""
    return game.id in games_of(thing)


@cache
def _loaded(name: str) -> GameDefinition:
    loaded: GameDefinition = _announced()[name].load()
    return loaded


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())
