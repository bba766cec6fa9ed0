"""Geometry of the board and the numbering of tries, as constant arrays.

Squares: a1 = 0, h1 = 7, a8 = 56. "Seat frame" is White's own numbering, and for Black `square ^ 56`,
so that a seat's pawns always move up. A line's number is its check type: 0 rank, 1 file, 2 rising
diagonal (a1-h8 way), 3 falling diagonal (a8-h1 way).

Numbering of tries (seat frame, 1,859 in all):

    0..1791     (from, to) in order, over all queen-wise and knight-wise moves on the empty board;
                castling is the king's two-square move; a pawn reaching the last rank becomes a queen
    1792..1857  under-promotions: from a7..h7, to in order, then knight, bishop, rook
    1858        the question "any?"
"""

import numpy as np
import numpy.typing as npt

from ks_env.core.answers import FILE, LONG, RANK, SHORT

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5, 6

TRIES = 1859
ANY = 1858
TRY_WORDS = 30  # 64-bit words that hold one bit a try

# Castling rights as bits, those of a seat; of both seats in one number Black's are two places higher
KING_SIDE, QUEEN_SIDE = 1, 2
BOTH_SIDES = KING_SIDE | QUEEN_SIDE
BLACK_RIGHTS = BOTH_SIDES << 2
KING_HOME = 4  # White's, and of each seat in its own frame
CORNERS = (7, 0, 63, 56)  # of rooks that may castle, by the bits of the rights
CASTLED_KINGS = (6, 2, 62, 58)  # where the king castles to, by the same
_CASTLED_ROOKS = (5, 3, 61, 59)  # and where the rook then stands

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))  # (file, rank) of rank, file, rising, falling lines
_KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_KING_STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


def ray(square: int, file_step: int, rank_step: int) -> list[int]:
    """Squares from `square` (left out) to the edge."""
    file, rank, squares = square % 8 + file_step, square // 8 + rank_step, []
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(rank * 8 + file)
        file, rank = file + file_step, rank + rank_step
    return squares


def _board(squares: list[int]) -> np.uint64:
    return np.uint64(sum(1 << s for s in squares))


def _leaper(steps: tuple[tuple[int, int], ...]) -> npt.NDArray[np.uint64]:
    return np.array([_board([s for f, r in steps for s in ray(sq, f, r)[:1]]) for sq in range(64)], np.uint64)


def _half_lines() -> npt.NDArray[np.uint64]:
    """u8[64, 4, 2]: the squares of each line below (0) and above (1) the square, by number."""
    halves = np.zeros((64, 4, 2), np.uint64)
    for square in range(64):
        for line, (f, r) in enumerate(STEPS):
            squares = ray(square, f, r) + ray(square, -f, -r)
            halves[square, line, 0] = _board([s for s in squares if s < square])
            halves[square, line, 1] = _board([s for s in squares if s > square])
    return halves


def _checks_of_lines() -> npt.NDArray[np.int64]:
    """i8[64, 4]: the type of a check along each line to a king on the square, as a bit (`answers.LONG`).

    "Long" is the longer of the two diagonals through the king; they are never of the same length.
    """
    types = np.empty((64, 4), np.int64)
    for square in range(64):
        rising, falling = (int(board).bit_count() for board in LINES[square, 2:])
        types[square] = (RANK, FILE, LONG, SHORT) if rising > falling else (RANK, FILE, SHORT, LONG)
    return types


def _check_lines() -> npt.NDArray[np.uint64]:
    """u8[64, 5]: where a man that checks a king on the square can stand, by type (`answers.CHECKS`)."""
    squares = np.stack([*LINES.T, KNIGHT_MOVES], axis=1)
    falling_is_long = CHECK_OF_LINE[:, 3] == LONG
    squares[falling_is_long, 2:4] = squares[falling_is_long, 3:1:-1]
    return squares


def _pairs() -> tuple[npt.NDArray[np.uint64], ...]:
    """u8[64, 64] each: squares strictly between, the whole line through both, squares beyond the second."""
    between, through, beyond = (np.zeros((64, 64), np.uint64) for _ in range(3))
    for a in range(64):
        for f, r in _KING_STEPS:
            squares = ray(a, f, r)
            for i, b in enumerate(squares):
                between[a, b] = _board(squares[:i])
                through[a, b] = _board([a, *squares, *ray(a, -f, -r)])
                beyond[a, b] = _board(squares[i + 1 :])
    return between, through, beyond


KNIGHT_MOVES = _leaper(_KNIGHT_STEPS)  # u8[64]
KING_MOVES = _leaper(_KING_STEPS)  # u8[64]
# Squares attacked by a pawn of seat 0 (White, upward) and seat 1: u8[2, 64]
PAWN_ATTACKS = np.stack([_leaper(((-1, 1), (1, 1))), _leaper(((-1, -1), (1, -1)))])
HALF_LINES = _half_lines()  # u8[64, 4, 2]
LINES = HALF_LINES[:, :, 0] | HALF_LINES[:, :, 1]  # u8[64, 4]: a line without the square itself
CHECK_OF_LINE = _checks_of_lines()  # i8[64, 4]
CHECK_LINES = _check_lines()  # u8[64, 5]
ROOK_LINES = LINES[:, 0] | LINES[:, 1]  # u8[64]
BISHOP_LINES = LINES[:, 2] | LINES[:, 3]  # u8[64]
# u8[7, 64] by kind: where a man can get to on an empty board; nothing for a pawn
MAN_LINES = np.stack(
    [
        LINES[:, 0] * 0,
        LINES[:, 0] * 0,
        KNIGHT_MOVES,
        BISHOP_LINES,
        ROOK_LINES,
        ROOK_LINES | BISHOP_LINES,
        KING_MOVES,
    ]
)
BETWEEN, THROUGH, BEYOND = _pairs()  # u8[64, 64]

FILE_A = np.uint64(0x0101010101010101)
FILE_H = np.uint64(0x8080808080808080)
RANK_1 = np.uint64(0xFF)
RANK_3 = np.uint64(0xFF << 16)
RANK_6 = np.uint64(0xFF << 40)
RANK_8 = np.uint64(0xFF << 56)
DARK = np.uint64(0xAA55AA55AA55AA55)
# i8[64]: castling rights that end when anything leaves or reaches a square
RIGHTS_LOST = np.zeros(64, np.int64)
RIGHTS_LOST[[KING_HOME, KING_HOME ^ 56, *CORNERS]] = (BOTH_SIDES, BLACK_RIGHTS, *(1 << i for i in range(4)))
# i8[64] each: where the rook comes from and goes to, by where the king castles to; -1 elsewhere
ROOK_FROM, ROOK_TO = np.full((2, 64), -1, np.int64)
ROOK_FROM[list(CASTLED_KINGS)], ROOK_TO[list(CASTLED_KINGS)] = CORNERS, _CASTLED_ROOKS


def _numbering() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """Tries u1[1859, 3] (from, to, under-promotion), their inverse, and that of under-promotions."""
    rows: list[tuple[int, int, int]] = []
    index = np.full((64, 64), -1, np.int16)
    for a in range(64):
        targets = int(ROOK_LINES[a] | BISHOP_LINES[a] | KNIGHT_MOVES[a])
        for b in range(64):
            if targets >> b & 1:
                index[a, b] = len(rows)
                rows.append((a, b, 0))
    under = np.full((8, 3), -1, np.int16)
    for file in range(8):
        for step in (-1, 0, 1):
            if 0 <= file + step < 8:
                under[file, step + 1] = len(rows)
                rows += [(48 + file, 56 + file + step, kind) for kind in (KNIGHT, BISHOP, ROOK)]
    rows.append((0, 0, 0))  # "any?" has no squares
    return np.array(rows, np.uint8), index, under


TRY_TABLE, TRY_INDEX, UNDER_INDEX = _numbering()
FIRST_TRY = np.array([row[row >= 0].min() for row in TRY_INDEX], np.int64)  # i8[64]: by from-square
REACHES = MAN_LINES[QUEEN] | KNIGHT_MOVES  # u8[64]: the to-squares of the tries from a square
# i2[17, 64]: the move that comes `step` squares up the board to a square; -1 for none
PAWN_TRIES = np.stack(
    [np.concatenate([np.full(step, -1, np.int16), np.diag(TRY_INDEX, step)]) for step in range(17)]
)
TRY_FROM = np.ascontiguousarray(TRY_TABLE[:, 0])  # u1[1859]
TRY_TO = np.ascontiguousarray(TRY_TABLE[:, 1])  # u1[1859]
TRY_KIND = np.ascontiguousarray(TRY_TABLE[:, 2])  # u1[1859]: kind of an under-promotion, else 0


def _splitmix(count: int, seed: int) -> npt.NDArray[np.uint64]:
    mask, out, state = (1 << 64) - 1, [], seed
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        out.append(z ^ (z >> 31))
    return np.array(out, np.uint64)


_KEYS = _splitmix(16 * 64 + 16 + 8 + 1, 20070106)
MAN_KEYS = _KEYS[: 16 * 64].reshape(16, 64).copy()  # u8[16, 64] by man (kind | seat << 3) and square
RIGHTS_KEYS = _KEYS[1024:1040].copy()  # u8[16]
FILE_KEYS = _KEYS[1040:1048].copy()  # u8[8]: file of a legal en passant capture
SIDE_KEY = np.uint64(_KEYS[1048])
