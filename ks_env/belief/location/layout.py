"""The record of a location map: a probability for each square and each of three sorts of men.

See Ciancarini and Favini (2010, §5.2).

Ciancarini and Favini (2010) keep three 8 x 8 matrices: Pk for the king, Pw for pawns, Pc for the other
chessmen. "We do not distinguish between different pieces such as queens and rooks as most Kriegspiel rulesets
do not give a player enough information to do so." An entry is the chance that a man of the sort stands on the
square, so that a matrix adds up to the number of such men.

The record holds a METAPOSITION beside them, and the matrices never contradict it (`normalise`). "When a
square is found to be empty [...], the probabilities for the enemy pieces on that square are set to 0.
Conversely, when a square is known to be occupied [...], the sum of the probability matrices for that square
is brought to 1. In both cases, the matrices are normalized afterwards so their total sum over the board does
not change."
"""

import numpy as np

from ks_env.belief.metaposition.layout import METAPOSITION, Metaposition, certain
from ks_env.core.bits import ONE as BIT
from ks_env.core.bits import ZERO, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import Array, Record, dtype_of, f4, field
from ks_env.core.tables import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

KINGS, PAWNS, PIECES = 0, 1, 2
SORTS = 3
SORT_OF = (-1, PAWNS, PIECES, PIECES, PIECES, PIECES, KINGS)  # by kind; entry 0 unused

SWEEPS = 2  # of normalising rows and columns in turn
LEAST = f4(1e-6)  # mass under which a matrix is laid out anew
ONE = f4(1.0)
NONE = f4(0.0)


class Location(Record):
    """A location map; squares are in the seat's own frame, as in METAPOSITION."""

    known: Metaposition = field(METAPOSITION)  # what is certain
    turn: Array = field("f4", (SORTS, 64))  # the matrices when the seat's turn began
    maps: Array = field("f4", (SORTS, 64))  # with what was heard since: refusals, answers to "any?"
    left: Array = field("f4", (SORTS,))  # expected number of men of each sort: 1, pawns, pieces
    usual: int = field("u1")  # 1 if the game began from the usual start, which profiles are of


LOCATION = dtype_of(Location)


RATES = np.array([1.0, 1.0, 2.0], np.float32)
"""f4[3]: how often the king, a pawn and a piece move, in relation to each other; exactly one man moves in a
turn. Ciancarini and Favini (2010) have them all alike; pieces count twice, as in a published
implementation."""

NO_DRIFT = np.ones((2, 1, SORTS, 64), np.float32)
"""f4[2, T, 3, 64], see `profile.Profile.drifts`: all squares attract equally, as without a profile."""


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
def mass_on(maps: np.ndarray, sort: int, board: np.uint64) -> float:
    """Expected number of men of the sort on the squares."""
    mass = NONE
    while board != ZERO:
        mass += maps[sort, lowest(board)]
        board = without_lowest(board)
    return mass


@kernel
def bound_left(known: Metaposition, left: np.ndarray) -> None:
    """The expected numbers within the metaposition's counters; men that are not pawns are pieces."""
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
        maps: f4[3, 64], in place.
        left: f4[3], in place: bounded by the metaposition's counters.
    """
    bound_left(known, left)
    clear_forbidden(known, maps)
    sure = certain(known)
    for _ in range(SWEEPS):
        fill_certain(known, sure, maps, left)
        for sort in range(SORTS):
            scale_sort(known, sort, sure, maps[sort], left[sort])
        share_squares(maps)
    fill_certain(known, sure, maps, left)
