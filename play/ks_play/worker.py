"""A process in which engines think. It holds no referee: a player is sent what its seat is told.

Messages, and what comes back, `("done", action)` or `("fault", words)`:

    Think(key, begin, events)   events are what the seat heard and the views at which it had to choose; the
                                answer is the choice at the last one. `begin` is given with the first.
    Forget(key)                 the game is over, or nobody looks at it; nothing comes back
"""

import contextlib
import os
import signal
import threading
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from ks_env.core.tables import TRIES
from ks_env.games.opening import Opening
from ks_env.players.protocol import Player, listener, plays
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
    """The process: answer each message."""
    if hasattr(os, "setsid"):
        os.setsid()  # an interrupt at the keyboard is for the server, which ends us
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=leave_with_parent, daemon=True).start()
    players: dict[int, Player] = {}
    with contextlib.suppress(EOFError, BrokenPipeError):
        connection.send(("ready", 0))
        while True:
            message = connection.recv()
            if isinstance(message, Forget):
                players.pop(message.key, None)
                continue
            outcome: tuple[str, int | str]
            try:
                outcome = ("done", _think(players, message))
            except BaseException as error:  # a player may raise anything
                players.pop(message.key, None)
                outcome = ("fault", f"raised {type(error).__name__}: {error}"[:MOST_WORDS])
            connection.send(outcome)


def _think(players: dict[int, Player], message: Think) -> int:
    if message.begin is not None:
        player = make_player(message.begin.name)
        if not plays(player, message.begin.opening.game):
            raise ValueError(f"it does not play {message.begin.opening.game.name}")
        player.begin(message.begin.opening)
        players[message.key] = player
    player = players[message.key]
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
    return number


def leave_with_parent() -> None:
    """End this process when the server is gone, even in a player's thought."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)
