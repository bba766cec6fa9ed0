"""What the metaposition allows: matrices that never contradict it (T10 §5.2, normalisation).

"When a square is found to be empty [...], the probabilities for the enemy pieces on that square are set to 0.
Conversely, when a square is known to be occupied [...], the sum of the probability matrices for that square
is brought to 1. In both cases, the matrices are normalized afterwards so their total sum over the board does
not change."
"""

import numpy as np

from ks_env.belief.location.layout import KINGS, PAWNS, PIECES, SORTS
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ZERO, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4
from ks_env.core.tables import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

SWEEPS = 2  # of normalising rows and columns in turn
LEAST = f4(1e-6)  # mass under which a matrix is laid out anew
ONE = f4(1.0)
NONE = f4(0.0)
BIT = np.uint64(1)


@kernel
def allowed(known: Metaposition, sort: int) -> np.uint64:
    """Squares where the metaposition has a ghost of the sort."""
    g = known.ghosts
    if sort == KINGS:
        return g[KING]
    if sort == PAWNS:
        return g[PAWN]
    return g[KNIGHT] | g[BISHOP] | g[ROOK] | g[QUEEN]


@kernel
def certain_squares(known: Metaposition) -> np.uint64:
    """Squares that are certainly occupied by the opponent."""
    return ~(known.ghosts[0] | known.own[0])


@kernel
def bound_left(known: Metaposition, left: np.ndarray) -> None:
    """The expected numbers within the metaposition's counters; men that are no pawns are pieces."""
    men = f4(known.most[0]) - ONE
    most_pieces = NONE
    for kind in range(KNIGHT, KING):
        most_pieces += f4(known.most[kind])
    left[KINGS] = ONE
    pawns = min(left[PAWNS], f4(known.most[PAWN]), men)
    left[PAWNS] = max(pawns, men - most_pieces, NONE)
    left[PIECES] = men - left[PAWNS]


@kernel
def clear_forbidden(known: Metaposition, maps: np.ndarray) -> None:
    """Zero wherever there is no ghost of the sort."""
    for sort in range(SORTS):
        board = allowed(known, sort)
        for square in range(64):
            maps[sort, square] *= f4((board >> np.uint64(square)) & BIT)


@kernel
def fill_certain(known: Metaposition, squares: np.uint64, maps: np.ndarray, left: np.ndarray) -> None:
    """The three matrices add up to 1 on each of the squares."""
    while squares != ZERO:
        square = lowest(squares)
        squares = without_lowest(squares)
        total = maps[0, square] + maps[1, square] + maps[2, square]
        if total < LEAST:
            for sort in range(SORTS):
                if has(allowed(known, sort), square):
                    maps[sort, square] = max(LEAST, left[sort])
            total = maps[0, square] + maps[1, square] + maps[2, square]
        if total > NONE:
            for sort in range(SORTS):
                maps[sort, square] /= total


@kernel
def scale_sort(known: Metaposition, sort: int, certain: np.uint64, row: np.ndarray, wanted: float) -> None:
    """Bring one matrix to its total by scaling it off the certain squares, to 1 a square at most."""
    sure, whole = NONE, NONE
    for square in range(64):
        whole += row[square]
    squares = certain
    while squares != ZERO:
        sure += row[lowest(squares)]
        squares = without_lowest(squares)
    rest, missing = whole - sure, max(NONE, wanted - sure)
    if rest < LEAST and missing > NONE:
        lay_out(row, allowed(known, sort) & ~certain, missing)
        return
    factor = missing / rest if rest > NONE else NONE
    for square in range(64):
        off = ONE - f4((certain >> np.uint64(square)) & BIT)
        row[square] = min(ONE, row[square] * (ONE + off * (factor - ONE)))


@kernel
def lay_out(row: np.ndarray, board: np.uint64, missing: float) -> None:
    """Spread so many men evenly over the squares."""
    if board == ZERO:
        return
    each = min(ONE, missing / f4(popcount(board)))
    while board != ZERO:
        row[lowest(board)] = each
        board = without_lowest(board)


@kernel
def share_squares(maps: np.ndarray) -> None:
    """No square holds more than one man."""
    for square in range(64):
        share = ONE / max(ONE, maps[0, square] + maps[1, square] + maps[2, square])
        maps[0, square] *= share
        maps[1, square] *= share
        maps[2, square] *= share


@kernel
def normalise(known: Metaposition, maps: np.ndarray, left: np.ndarray) -> None:
    """Fit the matrices to the metaposition and to the numbers of men.

    Args:
        known: METAPOSITION.
        maps: f4[3, 64], in place.
        left: f4[3], in place: bounded by the metaposition's counters.
    """
    bound_left(known, left)
    clear_forbidden(known, maps)
    certain = certain_squares(known)
    for _ in range(SWEEPS):
        fill_certain(known, certain, maps, left)
        for sort in range(SORTS):
            scale_sort(known, sort, certain, maps[sort], left[sort])
        share_squares(maps)
    fill_certain(known, certain, maps, left)
