"""Attack sets of single men, over any occupancy, and the steps between squares.

Slides use the obstruction difference: on one line, subtracting the nearest blocker below from the
nearest above leaves exactly the squares that are seen, blockers included.
"""

import numpy as np

from ks_env.core.bits import ALL, ONE, ZERO, leading_zeros
from ks_env.core.jit import kernel
from ks_env.core.tables import (
    BISHOP,
    HALF_LINES,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
)


@kernel
def line_attacks(square: int, line: int, occupied: np.uint64) -> np.uint64:
    """Squares seen along one line (0 rank, 1 file, 2 rising, 3 falling)."""
    lower, upper = HALF_LINES[square, line, 0], HALF_LINES[square, line, 1]
    below = ALL << (np.uint64(63) - leading_zeros((occupied & lower) | ONE))
    blockers = occupied & upper
    above = blockers & (ZERO - blockers)
    return (lower | upper) & ((above << ONE) + below)


@kernel
def rook_attacks(square: int, occupied: np.uint64) -> np.uint64:
    """Squares a rook sees."""
    return line_attacks(square, 0, occupied) | line_attacks(square, 1, occupied)


@kernel
def bishop_attacks(square: int, occupied: np.uint64) -> np.uint64:
    """Squares a bishop sees."""
    return line_attacks(square, 2, occupied) | line_attacks(square, 3, occupied)


@kernel
def man_attacks(kind: int, square: int, occupied: np.uint64) -> np.uint64:
    """Squares a knight, bishop, rook, queen or king sees; for pawns see `attacks_of`."""
    if kind == KNIGHT:
        return KNIGHT_MOVES[square]
    if kind == KING:
        return KING_MOVES[square]
    seen = ZERO
    if kind == BISHOP or kind == QUEEN:
        seen |= bishop_attacks(square, occupied)
    if kind == ROOK or kind == QUEEN:
        seen |= rook_attacks(square, occupied)
    return seen


@kernel
def attacks_of(kind: int, square: int, occupied: np.uint64) -> np.uint64:
    """Squares that a man of one's own of any kind attacks, pawns going up the board."""
    return PAWN_ATTACKS[0, square] if kind == PAWN else man_attacks(kind, square, occupied)


@kernel
def steps_apart(a: int, b: int) -> int:
    """King's steps between two squares."""
    return max(abs((a >> 3) - (b >> 3)), abs((a & 7) - (b & 7)))
