"""Encoders: planes that follow the base planes, computed from what a seat knows.

An encoder is handed copies of the views of the seats that it serves, each alone, so that nothing it can reach
leads to the other seat or to the truth. It may keep a record of memory for each seat of each game, since a
view holds the latest announcements only. Whoever runs the games keeps the records: they are begun with each
game and brought up to date whenever the seat is observed, once in each of its turns at least.

An encoder is for Kriegspiel; one for other games names them in an attribute `games`, a collection of ids such
as `("InvisibleChess",)`.

Other packages add theirs through the entry-point group `ks_env.encoders`: the entry's name is the encoder's,
its object a factory without arguments.
"""

from importlib.metadata import entry_points
from typing import Any, Protocol, runtime_checkable

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from ks_env.core.jit import compile_once
from ks_env.core.planes import Plane
from ks_env.core.record import Array
from ks_env.games import GameDefinition, games_of, serves
from ks_env.games.opening import Opening

GROUP = "ks_env.encoders"
Planes = npt.NDArray[np.uint8]
NO_MEMORY: np.dtype[Any] = np.dtype([])


@runtime_checkable
class Encoder(Protocol):
    """Extra planes.

    Environments with several threads call `observe` in all of them at once, each for other rows.

    Attributes:
        planes: their names, bounds and meaning.
        memory: dtype of a record of memory, which holds no Python objects; `NO_MEMORY` for none.
    """

    planes: tuple[Plane, ...]
    memory: np.dtype[Any]

    def begin(self, opening: Opening) -> Any:
        """The record of a seat when a game begins, `memory[()]`; not called without memory."""

    def observe(self, views: Array, memory: Array, rules: Any, out: Planes) -> None:
        """Bring records up to date with the views of their seats, and write planes.

        A view that has been taken in before must change nothing.

        Args:
            views: VIEW[M], copies, one seat each of M games.
            memory: `memory[M]`, the records of these seats, to be changed in place.
            rules: the ruleset's record, RULES[()].
            out: u1[M, K, 8, 8], every byte of it, in the seat's frame.
        """


def check_encodes(encoder: object, game: GameDefinition) -> None:
    """Refuse an encoder, or terms of tries, that cannot read the views of the game.

    Raises:
        ValueError: the game is not among its `games`.
    """
    if not serves(encoder, game):
        games = " and ".join(games_of(encoder))
        raise ValueError(
            f"{type(encoder).__name__} is for {games}; expected an encoder or terms for {game.id}"
        )


def announced(group: str) -> list[str]:
    """Names of all that is announced in an entry-point group, sorted."""
    return sorted(entry.name for entry in entry_points(group=group))


def made(given: Any, group: str, what: str, expected: str, kind: Any, attributes: str) -> Any:
    """What an encoder's or terms' name stands for, or what was given.

    Args:
        given: a name, or an object.
        group: of entry points.
        what: it is called in messages.
        expected: the same for an object.
        kind: the protocol that it has to fit.
        attributes: of that.

    Raises:
        ValueError: nothing has that name, or the object does not fit.
    """
    found = given
    if isinstance(given, str):
        if given not in announced(group):
            names = ", ".join(announced(group)) or "none installed"
            raise ValueError(f"unknown {what} {given!r}; expected {expected} or one of: {names}")
        found = next(entry for entry in entry_points(group=group) if entry.name == given).load()()
    if not isinstance(found, kind):
        raise ValueError(f"{found!r} is not {expected}; expected the attributes {attributes}")
    if np.dtype(found.memory).hasobject:
        raise ValueError(f"the memory of {found!r} holds Python objects; expected numbers alone")
    return found


def encoder_names() -> list[str]:
    """Names of all encoders that can be made, sorted."""
    return announced(GROUP)


def make_encoder(encoder: str | Encoder | None) -> Encoder | None:
    """The encoder of that name, or the one given.

    Raises:
        ValueError: no such encoder, or the object is not an encoder.
    """
    if encoder is None:
        return None
    found: Encoder = made(
        encoder, GROUP, "encoder", "an Encoder", Encoder, "planes, memory, begin and observe"
    )
    return found


def compile_loop(name: str, loop: Any, views: np.dtype[Any], memory: np.dtype[Any], *others: Any) -> None:
    """Compile the kernel of an encoder that remembers, once, for the one signature that there is.

    Args:
        name: the encoder's.
        loop: a kernel of `views[M]`, `memory[M]`, others, `out: u1[M, K, 8, 8]`.
        views: dtype.
        memory: dtype.
        *others: Numba types.
    """
    compile_signature(
        f"the encoder {name}",
        loop,
        types.Array(numba.from_dtype(views), 1, "C"),
        types.Array(numba.from_dtype(memory), 1, "C"),
        *others,
        types.Array(types.uint8, 4, "C"),
    )


def compile_signature(what: str, loop: Any, *signature: Any) -> None:
    """Compile a kernel, once, for the one signature that there is, of Numba types."""

    def run() -> None:
        if not loop.signatures:
            loop.compile(signature)
            loop.disable_compile()

    compile_once(what, run, loop.py_func.__module__)
    run()


def check_followed(what: str, row: int) -> None:
    """What such a kernel returned: the first row whose memory lost its view's track, or -1.

    Raises:
        ValueError: a memory is of another game, or was not followed in each of its seat's turns.
    """
    if row >= 0:
        raise ValueError(
            f"the {what} of row {row} cannot follow its view: expected the memory of the same game,"
            " observed in each turn of the seat"
        )
