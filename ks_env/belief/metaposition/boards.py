"""Whole boards of men moved at once: where all ghosts of a kind can go in one move.

Slides go through and onto the squares of `empty` only: a square that may be empty lets a ghost pass, even if
another ghost may stand there (M07 §2: pseudo-pieces move through and over each other).
"""

import numpy as np

from ks_env.core.bits import ALL
from ks_env.core.jit import kernel
from ks_env.core.tables import FILE_A, FILE_H

NOT_A = ~FILE_A
NOT_H = ~FILE_H
NOT_AB = ~(FILE_A | (FILE_A << np.uint64(1)))
NOT_GH = ~(FILE_H | (FILE_H >> np.uint64(1)))


@kernel
def knight_squares(knights: np.uint64) -> np.uint64:
    """All squares a knight's move away from the board."""
    one = ((knights << np.uint64(17)) & NOT_A) | ((knights >> np.uint64(15)) & NOT_A)
    one |= ((knights << np.uint64(15)) & NOT_H) | ((knights >> np.uint64(17)) & NOT_H)
    two = ((knights << np.uint64(10)) & NOT_AB) | ((knights >> np.uint64(6)) & NOT_AB)
    two |= ((knights << np.uint64(6)) & NOT_GH) | ((knights >> np.uint64(10)) & NOT_GH)
    return one | two


@kernel
def straight_neighbours(board: np.uint64) -> np.uint64:
    """All squares one step along a rank or file away."""
    across = ((board << np.uint64(1)) & NOT_A) | ((board >> np.uint64(1)) & NOT_H)
    return across | (board << np.uint64(8)) | (board >> np.uint64(8))


@kernel
def oblique_neighbours(board: np.uint64) -> np.uint64:
    """All squares one step along a diagonal away."""
    right = ((board << np.uint64(9)) | (board >> np.uint64(7))) & NOT_A
    left = ((board << np.uint64(7)) | (board >> np.uint64(9))) & NOT_H
    return right | left


@kernel
def king_squares(kings: np.uint64) -> np.uint64:
    """All squares a king's step away from the board."""
    return straight_neighbours(kings) | oblique_neighbours(kings)


@kernel
def _fill_up(board: np.uint64, step: np.uint64, through: np.uint64) -> np.uint64:
    """The board and all it reaches by steps toward higher squares within `through`."""
    board |= through & (board << step)
    through &= through << step
    board |= through & (board << (step + step))
    through &= through << (step + step)
    return board | (through & (board << (step << np.uint64(2))))


@kernel
def _fill_down(board: np.uint64, step: np.uint64, through: np.uint64) -> np.uint64:
    board |= through & (board >> step)
    through &= through >> step
    board |= through & (board >> (step + step))
    through &= through >> (step + step)
    return board | (through & (board >> (step << np.uint64(2))))


@kernel
def across_fill(board: np.uint64, empty: np.uint64) -> np.uint64:
    """The board and all squares its men reach along ranks within `empty`."""
    return _fill_up(board, np.uint64(1), empty & NOT_A) | _fill_down(board, np.uint64(1), empty & NOT_H)


@kernel
def upward_fill(board: np.uint64, empty: np.uint64) -> np.uint64:
    """The board and all squares its men reach up their files within `empty`."""
    return _fill_up(board, np.uint64(8), empty)


@kernel
def downward_fill(board: np.uint64, empty: np.uint64) -> np.uint64:
    """The board and all squares its men reach down their files within `empty`."""
    return _fill_down(board, np.uint64(8), empty)


@kernel
def straight_fill(board: np.uint64, empty: np.uint64) -> np.uint64:
    """The board and all squares its men reach by rook moves within `empty`."""
    return upward_fill(board, empty) | downward_fill(board, empty) | across_fill(board, empty)


@kernel
def oblique_fill(board: np.uint64, empty: np.uint64) -> np.uint64:
    """The board and all squares its men reach by bishop moves within `empty`."""
    filled = _fill_up(board, np.uint64(9), empty & NOT_A) | _fill_up(board, np.uint64(7), empty & NOT_H)
    filled |= _fill_down(board, np.uint64(7), empty & NOT_A)
    return filled | _fill_down(board, np.uint64(9), empty & NOT_H)


@kernel
def pawn_steps(pawns: np.uint64, empty: np.uint64) -> np.uint64:
    """Where pawns that move down the board can step, from their home rank by two."""
    one = (pawns >> np.uint64(8)) & empty
    home = np.uint64(0xFF << 40)  # the rank below the one on which they began
    return one | (((one & home) >> np.uint64(8)) & empty)


@kernel
def pawn_origins(targets: np.uint64) -> np.uint64:
    """From where pawns that move down the board attack any of the targets."""
    return ((targets << np.uint64(7)) & NOT_H) | ((targets << np.uint64(9)) & NOT_A)


@kernel
def own_pawn_targets(pawns: np.uint64) -> np.uint64:
    """Squares that own pawns, which move up the board, attack."""
    return ((pawns << np.uint64(7)) & NOT_H) | ((pawns << np.uint64(9)) & NOT_A)


@kernel
def file_of(square: int) -> np.uint64:
    """The board of the square's file."""
    return FILE_A << np.uint64(square & 7)


@kernel
def only(condition: bool, board: np.uint64) -> np.uint64:
    """The board if the condition holds, else none."""
    return board & (ALL if condition else np.uint64(0))
