"""Players by name, with parameters in the name: `"mcts-c:nodes=5000,c=2"`.

Other packages add theirs through the entry-point group `ks_env.players`: the entry's name is the
player's, its object a factory that takes the parameters as keywords and gives a `Player`.
"""

import ast
import difflib
import inspect
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from ks_env.players.kernel_player import capture_player, random_player
from ks_env.players.protocol import Player

GROUP = "ks_env.players"
Factory = Callable[..., Player]

BUILT_IN: dict[str, Factory] = {"random": random_player, "capture": capture_player}


def player_names() -> list[str]:
    """Names of all players that can be made, sorted."""
    return sorted({*BUILT_IN, *(entry.name for entry in entry_points(group=GROUP))})


def parse_name(spec: str) -> tuple[str, dict[str, Any]]:
    """Split `"name:key=value,key=value"`; values are Python literals, or else text.

    Raises:
        ValueError: the text has not this form.
    """
    name, _, rest = spec.strip().partition(":")
    parameters: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.strip().isidentifier():
            raise ValueError(f"bad parameter {part!r} in player {spec!r}; expected name:key=value,key=value")
        try:
            parameters[key.strip()] = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError):
            parameters[key.strip()] = value.strip()
    return name, parameters


def _factory(name: str) -> Factory:
    if name in BUILT_IN:
        return BUILT_IN[name]
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            loaded: Factory = entry.load()
            return loaded
    close = difflib.get_close_matches(name, player_names(), 1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    raise ValueError(f"unknown player {name!r}{hint}; expected one of {', '.join(player_names())}")


def make_player(spec: str) -> Player:
    """A new player.

    Raises:
        ValueError: no such player, or it does not take such parameters.
    """
    name, parameters = parse_name(spec)
    factory = _factory(name)
    try:
        inspect.signature(factory).bind(**parameters)
    except TypeError as error:
        taken = ", ".join(inspect.signature(factory).parameters) or "none"
        raise ValueError(f"player {spec!r}: {error}; it takes the parameters: {taken}") from error
    return factory(**parameters)
