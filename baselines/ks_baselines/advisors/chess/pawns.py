"""Pawn structure: passed, doubled and isolated pawns; and the pawns before a king."""

import numpy as np

from ks_env.core.bits import ZERO, flip, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Position
from ks_env.core.tables import FILE_A, FILE_H, KING_MOVES, PAWN

PASSED = np.array([0, 4, 8, 16, 32, 56, 90, 0], np.int32)  # i4[8] by its seat's rank; half in the middle game
DOUBLED, ISOLATED = 12, 10
SHIELD = 7  # a pawn next to its king on one of the two first ranks, in the middle game


@kernel
def _beside(board: np.uint64) -> np.uint64:
    """The squares to the left and right."""
    return ((board & ~FILE_H) << np.uint64(1)) | ((board & ~FILE_A) >> np.uint64(1))


@kernel
def _below(board: np.uint64) -> np.uint64:
    """All squares further down on the same files."""
    board |= board >> np.uint64(8)
    board |= board >> np.uint64(16)
    board |= board >> np.uint64(32)
    return board >> np.uint64(8)


@kernel
def structure_of(own: np.uint64, enemy: np.uint64) -> int:
    """Centipawns for the structure of pawns that move up, against those that move down, in the ending."""
    below = _below(own)
    files = own | below | flip(_below(flip(own)))
    stopped = _below(enemy)
    passed = own & ~(stopped | _beside(stopped)) & ~below
    value = -DOUBLED * popcount(own & below)
    value -= ISOLATED * popcount(own & ~_beside(files))
    while passed != ZERO:
        value += PASSED[lowest(passed) >> 3]
        passed = without_lowest(passed)
    return value


@kernel
def structure(board: Position) -> int:
    """Centipawns for White less those for Black."""
    white, black = board.kinds[PAWN] & board.seats[0], board.kinds[PAWN] & board.seats[1]
    return structure_of(white, black) - structure_of(flip(black), flip(white))


@kernel
def shield(pawns: np.uint64, king: int, seat: int) -> int:
    """Centipawns for a seat's pawns next to its king."""
    if (king ^ (56 * seat)) >= 16:
        return 0
    return SHIELD * popcount(KING_MOVES[king] & pawns)
