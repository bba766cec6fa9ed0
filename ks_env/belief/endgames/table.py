"""A solved ending, asked by a player.

In its kernels, `wins` is a `solver.WinningSets`, `places` a `placements.Placements`; `moves` are those of the
placement at hand, as `placements.moves_of` lists them. Boards of the king's squares are in the seat's frame
and are turned here to the frame of the placement that is listed.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ks_env.belief.endgames.ending import Boards, Ending, ending_named, ending_of, placement_of
from ks_env.belief.endgames.king_set import ALL_SQUARES
from ks_env.belief.endgames.placements import (
    CHECK_TYPES,
    MOST_MOVES,
    MOVE,
    Placements,
    action_of,
    full_set,
    list_placements,
    moves_of,
    stage_key,
    turned,
)
from ks_env.belief.endgames.solver import WinningSets
from ks_env.belief.endgames.store import winning_sets
from ks_env.belief.metaposition.boards import king_squares
from ks_env.core.bits import ZERO, popcount
from ks_env.core.jit import kernel
from ks_env.core.record import Array, i8

Kinds = npt.NDArray[np.uint8]
Squares = npt.NDArray[np.int64]
NEVER = 255  # moves to mate of a set without a sure win

PATIENCE = 0.99  # what a win is worth for each further move it takes, in `Table.gamble`


@kernel
def depth_of(wins: Any, place: int, board: np.uint64) -> int:
    """Moves to mate from a set in the listed frame: 0 if it is empty, NEVER without a sure win."""
    if board == ZERO:
        return 0
    for i in range(wins.first[place], wins.first[place + 1]):
        if board & ~wins.sets[i] == ZERO:
            return i8(wins.depths[i])
    return NEVER


@kernel
def _cost_of(wins: Any, move: Any, king: np.uint64, within: int) -> int:
    """Moves to mate after a try, summed over the king's squares; -1 if they may be more than `within`."""
    if king & move.legal == ZERO or king & move.bad != ZERO:
        return -1
    cost = popcount(king & ~move.legal) * within
    for answer in range(move.count):
        part = king & move.answers[answer]
        if part == ZERO:
            continue
        replies = turned(king_squares(part) & move.full, move.turn)
        depth = depth_of(wins, move.place, replies)
        if depth >= within:
            return -1
        cost += popcount(part) * (depth + 1)
    return cost


@kernel
def best_sure(wins: Any, moves: Array, king: np.uint64, within: int) -> int:
    """The try that keeps a win in `within` moves, the quickest on average; its index, or -1."""
    best, least = -1, 0
    for i in range(moves.shape[0]):
        cost = _cost_of(wins, moves[i], king, within)
        if cost >= 0 and (best < 0 or cost < least):
            best, least = i, cost
    return best


@kernel
def promise_of(wins: Any, discounts: Array, place: int, board: np.uint64) -> float:
    """The greatest discounted number of squares that one winning set covers, for a set in the listed frame.

    `discounts: f8[256]` by moves to mate.
    """
    most = 0.0
    squares = popcount(board)
    for i in range(wins.first[place], wins.first[place + 1]):
        discount = discounts[wins.depths[i]]
        if discount * squares <= most:
            break  # those that follow are no quicker
        promise = discount * popcount(board & wins.sets[i])
        most = max(most, promise)
    return most


@kernel
def _promise_of_try(wins: Any, discounts: Array, move: Any, king: np.uint64, place: int, turn: int) -> float:
    """What a try promises, summed over the king's squares."""
    promise = promise_of(wins, discounts, place, turned(king & ~move.legal, turn))
    for answer in range(move.count):
        part = king & move.answers[answer]
        mated = part & ~king_squares(move.full)
        promise += discounts[1] * popcount(mated)
        replies = turned(king_squares(part) & move.full, move.turn)
        if replies != ZERO:
            share = popcount(part & ~mated) / popcount(replies)
            promise += discounts[1] * share * promise_of(wins, discounts, move.place, replies)
    return promise


@kernel
def best_gamble(
    wins: Any, discounts: Array, moves: Array, king: np.uint64, place: int, turn: int, out: Array
) -> int:
    """The try that promises most, the least risky of equals; its index, -1 if none can be legal.

    `out: f8[1]` takes the promise, 0 to 1.
    """
    best, most, least_risk = -1, 0.0, 0
    for i in range(moves.shape[0]):
        if king & moves[i].legal == ZERO:
            continue
        promise = _promise_of_try(wins, discounts, moves[i], king, place, turn)
        risk = popcount(king & moves[i].bad)
        if best < 0 or promise > most or (promise == most and risk < least_risk):
            best, most, least_risk = i, promise, risk
    out[0] = most / popcount(king)
    return best


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

    The table of an ending with a pawn answers for the endings that a promotion leads to as well.

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
        return int(self._full(*self._placed(kinds)))

    def moves(self, kinds: Boards, king_set: int) -> int | None:
        """Moves to mate in the worst case; None without a sure win.

        Raises:
            ValueError: as for `best`.
        """
        men = self._placed(kinds)
        depth = self._depth(*men, self._checked(*men, king_set))
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
        men = self._placed(kinds)
        king = self._checked(*men, king_set)
        depth = self._depth(*men, king)
        if depth == NEVER:
            return None
        moves = self._moves(*men)
        return Sure(action_of(moves[best_sure(self.wins, moves, king, depth)]), depth)

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
        men = self._placed(kinds)
        king = self._checked(*men, king_set)
        moves, promise = self._moves(*men), np.zeros(1)
        key = stage_key(self.places.stages, *men)
        here = int(self.places.number[key]), int(self.places.turn[key])
        which = best_gamble(self.wins, _discounts(patience), moves, king, *here, promise)
        if which < 0:
            return None
        return Gamble(action_of(moves[which]), float(promise[0]))

    def sure_placements(self) -> npt.NDArray[np.int64]:
        """Moves to mate with the king anywhere it can stand, by own placement: i8[own]; 0 if not sure."""
        owner = np.repeat(np.arange(len(self.places.full)), np.diff(self.wins.first))
        whole = self.wins.sets == self.places.full[owner]
        moves = np.zeros(len(self.places.full), np.int64)
        moves[owner[whole]] = self.wins.depths[whole]
        return moves[: self.places.own]

    def _placed(self, kinds: Boards) -> tuple[Kinds, Squares]:
        """The kinds and squares of the men, which are those of the ending or of one of its promotions."""
        found = ending_of(kinds)
        stage = found if found in self.ending.stages else self.ending
        squares = placement_of(stage, kinds)
        return stage.kinds, squares

    def _full(self, kinds: Kinds, squares: Squares) -> np.uint64:
        return np.uint64(full_set(kinds, squares, np.zeros(CHECK_TYPES, np.uint64)))

    def _checked(self, kinds: Kinds, squares: Squares, king_set: int) -> np.uint64:
        if not 0 <= int(king_set) <= ALL_SQUARES:
            raise ValueError(f"king_set is {king_set}; expected a board of 64 bits")
        king = int(king_set) & int(self._full(kinds, squares))
        if not king:
            raise ValueError("the set leaves no square on which the bare king can stand")
        return np.uint64(king)

    def _depth(self, kinds: Kinds, squares: Squares, king: np.uint64) -> int:
        key = stage_key(self.places.stages, kinds, squares)
        image = np.uint64(turned(king, self.places.turn[key]))
        return int(depth_of(self.wins, self.places.number[key], image))

    def _moves(self, kinds: Kinds, squares: Squares) -> npt.NDArray[np.void]:
        found = np.zeros(MOST_MOVES, MOVE)
        return found[: moves_of(self.places, kinds, squares, found)]


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
