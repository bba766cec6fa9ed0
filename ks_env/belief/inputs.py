"""What a seat decides by: the base planes with an encoder's after them, and the tries of a mask."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ks_env.belief.encoders import Encoder
from ks_env.belief.terms import Terms, Tries, filled, room_for
from ks_env.core.record import Array
from ks_env.core.rows import rows_of
from ks_env.core.ruleset import Ruleset
from ks_env.core.start import groups_of_starts
from ks_env.games.definition import GameDefinition, Row
from ks_env.games.opening import Opening


def plane_count(encoder: Encoder | None, game: GameDefinition) -> int:
    """How many planes there are: the base planes and the encoder's."""
    return game.planes.count + (len(encoder.planes) if encoder else 0)


def opening_records(
    encoder: Encoder | Terms, game: GameDefinition, ruleset: Ruleset, fens: Sequence[str], starts: Array
) -> Array:
    """The records of an encoder, or of terms, at the start of a game, by start and seat: `memory[K, 2]`.

    Starts that a seat cannot tell apart get the same record.

    Args:
        encoder: whose memory it is; terms will do as well.
        fens: K start positions.
        starts: GAME[K], their rows.
    """
    out = np.zeros((len(fens), 2), encoder.memory)
    if not encoder.memory.itemsize:
        return out
    for seat in (0, 1):
        for group in groups_of_starts(starts, seat):
            view = rows_of(starts["views"], (group[0], seat))
            alike = tuple(fens[i] for i in group)
            hidden = bool(view["start"] < 0)
            out[group, seat] = encoder.begin(Opening(game, seat == 0, ruleset, alike, view, hidden=hidden))
    return out


def base_planes(game: GameDefinition, view: Row) -> npt.NDArray[np.uint8]:
    """The base planes of a VIEW record: u1[C, 8, 8], a fresh array."""
    out = np.empty((game.planes.count, 64), np.uint8)
    game.kernels.write_planes(view, out)
    return out.reshape(-1, 8, 8)


class SeatPlanes:
    """All planes of one seat in one game at a time, an encoder's memory kept.

    Args:
        encoder: whose planes follow the base planes, if any.
    """

    def __init__(self, encoder: Encoder | None) -> None:
        self._encoder = encoder
        self._memory: Array | None = None
        self._game: GameDefinition | None = None

    @property
    def remembers(self) -> bool:
        """Whether there is anything to remember."""
        return self._encoder is not None and self._encoder.memory.itemsize > 0

    def begin(self, opening: Opening) -> None:
        """A new game.

        Raises:
            ValueError: the start is hidden, no placements were declared, and there is a memory to begin.
        """
        if self.remembers and not opening.fens:
            raise ValueError("the encoder has a memory, which begins with the start positions; none is given")
        self._game = opening.game
        if self._encoder is not None:
            self._memory = np.zeros(1, self._encoder.memory)
            if self.remembers:
                self._memory[0] = self._encoder.begin(opening)

    def planes(self, view: Row, rules: Row) -> npt.NDArray[np.uint8]:
        """All planes of the seat's VIEW record: u1[C, 8, 8], a fresh array.

        It has to be called in each of the seat's turns.

        Args:
            view: what the seat knows now.
            rules: the ruleset's record.

        Raises:
            ValueError: no game has been begun.
        """
        if self._game is None:
            raise ValueError("no game has been begun; call begin first")
        base = base_planes(self._game, view)
        if self._encoder is None or self._memory is None:
            return base
        extra = np.zeros((1, len(self._encoder.planes), 8, 8), np.uint8)
        views = np.zeros(1, view.dtype)
        views[0] = view
        self._encoder.observe(views, self._memory, rules, extra)
        return np.concatenate([base, extra[0]])


class SeatTries:
    """The tries of one seat with their terms, in one game at a time, the terms' memory kept.

    Args:
        terms: what tries are described by.
    """

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._memory: Array | None = None
        self._room = room_for(terms, 1)

    def begin(self, opening: Opening) -> None:
        """A new game.

        Raises:
            ValueError: the start is hidden, no placements were declared, and there is a memory to begin.
        """
        self._memory = np.zeros(1, self._terms.memory)
        if not self._terms.memory.itemsize:
            return
        if not opening.fens:
            raise ValueError("terms have a memory, which begins with the start positions; none is given")
        self._memory[0] = self._terms.begin(opening)

    def describe(self, view: Row, rules: Row, level: int) -> Tries:
        """The tries of the seat to move, overwritten by the next call.

        It has to be called in each of the seat's turns.

        Args:
            view: what the seat knows now.
            rules: the ruleset's record.
            level: number of the mask.

        Raises:
            ValueError: no game has been begun.
        """
        if self._memory is None:
            raise ValueError("no game has been begun; call begin first")
        views = np.zeros(1, view.dtype)
        views[0] = view
        self._terms.describe(views, self._memory, rules, level, self._room)
        return filled(self._room)
