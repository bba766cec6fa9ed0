"""A solved ending, asked by a player."""

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ks_env.belief.endgames.ending import Boards, Ending, ending_named, placement_of
from ks_env.belief.endgames.geometry import CHECK_TYPES, MOST_MOVES, MOVE, full_set, key_of, turned
from ks_env.belief.endgames.placements import Placements, list_placements, moves_of
from ks_env.belief.endgames.query import NEVER, best_gamble, best_sure, depth_of
from ks_env.belief.endgames.retrograde import WinningSets
from ks_env.belief.endgames.store import winning_sets
from ks_env.core.tables import TRY_INDEX

ALL_SQUARES = (1 << 64) - 1
PATIENCE = 0.99  # what a win is worth for each further move it takes, in `Table.gamble`


class Sure(NamedTuple):
    """A try that keeps a sure win.

    Attributes:
        action: number of the try, in the seat's frame.
        moves: accepted moves to mate in the worst case, the next one included.
    """

    action: int
    moves: int


class Gamble(NamedTuple):
    """A try without a sure win.

    Attributes:
        action: number of the try, in the seat's frame.
        promise: its worth, 0 to 1, see `Table.gamble`.
    """

    action: int
    promise: float


class Table:
    """A solved ending.

    All squares are in the seat's own frame, so that either colour may have the men. The bare king's place
    is a set of squares, as a board of 64 bits: all those on which it may stand with the seat to move.
    Squares that the seat's men attack are left out of it, since nobody stays in check.

    Args:
        ending: which.
        places: its placements.
        wins: its winning sets.
    """

    def __init__(self, ending: Ending, places: Placements, wins: WinningSets) -> None:
        self.ending = ending
        self.places = places
        self.wins = wins

    def full(self, kinds: Boards) -> int:
        """All squares on which the bare king can stand with the seat to move.

        Args:
            kinds: boards of one's own men by kind, u8[7] as in a VIEW.

        Raises:
            ValueError: the men are not those of this ending.
        """
        return int(self._full(placement_of(self.ending, kinds)))

    def moves(self, kinds: Boards, king_set: int) -> int | None:
        """Moves to mate in the worst case; None without a sure win.

        Raises:
            ValueError: as for `best`.
        """
        squares = placement_of(self.ending, kinds)
        depth = self._depth(squares, self._checked(squares, king_set))
        return None if depth == NEVER else depth

    def best(self, kinds: Boards, king_set: int) -> Sure | None:
        """The try to make, with the number of moves in which mate is certain; None without a sure win.

        Worst case over the king's squares and replies; no fifty-move or repetition rule. The try may be
        refused: then ask again with the squares on which that leaves the king. Among tries that keep the
        number, the one is taken that mates soonest on average over the set.

        Args:
            kinds: boards of one's own men by kind, u8[7] as in a VIEW.
            king_set: where the bare king may stand.

        Raises:
            ValueError: the men are not those of this ending, or no square is left for the king.
        """
        squares = placement_of(self.ending, kinds)
        king = self._checked(squares, king_set)
        depth = self._depth(squares, king)
        if depth == NEVER:
            return None
        moves = self._moves(squares)
        chosen = moves[best_sure(self.wins, moves, king, depth)]
        return Sure(int(TRY_INDEX[chosen["start"], chosen["end"]]), depth)

    def gamble(self, kinds: Boards, king_set: int, patience: float = PATIENCE) -> Gamble | None:
        """A try for a set without a sure win; None if no try can be legal.

        A heuristic, one try ahead. A set promises the share of its squares that one winning set covers
        (as if every square were equally likely), times `patience` to the power of the moves to mate from
        there: what is sure to come of playing as if the king stood in that winning set. A try promises the
        average over its answers; stalemate and the loss of a man promise nothing. Following the winning
        set keeps what was promised, and each accepted move wins back one power of `patience`, so that
        play does not go round in circles. The promise is a guide, not a probability.

        Args:
            kinds: boards of one's own men by kind, u8[7] as in a VIEW.
            king_set: where the bare king may stand.
            patience: in (0, 1].

        Raises:
            ValueError: as for `best`, or `patience` is out of range.
        """
        if not 0 < patience <= 1:
            raise ValueError(f"patience is {patience}; expected above 0, up to 1")
        squares = placement_of(self.ending, kinds)
        king = self._checked(squares, king_set)
        moves, promise = self._moves(squares), np.zeros(1)
        key = key_of(self.places.kinds, squares)
        here = int(self.places.number[key]), int(self.places.turn[key])
        which = best_gamble(self.wins, _discounts(patience), moves, king, *here, promise)
        if which < 0:
            return None
        action = TRY_INDEX[moves[which]["start"], moves[which]["end"]]
        return Gamble(int(action), float(promise[0]))

    def sure_placements(self) -> npt.NDArray[np.int64]:
        """Moves to mate by placement with the king anywhere it can stand, i8[P]; 0 without a sure win."""
        owner = np.repeat(np.arange(len(self.places.full)), np.diff(self.wins.first))
        whole = self.wins.sets == self.places.full[owner]
        moves = np.zeros(len(self.places.full), np.int64)
        moves[owner[whole]] = self.wins.depths[whole]
        return moves

    def _full(self, squares: npt.NDArray[np.int64]) -> np.uint64:
        return np.uint64(full_set(self.places.kinds, squares, np.zeros(CHECK_TYPES, np.uint64)))

    def _checked(self, squares: npt.NDArray[np.int64], king_set: int) -> np.uint64:
        if not 0 <= int(king_set) <= ALL_SQUARES:
            raise ValueError(f"king_set is {king_set}; expected a board of 64 bits")
        king = int(king_set) & int(self._full(squares))
        if not king:
            raise ValueError("the set leaves no square on which the bare king can stand")
        return np.uint64(king)

    def _depth(self, squares: npt.NDArray[np.int64], king: np.uint64) -> int:
        key = key_of(self.places.kinds, squares)
        image = np.uint64(turned(king, self.places.turn[key]))
        return int(depth_of(self.wins, self.places.number[key], image))

    def _moves(self, squares: npt.NDArray[np.int64]) -> npt.NDArray[np.void]:
        found = np.zeros(MOST_MOVES, MOVE)
        return found[: moves_of(self.places, squares, found)]


@functools.cache
def _discounts(patience: float) -> npt.NDArray[np.float64]:
    return np.power(patience, np.arange(256, dtype=np.float64))


@functools.cache
def solve(ending: Ending | str) -> Table:
    """The table of an ending, solved on first use and kept on disk and in the process.

    KQK and KRK take seconds to solve and KBBK about half a minute; KBNK takes a minute or two, and its
    table 120 MB of memory.

    Raises:
        ValueError: no such ending.
    """
    if isinstance(ending, str):
        return solve(ending_named(ending))
    places = list_placements(ending)
    return Table(ending, places, winning_sets(ending, places))
