"""What men and pawn structures are worth, in centipawns, in the middle game and in the ending.

The strategic advisor of Bud et al. (2001, §4) was GNU Chess. Men are worth what they are to its version 4; as
there, a knight gains some 20 by its first move towards the centre, and bishops and rooks are worth more where
they see far (see `evaluation`). The other numbers are this project's own.

Both tables of men on squares are White's view of the balance: a man of Black counts negative, so that their
sums over the board are kept up to date man by man (see `board`). `PHASE` says how much of the middle game is
left: 64 with all men on the board, 0 with kings and pawns only. Of pawns count passed, doubled and isolated
ones, and those before a king.
"""

import numpy as np
import numpy.typing as npt

from ks_env.core.bits import ZERO, flip, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Position
from ks_env.core.tables import BISHOP, FILE_A, FILE_H, KING, KING_MOVES, KNIGHT, PAWN, QUEEN, ROOK

FULL_PHASE = 64
PHASE = np.array([0, 0, 3, 3, 5, 10, 0], np.int32)  # i4[7] by kind

_MATERIAL = {  # kind: middle game, ending
    PAWN: (100, 100),
    KNIGHT: (350, 350),
    BISHOP: (355, 355),
    ROOK: (550, 550),
    QUEEN: (1100, 1100),
    KING: (0, 0),
}
# Pawns by rank: those of the files a b c d e f g h add a share of the first row
_ADVANCE = (0, -8, 2, 14, 20, 32, 60, 0)
_ADVANCE_SHARE = (0.3, 0.3, 0.7, 1.5, 1.5, 0.2, -0.1, 0.2)
_ADVANCE_ENDING = (0, 0, 4, 12, 26, 46, 75, 0)
_KING_HOME = (18, 24, 14, -12, 0, -10, 32, 24)  # on the first rank, by file, in the middle game


def _centre(file: int, rank: int) -> int:
    """0 in a corner to 6 on the four squares of the centre."""
    return min(file, 7 - file) + min(rank, 7 - rank)


def _pawn(file: int, rank: int) -> tuple[float, float]:
    return _ADVANCE[rank] * _ADVANCE_SHARE[file], _ADVANCE_ENDING[rank]


def _knight(file: int, rank: int) -> tuple[float, float]:
    value = 6 * _centre(file, rank) - 18
    return value, value


def _bishop(file: int, rank: int) -> tuple[float, float]:
    value = 2 * _centre(file, rank) - 6
    return value - 4 * (rank == 0) + 6 * (rank == 1 and file in (1, 6)), value


def _rook(file: int, rank: int) -> tuple[float, float]:
    return 4 * min(file, 7 - file) - 6 + 20 * (rank == 6) - 3 * (rank in (2, 3, 4)), 8 * (rank == 6)


def _queen(file: int, rank: int) -> tuple[float, float]:
    return 2 * min(file, 7 - file) - 3 * rank, 5 * _centre(file, rank) - 15


def _king(file: int, rank: int) -> tuple[float, float]:
    middle = _KING_HOME[file] if rank == 0 else -22 - 16 * min(rank, 4) - 3 * min(file, 7 - file)
    return middle, 10 * _centre(file, rank) - 30


_SQUARE = {PAWN: _pawn, KNIGHT: _knight, BISHOP: _bishop, ROOK: _rook, QUEEN: _queen, KING: _king}


def _tables() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """i4[16, 64] each, by man (kind | seat << 3) and square: middle game and ending, Black's negative."""
    middle, ending = np.zeros((16, 64), np.int32), np.zeros((16, 64), np.int32)
    for kind, material in _MATERIAL.items():
        for square in range(64):
            early, late = _SQUARE[kind](square % 8, square // 8)
            middle[kind, square] = material[0] + round(early)
            ending[kind, square] = material[1] + round(late)
            middle[kind | 8, square ^ 56] = -middle[kind, square]
            ending[kind | 8, square ^ 56] = -ending[kind, square]
    return middle, ending


MIDDLE, ENDING = _tables()  # i4[16, 64]


def _from_edges() -> npt.NDArray[np.int32]:
    return np.array([6 - _centre(square % 8, square // 8) for square in range(64)], np.int32)


def _apart() -> npt.NDArray[np.int32]:
    """King's steps and, for finer gradients, files plus ranks between two squares."""
    file, rank = np.arange(64) % 8, np.arange(64) // 8
    files, ranks = np.abs(file[:, None] - file), np.abs(rank[:, None] - rank)
    return (np.maximum(files, ranks) + files + ranks).astype(np.int32)


def _from_corner() -> npt.NDArray[np.int32]:
    """i4[2, 64]: steps to the nearer corner of light (0) and of dark squares (1)."""
    file, rank = np.arange(64) % 8, np.arange(64) // 8
    light = np.minimum(np.maximum(file, 7 - rank), np.maximum(7 - file, rank))
    dark = np.minimum(np.maximum(file, rank), np.maximum(7 - file, 7 - rank))
    return np.stack([light, dark]).astype(np.int32)


OUT = _from_edges()  # i4[64]: 0 in the centre to 6 in a corner
APART = _apart()  # i4[64, 64]
CORNER = _from_corner()  # i4[2, 64]


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
