"""Encoders: planes that follow the base planes, computed from what a seat knows.

An encoder is handed VIEW records, never the truth. There are two kinds:

- an `Encoder` computes its planes from the view of the moment;
- a `MemoryEncoder` also keeps a record of memory for each seat of each game, since a view holds the latest
  announcements only. Whoever runs the games keeps the records: they are begun with each game and brought up
  to date whenever the seat is observed, once in each of its turns at least.

An encoder is for Kriegspiel; one that can read the views of another game names its games in an attribute
`games`, such as `("Kriegspiel", "invisible chess")`.

Other packages add theirs through the entry-point group `ks_env.encoders`: the entry's name is the encoder's,
its object a factory without arguments.
"""

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol, runtime_checkable

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from ks_env.core.jit import compile_once
from ks_env.core.layout import Rules
from ks_env.core.planes import Plane
from ks_env.games.by_game import KRIEGSPIEL
from ks_env.games.invisible.layout import View

GROUP = "ks_env.encoders"
KRIEGSPIEL_ALONE = (KRIEGSPIEL,)  # what an encoder without the attribute `games` is for
Array = np.ndarray[Any, Any]
Planes = npt.NDArray[np.uint8]


@runtime_checkable
class Encoder(Protocol):
    """Extra planes of the moment.

    Environments with several threads call `encode` in all of them at once, each for other rows.

    Attributes:
        planes: their names, bounds and meaning.
    """

    planes: tuple[Plane, ...]

    def encode(self, views: Array, out: Planes) -> None:
        """Write planes of `views: VIEW[M]` to `out: u1[M, K, 8, 8]`, every byte, in the seat's frame."""


@runtime_checkable
class MemoryEncoder(Protocol):
    """Extra planes that hang on the game so far.

    Environments with several threads call `observe` in all of them at once, each for other rows.

    Attributes:
        planes: their names, bounds and meaning.
        memory: type of a record of memory; it holds no Python objects.
    """

    planes: tuple[Plane, ...]
    memory: np.dtype[Any]

    def begin(self, fens: Sequence[str], colour: bool) -> Any:
        """The record of a seat when a game begins: `memory[()]`.

        Args:
            fens: the start positions that the seat cannot tell apart, one of which is on the board: exactly
                one where the start is public, else those of the declared ones with the seat's own men.
            colour: of the seat; True for White.
        """

    def observe(self, views: Array, memory: Array, seats: Array, rules: Rules, out: Planes) -> None:
        """Bring records up to date with the views of their seats, and write planes.

        In row i this is about `views[i, seats[i]]` and `memory[i, seats[i]]`; the other seat's entries are
        to be left alone. A view that has been taken in before must change nothing.

        Args:
            views: VIEW[M, S], read-only, S seats of M games.
            memory: `memory[M, S]`.
            seats: u1[M], which of the seats.
            rules: the ruleset's record, RULES[()].
            out: u1[M, K, 8, 8], every byte of it, in the seat's frame; each `out[i]` is contiguous.
        """


@runtime_checkable
class InvisibleMemoryEncoder(Protocol):
    """A `MemoryEncoder` of invisible chess: its records begin with what the seat sees at the start.

    Attributes:
        games: the games whose views it can read: `("invisible chess",)`.
        planes: their names, bounds and meaning.
        memory: type of a record of memory; it holds no Python objects.
    """

    games: tuple[str, ...]
    planes: tuple[Plane, ...]
    memory: np.dtype[Any]

    def begin_invisible(self, start: View) -> Any:
        """The record of a seat when a game begins: `memory[()]`; `start` is a copy of its VIEW then."""

    def observe(self, views: Array, memory: Array, seats: Array, rules: Rules, out: Planes) -> None:
        """See `MemoryEncoder.observe`."""


Remembers = MemoryEncoder | InvisibleMemoryEncoder
AnyEncoder = Encoder | Remembers


class _Stateless:
    """An encoder without memory, seen as one whose records are empty."""

    memory: np.dtype[Any] = np.dtype([])

    def __init__(self, encoder: Encoder) -> None:
        self.games = getattr(encoder, "games", KRIEGSPIEL_ALONE)
        self.planes = encoder.planes
        self._encoder = encoder

    def begin(self, fens: Sequence[str], colour: bool) -> Array:
        """An empty record."""
        return np.zeros((), self.memory)

    def begin_invisible(self, start: View) -> Array:
        """An empty record."""
        return np.zeros((), self.memory)

    def observe(self, views: Array, memory: Array, seats: Array, rules: Rules, out: Planes) -> None:
        """Copies of the views go to the encoder."""
        self._encoder.encode(views[np.arange(len(seats)), seats], out)


def with_memory(encoder: AnyEncoder) -> Remembers:
    """The encoder behind the wider protocol; one without memory gets empty records."""
    return encoder if isinstance(encoder, Remembers) else _Stateless(encoder)


def encodes(encoder: AnyEncoder, game: str) -> bool:
    """Whether the encoder can read the views of the game."""
    return game in getattr(encoder, "games", KRIEGSPIEL_ALONE)


def check_encodes(encoder: AnyEncoder, game: str) -> None:
    """Refuse an encoder that cannot read the views of the game.

    Raises:
        ValueError: `game` is not among its `games`.
    """
    if not encodes(encoder, game):
        games = getattr(encoder, "games", KRIEGSPIEL_ALONE)
        raise ValueError(f"the encoder {encoder!r} is for {' and '.join(games)}; expected one for {game}")


def encoder_names() -> list[str]:
    """Names of all encoders that can be made, sorted."""
    return sorted(entry.name for entry in entry_points(group=GROUP))


def make_encoder(encoder: str | AnyEncoder | None) -> AnyEncoder | None:
    """The encoder of that name, or the one given.

    Raises:
        ValueError: no such encoder, or the object is none.
    """
    if encoder is None:
        return None
    if isinstance(encoder, str):
        for entry in entry_points(group=GROUP):
            if entry.name == encoder:
                encoder = entry.load()()
                break
        else:
            names = ", ".join(encoder_names()) or "none installed"
            raise ValueError(f"unknown encoder {encoder!r}; expected an Encoder or one of: {names}")
    if not isinstance(encoder, AnyEncoder):
        raise ValueError(
            f"{encoder!r} is no encoder; expected the attributes planes and encode, "
            "or planes, memory, begin and observe"
        )
    if isinstance(encoder, Remembers) and np.dtype(encoder.memory).hasobject:
        raise ValueError(f"the memory of {encoder!r} holds Python objects; expected numbers alone")
    return encoder


def compile_loop(name: str, loop: Any, views: np.dtype[Any], memory: np.dtype[Any], *others: Any) -> None:
    """Compile the kernel of an encoder that remembers, once, for any strides: one game and many run the same.

    Args:
        name: the encoder's.
        loop: a kernel of `views[M, N]`, `memory[M, N]`, `seats: u1[M]`, others, `out: u1[M, K, 8, 8]`.
        views: dtype.
        memory: dtype.
        *others: Numba types.
    """

    def run() -> None:
        if not loop.signatures:
            loop.compile(
                (
                    types.Array(numba.from_dtype(views), 2, "A", readonly=True),
                    types.Array(numba.from_dtype(memory), 2, "A"),
                    types.Array(types.uint8, 1, "A", readonly=True),
                    *others,
                    types.Array(types.uint8, 4, "A"),
                )
            )
            loop.disable_compile()

    compile_once(f"the encoder {name}", run)
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
