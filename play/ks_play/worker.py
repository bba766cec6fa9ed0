"""A process in which engines think. It holds no referee: a player is sent what its seat is told.

Messages, and what comes back, `("done", action)` or `("fault", words)`:

    Think(key, begin, events)   events are what the seat heard and the views at which it had to choose; the
                                answer is the choice at the last one. `begin` is given with the first.
    Forget(key)                 the game is over, or nobody looks at it; nothing comes back
"""

from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from ks_env.core.tables import TRIES
from ks_env.games import serves
from ks_env.games.opening import Opening
from ks_env.players.protocol import Player, listener
from ks_env.players.registry import make_player
from ks_env.players.rows import try_number

MOST_WORDS = 300  # characters kept of what a player raises


class Begin(NamedTuple):
    """A player that has not been made in this process."""

    name: str
    opening: Opening


class Heard(NamedTuple):
    """An announcement."""

    announcement: Any


class Asked(NamedTuple):
    """The view at which a try is to be chosen."""

    view: Any


class Think(NamedTuple):
    """A player is to choose."""

    key: int
    begin: Begin | None
    events: list[Heard | Asked]


class Forget(NamedTuple):
    """A player is not needed any more."""

    key: int


def work(connection: "Connection[Any, Any]") -> None:
    """The process: let players choose."""
    serve(connection, partial(_answer, {}))


def serve(
    connection: "Connection[Any, Any]", answer: Callable[[Any], Any], told: type[Exception] | tuple[()] = ()
) -> None:
    """Answer messages until the pipe is closed.

    Args:
        connection: to the process that asks.
        answer: to a message; None where nothing is to come back.
        told: errors whose words alone are the fault; others are named.
    """
    connection.send(("ready", 0))
    while True:
        message = connection.recv()
        try:
            value = answer(message)
            outcome = None if value is None else ("done", value)
        except BaseException as error:  # a player may raise anything
            words = str(error) if isinstance(error, told) else f"raised {type(error).__name__}: {error}"
            outcome = ("fault", words[:MOST_WORDS])
        if outcome is not None:
            connection.send(outcome)


def _answer(players: dict[int, Player], message: Think | Forget) -> int | None:
    player = players.pop(message.key, None)  # one that raises is not kept
    if isinstance(message, Forget):
        return None
    if message.begin is not None:
        player = make_player(message.begin.name)
        if not serves(player, message.begin.opening.game):
            raise ValueError(f"it does not play {message.begin.opening.game.name}")
        player.begin(message.begin.opening)
    assert player is not None, "the first message of a game begins it"
    hear = listener(player)
    action: Any = None
    for event in message.events:
        if isinstance(event, Asked):
            action = player.choose(event.view)
        elif hear is not None:
            hear(event.announcement)
    number = try_number(action)
    if not 0 <= number < TRIES:
        raise ValueError(f"chose {number}; expected a try from 0 to {TRIES - 1}")
    players[message.key] = player
    return number
