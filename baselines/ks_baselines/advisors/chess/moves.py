"""Moves of a board in the order in which the search looks at them.

A move is one integer: start (bits 0-5), end (6-11), the kind that a pawn becomes on the last rank or 0
(12-14). In the search it carries its place in the order above that: the greatest comes first.

    bits  16..            12..14      6..11  0..5
          order           promotion   end    start

Orders: captures and queen promotions by victim, then by attacker (2,048 and more), killers (1,100 and 1,101),
quiet moves by what they gain on the board's squares (about 512), under-promotions (0).
"""

import numpy as np

from ks_baselines.advisors.chess.board import Board
from ks_baselines.advisors.chess.values import MIDDLE
from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.position import (
    attacking_pawns,
    king_square,
    legal_targets,
    pawn_targets,
    safe_king_squares,
    safe_targets,
)
from ks_env.core.record import i4, i8
from ks_env.core.tables import BISHOP, KING, KING_MOVES, KNIGHT, PAWN, QUEEN, RANK_1, RANK_8, ROOK

MOST_MOVES = 256
MOVE_MASK = 0xFFFF
ORDER = 16  # bits of a move below its order
CAPTURE, KILLER, QUIET, CASTLING = 2048, 1100, 512, 552
LAST_RANKS = RANK_1 | RANK_8
SEVENTH = np.array([RANK_8 >> np.uint64(8), RANK_1 << np.uint64(8)])  # u8[2], from which each seat promotes


@kernel
def start_of(move: int) -> int:
    """Where the man comes from."""
    return move & 63


@kernel
def end_of(move: int) -> int:
    """Where it goes."""
    return (move >> 6) & 63


@kernel
def promotion_of(move: int) -> int:
    """What a pawn becomes on the last rank, else 0."""
    return (move >> 12) & 7


@kernel
def _add_captures(board: Board, start: int, ends: np.uint64, moves: np.ndarray, n: int) -> int:
    kind = i8(board.men[start]) & 7
    while ends != ZERO:
        end = lowest(ends)
        ends = without_lowest(ends)
        victim = i8(board.men[end]) & 7 if board.men[end] != 0 else PAWN  # en passant
        moves[n] = i4((CAPTURE + 64 * victim - kind) << ORDER | end << 6 | start)
        n += 1
    return n


@kernel
def _add_quiet(board: Board, start: int, ends: np.uint64, moves: np.ndarray, n: int) -> int:
    man = i8(board.men[start])
    sign = 1 - 2 * (man >> 3)
    while ends != ZERO:
        end = lowest(ends)
        ends = without_lowest(ends)
        gain = (MIDDLE[man, end] - MIDDLE[man, start]) * sign
        moves[n] = i4((QUIET + gain) << ORDER | end << 6 | start)
        n += 1
    return n


@kernel
def _add_promotions(
    board: Board, start: int, ends: np.uint64, only_queen: bool, moves: np.ndarray, n: int
) -> int:
    while ends != ZERO:
        end = lowest(ends)
        ends = without_lowest(ends)
        squares = end << 6 | start
        victim = i8(board.men[end]) & 7
        moves[n] = i4((CAPTURE + 64 * (victim + QUEEN)) << ORDER | QUEEN << 12 | squares)
        n += 1
        if not only_queen:
            moves[n] = i4(KNIGHT << 12 | squares)
            moves[n + 1] = i4(BISHOP << 12 | squares)
            moves[n + 2] = i4(ROOK << 12 | squares)
            n += 3
    return n


@kernel
def _add_castling(start: int, ends: np.uint64, moves: np.ndarray, n: int) -> int:
    while ends != ZERO:
        moves[n] = i4(CASTLING << ORDER | lowest(ends) << 6 | start)
        ends = without_lowest(ends)
        n += 1
    return n


@kernel
def generate(board: Board, moves: np.ndarray) -> int:
    """All legal moves of the side to move.

    Args:
        board: BOARD, refreshed.
        moves: i4[MOST_MOVES], filled with packed moves.

    Returns:
        How many.
    """
    side, n = i8(board.side), 0
    enemy, by_pawn = board.seats[1 - side], pawn_targets(board)
    men = board.seats[side]
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        ends, taken = legal_targets(board, start), enemy
        if has(board.kinds[PAWN], start):
            n = _add_promotions(board, start, ends & LAST_RANKS, False, moves, n)
            ends &= ~LAST_RANKS
            taken = by_pawn
        elif has(board.kinds[KING], start):
            n = _add_castling(start, ends & ~KING_MOVES[start], moves, n)
            ends &= KING_MOVES[start]
        n = _add_captures(board, start, ends & taken, moves, n)
        n = _add_quiet(board, start, ends & ~taken, moves, n)
    return n


@kernel
def generate_captures(board: Board, moves: np.ndarray) -> int:
    """The legal captures, without under-promotions, and promotions to queens; else as `generate`."""
    side, n = i8(board.side), 0
    own, enemy, by_pawn = board.seats[side], board.seats[1 - side], pawn_targets(board)
    pawns = attacking_pawns(board, by_pawn) | (board.kinds[PAWN] & own & SEVENTH[side])
    while pawns != ZERO:
        start = lowest(pawns)
        pawns = without_lowest(pawns)
        ends = legal_targets(board, start)
        n = _add_promotions(board, start, ends & LAST_RANKS, True, moves, n)
        n = _add_captures(board, start, ends & by_pawn & ~LAST_RANKS, moves, n)
    king = king_square(board, side)
    n = _add_captures(board, king, safe_king_squares(board, KING_MOVES[king] & enemy), moves, n)
    men, occupied = own & ~(board.kinds[PAWN] | board.kinds[KING]), own | enemy
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        taken = man_attacks(i8(board.men[start]) & 7, start, occupied) & enemy
        if taken != ZERO:
            n = _add_captures(board, start, safe_targets(board, start, taken), moves, n)
    return n


@kernel
def take_best(moves: np.ndarray, first: int, n: int) -> int:
    """Bring the move of the highest order from `first` on to that place; the move."""
    best = first
    for i in range(first + 1, n):
        if moves[i] > moves[best]:
            best = i
    move = moves[best]
    moves[best] = moves[first]
    moves[first] = move
    return i8(move)
