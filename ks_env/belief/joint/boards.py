"""A board at hand as a TRUTH record, in the seat's frame: the seat plays upward as seat 0.

The rules' own kernels then say what is legal on it. Of castling rights it holds the seat's own alone.
"""

import numpy as np

from ks_env.belief.joint.layout import GONE
from ks_env.core.bits import bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.position import put, refresh
from ks_env.core.record import i1, i8, u1
from ks_env.games.invisible.layout import NUMBERS, View


@kernel
def clear_board(truth: Truth) -> None:
    """An empty board."""
    for i in range(64):
        truth.men[i] = u1(0)
    for kind in range(7):
        truth.kinds[kind] = np.uint64(0)
    truth.seats[0] = np.uint64(0)
    truth.seats[1] = np.uint64(0)
    truth.key = np.uint64(0)
    truth.rights = u1(0)
    truth.ep = i1(-1)


@kernel
def shared_board(view: View, truth: Truth) -> None:
    """What all boards of a view have in common: own men and visible men."""
    clear_board(truth)
    own, theirs = view.own, view.theirs
    while own != 0:
        put(truth, lowest(own), i8(view.men[lowest(own)]), 0)
        own = without_lowest(own)
    while theirs != 0:
        put(truth, lowest(theirs), i8(view.seen[lowest(theirs)]), 1)
        theirs = without_lowest(theirs)
    truth.side = u1(0 if view.turn else 1)
    truth.rights = view.rights
    truth.ep = view.passed if view.turn else view.stepped


@kernel
def whole_board(view: View, shared: np.ndarray, at: int, row: np.ndarray, passed: int) -> None:
    """Write to `shared[at]: TRUTH` the board of a row, on top of `shared[0]`."""
    shared[at] = shared[0]
    truth = shared[at]
    for n in range(1, NUMBERS):
        if row[n] < GONE:
            put(truth, i8(row[n]), i8(view.unseen[n]), 1)
    if passed >= 0:
        truth.ep = i1(passed)
    refresh(truth)


@kernel
def number_on(row: np.ndarray, square: int) -> int:
    """The number of the hidden man on a square, 0 for none."""
    for n in range(1, NUMBERS):
        if row[n] == square:
            return n
    return 0


@kernel
def numbers_among(row: np.ndarray, board: np.uint64) -> int:
    """The hidden men on the squares of a board: one bit a number."""
    found = 0
    for n in range(1, NUMBERS):
        if row[n] < GONE and has(board, i8(row[n])):
            found |= 1 << n
    return found


@kernel
def without_hidden(row: np.ndarray, board: np.uint64) -> np.uint64:
    """The squares of a board on which no hidden man of the row stands."""
    for n in range(1, NUMBERS):
        if row[n] < GONE:
            board &= ~bit(i8(row[n]))
    return board
