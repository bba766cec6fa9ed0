"""How the opponent controls squares: Prob_control of T10 §5.2, first set of assumptions."""

import numpy as np

from ks_env.belief.location.layout import KINGS, PAWNS, PIECES
from ks_env.core.bits import ZERO, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS

LINE_SHARE = f4(3.0 / 7.0)  # c1: queen and rooks of seven pieces, or queen and bishops
KNIGHT_SHARE = f4(2.0 / 7.0)  # "the only exception is the knight check, which only two can perform"
ONE = f4(1.0)
NONE = f4(0.0)


def _rays() -> "np.ndarray[tuple[int, int, int], np.dtype[np.int8]]":
    """i1[64, 8, 8]: squares from each one outwards in each direction, -1 after the last.

    Directions 2i and 2i + 1 run up and down line i (0 rank, 1 file, 2 rising, 3 falling).
    """
    table = np.full((64, 8, 8), -1, np.int8)
    for square in range(64):
        for i, (dx, dy) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1))):
            x, y = (square & 7) + dx, (square >> 3) + dy
            for place in range(7):
                if not (0 <= x < 8 and 0 <= y < 8):
                    break
                table[square, i, place] = 8 * y + x
                x, y = x + dx, y + dy
    return table


RAYS = _rays()


@kernel
def chance_empty(maps: np.ndarray, own: np.uint64, out: np.ndarray) -> None:
    """Chance that each square is empty of any man, into `out: f4[64]`."""
    for square in range(64):
        total = maps[0, square] + maps[1, square] + maps[2, square]
        out[square] = NONE if has(own, square) else max(NONE, ONE - total)


@kernel
def pieces_along(maps: np.ndarray, empty: np.ndarray, square: int, direction: int) -> float:
    """Expected pieces that see the square from one direction: c2 is the chance that the way is free.

    So it "decreases as the distance increases", and "enemy pieces covering each other are accounted for".
    """
    number, free = NONE, ONE
    for place in range(7):
        there = i8(RAYS[square, direction, place])
        if there < 0 or free == NONE:
            break
        number += free * maps[PIECES, there]
        free *= empty[there]
    return number


@kernel
def piece_control(maps: np.ndarray, empty: np.ndarray, square: int) -> float:
    """The share of pieces in Prob_control."""
    number = NONE
    for direction in range(8):
        number += pieces_along(maps, empty, square, direction)
    number *= LINE_SHARE
    jumps = KNIGHT_MOVES[square]
    while jumps != ZERO:
        number += KNIGHT_SHARE * maps[PIECES, lowest(jumps)]
        jumps = without_lowest(jumps)
    return number


@kernel
def pawn_control(maps: np.ndarray, square: int) -> float:
    """The share of pawns in Prob_control: those diagonally above the square."""
    number = NONE
    board = PAWN_ATTACKS[0, square]
    while board != ZERO:
        number += maps[PAWNS, lowest(board)]
        board = without_lowest(board)
    return number


@kernel
def king_control(maps: np.ndarray, square: int) -> float:
    """The share of the king in Prob_control."""
    number = NONE
    board = KING_MOVES[square]
    while board != ZERO:
        number += maps[KINGS, lowest(board)]
        board = without_lowest(board)
    return number


@kernel
def control(maps: np.ndarray, empty: np.ndarray, square: int) -> float:
    """Prob_control (T10 §5.2): expected number of the opponent's men that control the square; may exceed 1.

    Args:
        maps: f4[3, 64].
        empty: f4[64], `chance_empty`.
        square: in the seat's frame.
    """
    return king_control(maps, square) + pawn_control(maps, square) + piece_control(maps, empty, square)


@kernel
def _sweep(
    pieces: np.ndarray, empty: np.ndarray, rank_step: int, file_step: int, flow: np.ndarray, out: np.ndarray
) -> None:
    """Add to `out` the pieces that see each square along one direction, as `pieces_along` counts them.

    The number that looks on from a square is that standing there, and that behind it if the square is empty.
    """
    for i in range(8):
        rank = i if rank_step >= 0 else 7 - i
        for j in range(8):
            file = j if file_step >= 0 else 7 - j
            x, y = file - file_step, rank - rank_step
            square = 8 * rank + file
            if x < 0 or x > 7 or y < 0 or y > 7:
                flow[square] = NONE
                continue
            behind = 8 * y + x
            flow[square] = pieces[behind] + empty[behind] * flow[behind]
            out[square] += flow[square]


@kernel
def control_map(maps: np.ndarray, own: np.uint64, empty: np.ndarray, out: np.ndarray) -> None:
    """Prob_control of all squares at once, in sweeps over the board.

    Args:
        maps: f4[3, 64].
        own: own men.
        empty: f4[64], overwritten by `chance_empty`.
        out: f4[2, 64], overwritten: Prob_control, and the part of it that is pieces.
    """
    chance_empty(maps, own, empty)
    flow, pieces = out[0], out[1]
    for square in range(64):
        pieces[square] = NONE
    for rank_step in range(-1, 2):
        for file_step in range(-1, 2):
            if rank_step != 0 or file_step != 0:
                _sweep(maps[PIECES], empty, rank_step, file_step, flow, pieces)
    for square in range(64):
        pieces[square] *= LINE_SHARE
    for square in range(64):
        jumps = KNIGHT_SHARE * maps[PIECES, square]
        if jumps > NONE:
            targets = KNIGHT_MOVES[square]
            while targets != ZERO:
                pieces[lowest(targets)] += jumps
                targets = without_lowest(targets)
    for square in range(64):
        out[0, square] = pieces[square] + pawn_control(maps, square)
    for square in range(64):
        if maps[KINGS, square] > NONE:
            targets = KING_MOVES[square]
            while targets != ZERO:
                out[0, lowest(targets)] += maps[KINGS, square]
                targets = without_lowest(targets)
