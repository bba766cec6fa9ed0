"""What a seat decides by: the base planes with an encoder's after them, and the tries of a mask."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.belief.encoders import AnyEncoder, InvisibleMemoryEncoder, MemoryEncoder, Remembers, with_memory
from ks_env.core.planes import PlaneTable
from ks_env.core.start import groups_of_starts
from ks_env.core.tries import MOST_TRIES
from ks_env.core.under_way import Row
from ks_env.games.by_game import is_invisible_row, list_tries
from ks_env.games.kriegspiel.planes import TABLE
from ks_env.games.planes_by_game import base_planes

Array = np.ndarray[Any, Any]
ONE_SEAT = np.zeros(1, np.uint8)


def plane_count(encoder: AnyEncoder | None, table: PlaneTable = TABLE) -> int:
    """How many planes there are: the base planes and the encoder's."""
    return table.count + (len(encoder.planes) if encoder else 0)


def opening_records(encoder: Remembers, fens: Sequence[str], starts: Array) -> Array:
    """The encoder's records at the start of a game, by start and seat: `memory[K, 2]`.

    Starts that a seat cannot tell apart get the same record.

    Args:
        encoder: whose memory it is.
        fens: K start positions.
        starts: GAME[K], their rows; see `ks_env.games.kriegspiel.start.start_rows`.
    """
    out = np.zeros((len(fens), 2), encoder.memory)
    for seat in (0, 1):
        if is_invisible_row(starts):
            for i, row in enumerate(starts):
                out[i, seat] = _begun_invisible(encoder, row["views"][seat])
            continue
        for group in groups_of_starts(starts, seat):
            out[group, seat] = _begun(encoder, [fens[i] for i in group], seat == 0)
    return out


def _begun(encoder: Remembers, fens: Sequence[str], colour: bool) -> Any:
    if not isinstance(encoder, MemoryEncoder):
        raise ValueError(f"the encoder {encoder!r} cannot begin a game of Kriegspiel; it has no 'begin'")
    return encoder.begin(fens, colour)


def _begun_invisible(encoder: Remembers, start: Row) -> Any:
    if not isinstance(encoder, InvisibleMemoryEncoder):
        raise ValueError(
            f"the encoder {encoder!r} cannot begin a game of invisible chess; it has no 'begin_invisible'"
        )
    return encoder.begin_invisible(start.copy())


class SeatPlanes:
    """All planes of one seat in one game at a time, an encoder's memory kept.

    Args:
        encoder: whose planes follow the base planes, if any.
    """

    def __init__(self, encoder: AnyEncoder | None) -> None:
        self._encoder = None if encoder is None else with_memory(encoder)
        self._memory: Array | None = None

    @property
    def remembers(self) -> bool:
        """Whether there is anything to remember."""
        return self._encoder is not None and self._encoder.memory.itemsize > 0

    def begin(self, fens: Sequence[str], colour: bool) -> None:
        """A new game from one of these starts, which the seat cannot tell apart; none where it forgets all.

        Raises:
            ValueError: no start is given, though there is a memory to begin.
        """
        if self.remembers and not fens:
            raise ValueError("the encoder has a memory, which begins with the start positions; none is given")
        if self._encoder is not None:
            self._memory = np.zeros((1, 1), self._encoder.memory)
            if self.remembers:
                self._memory[0, 0] = _begun(self._encoder, fens, colour)

    def begin_invisible(self, start: Row) -> None:
        """A new game of invisible chess; `start` is the seat's VIEW at the start.

        Raises:
            ValueError: the encoder is for Kriegspiel.
        """
        if self._encoder is not None:
            self._memory = np.zeros((1, 1), self._encoder.memory)
            self._memory[0, 0] = _begun_invisible(self._encoder, start)

    def planes(self, view: Row, rules: Row) -> npt.NDArray[np.uint8]:
        """All planes of the seat's VIEW record: u1[C, 8, 8], a fresh array.

        It has to be called in each of the seat's turns.

        Args:
            view: what the seat knows now.
            rules: the ruleset's record.

        Raises:
            ValueError: no game has been begun.
        """
        base = base_planes(view)
        if self._encoder is None:
            return base
        if self._memory is None:
            raise ValueError("no game has been begun; call begin first")
        extra = np.zeros((1, len(self._encoder.planes), 8, 8), np.uint8)
        views = np.zeros((1, 1), view.dtype)
        views[0, 0] = view
        self._encoder.observe(views, self._memory, ONE_SEAT, rules, extra)
        return np.concatenate([base, extra[0]])


def seat_tries(view: Row, rules: Row, level: int) -> npt.NDArray[np.int64]:
    """The tries that a mask allows the seat to move: i8[K], in growing order.

    Args:
        view: a VIEW record.
        rules: the ruleset's record.
        level: number of the mask, see `ks_env.core.under_way.mask_level`.
    """
    found = np.empty(MOST_TRIES, np.int16)
    count = list_tries(view, rules, level, found)
    return np.sort(found[:count]).astype(np.int64)
