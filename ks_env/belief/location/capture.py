"""The opponent has captured: which of its men it was (T10 §5.2, the second set of assumptions)."""

import numpy as np

from ks_env.belief.location.control import (
    KNIGHT_SHARE,
    LINE_SHARE,
    RAYS,
    king_control,
    pawn_control,
    piece_control,
)
from ks_env.belief.location.layout import KINGS, PAWNS, PIECES
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS

ONE = f4(1.0)
NONE = f4(0.0)
LEAST = f4(1e-6)
EAGER = f4(10.0)  # a pawn's capture was announced to it, so that it is likelier than a piece's


@kernel
def capturer(maps: np.ndarray, empty: np.ndarray, square: int, pawns: bool, out: np.ndarray) -> None:
    """Chances that king, a pawn, a piece has captured on the square, into `out: f4[3]`; they add up to 1.

    In proportion to each sort's part of Prob_control.

    Args:
        maps: f4[3, 64] before the capture.
        empty: f4[64].
        square: where the captured man stood.
        pawns: whether the opponent may have had pawn captures.
        out: f4[3], overwritten.
    """
    out[KINGS] = king_control(maps, square) * f4(0.5)
    out[PAWNS] = EAGER * pawn_control(maps, square) if pawns else NONE
    out[PIECES] = piece_control(maps, empty, square)
    total = out[0] + out[1] + out[2]
    if total < LEAST:
        out[PIECES] = ONE
        total = out[0] + out[1] + out[2]
    for sort in range(3):
        out[sort] /= total


@kernel
def _leave(row: np.ndarray, board: np.uint64, mass: float) -> None:
    """Take mass off some squares, in proportion to what stands there."""
    total = NONE
    rest = board
    while rest != ZERO:
        total += row[lowest(rest)]
        rest = without_lowest(rest)
    if total < LEAST:
        return
    share = min(ONE, mass / total)
    while board != ZERO:
        square = lowest(board)
        board = without_lowest(board)
        row[square] -= share * row[square]


@kernel
def _pieces_leave(maps: np.ndarray, empty: np.ndarray, square: int, mass: float) -> None:
    """Take mass off the squares from which a piece may have captured, by how probable each is."""
    row = maps[PIECES]
    total = piece_control(maps, empty, square)
    if total < LEAST:
        return
    share = min(ONE, mass / total)
    for direction in range(8):
        free = ONE
        for place in range(7):
            there = i8(RAYS[square, direction, place])
            if there < 0 or free == NONE:
                break
            row[there] -= min(ONE, share * LINE_SHARE * free) * row[there]
            free *= empty[there]
    jumps = KNIGHT_MOVES[square]
    while jumps != ZERO:
        there = lowest(jumps)
        jumps = without_lowest(jumps)
        row[there] -= share * KNIGHT_SHARE * row[there]


@kernel
def man_captures(maps: np.ndarray, empty: np.ndarray, square: int, who: np.ndarray) -> None:
    """Move the capturing man to the square, each sort with its chance.

    Args:
        maps: f4[3, 64], in place.
        empty: f4[64] before the capture.
        square: where it stands now.
        who: f4[3], `capturer`.
    """
    _leave(maps[KINGS], KING_MOVES[square], who[KINGS])
    _leave(maps[PAWNS], PAWN_ATTACKS[0, square], who[PAWNS])
    _pieces_leave(maps, empty, square, who[PIECES])
    for sort in range(3):
        maps[sort, square] = who[sort]


@kernel
def pawn_passes(maps: np.ndarray, captured: int) -> None:
    """A pawn has captured the own pawn on `captured` en passant."""
    landed = captured - 8
    _leave(maps[PAWNS], PAWN_ATTACKS[0, landed], ONE)
    maps[PAWNS, landed] = ONE
