"""Moves of a board: generation, legality, order.

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
from ks_env.core.bits import ALL, ZERO, bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.position import attackers, en_passant_is_safe, king_square, pinned_men
from ks_env.core.record import i4, i8
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    FILE_A,
    FILE_H,
    KNIGHT,
    PAWN,
    QUEEN,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    ROOK,
    THROUGH,
)

MOST_MOVES = 256
MOVE_MASK = 0xFFFF
ORDER = 16  # bits of a move below its order
CAPTURE, KILLER, QUIET = 2048, 1100, 512


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
def _capture(board: Board, start: int, end: int) -> int:
    victim = i8(board.men[end]) & 7
    kind = i8(board.men[start]) & 7
    return (CAPTURE + 64 * victim - kind) << ORDER | end << 6 | start


@kernel
def _add_promotions(board: Board, start: int, end: int, only_queen: bool, moves: np.ndarray, n: int) -> int:
    victim = i8(board.men[end]) & 7
    squares = end << 6 | start
    moves[n] = i4((CAPTURE + 64 * (victim + QUEEN)) << ORDER | QUEEN << 12 | squares)
    if only_queen:
        return n + 1
    moves[n + 1] = i4(KNIGHT << 12 | squares)
    moves[n + 2] = i4(BISHOP << 12 | squares)
    moves[n + 3] = i4(ROOK << 12 | squares)
    return n + 4


@kernel
def _add_pawn_captures(
    board: Board, ends: np.uint64, step: int, only_queen: bool, moves: np.ndarray, n: int
) -> int:
    """Captures on these squares by pawns that come from `end - step`."""
    while ends != ZERO:
        end = lowest(ends)
        ends = without_lowest(ends)
        if has(RANK_1 | RANK_8, end):
            n = _add_promotions(board, end - step, end, only_queen, moves, n)
        elif board.men[end] == 0:  # en passant
            moves[n] = i4((CAPTURE + 64 - PAWN) << ORDER | end << 6 | end - step)
            n += 1
        else:
            moves[n] = i4(_capture(board, end - step, end))
            n += 1
    return n


@kernel
def _pawn_captures(board: Board, side: int, only_queen: bool, moves: np.ndarray, n: int) -> int:
    pawns = board.kinds[PAWN] & board.seats[side]
    target = board.seats[1 - side]
    if board.ep >= 0:
        target |= bit(i8(board.ep))
    if side == 0:
        left, right = (pawns & ~FILE_A) << np.uint64(7), (pawns & ~FILE_H) << np.uint64(9)
        n = _add_pawn_captures(board, left & target, 7, only_queen, moves, n)
        return _add_pawn_captures(board, right & target, 9, only_queen, moves, n)
    left, right = (pawns & ~FILE_A) >> np.uint64(9), (pawns & ~FILE_H) >> np.uint64(7)
    n = _add_pawn_captures(board, left & target, -9, only_queen, moves, n)
    return _add_pawn_captures(board, right & target, -7, only_queen, moves, n)


@kernel
def _quiet(man: int, start: int, end: int, sign: int) -> int:
    gain = (MIDDLE[man, end] - MIDDLE[man, start]) * sign
    return (QUIET + gain) << ORDER | end << 6 | start


@kernel
def _pawn_pushes(board: Board, side: int, only_queen: bool, moves: np.ndarray, n: int) -> int:
    pawns = board.kinds[PAWN] & board.seats[side]
    empty = ~(board.seats[0] | board.seats[1])
    if side == 0:
        one = (pawns << np.uint64(8)) & empty
        two = ((one & RANK_3) << np.uint64(8)) & empty
    else:
        one = (pawns >> np.uint64(8)) & empty
        two = ((one & RANK_6) >> np.uint64(8)) & empty
    back = 16 * side - 8
    last = one & (RANK_1 | RANK_8)
    while last != ZERO:
        n = _add_promotions(board, lowest(last) + back, lowest(last), only_queen, moves, n)
        last = without_lowest(last)
    if only_queen:
        return n
    one &= ~(RANK_1 | RANK_8)
    man, sign = PAWN | side << 3, 1 - 2 * side
    while one != ZERO:
        end = lowest(one)
        one = without_lowest(one)
        moves[n] = i4(_quiet(man, end + back, end, sign))
        n += 1
    while two != ZERO:
        end = lowest(two)
        two = without_lowest(two)
        moves[n] = i4(_quiet(man, end + 2 * back, end, sign))
        n += 1
    return n


@kernel
def _castling(board: Board, side: int, moves: np.ndarray, n: int) -> int:
    """Castling, which is generated only where the king's way is free and not attacked."""
    rights = (i8(board.rights) >> (2 * side)) & 3
    if rights == 0:
        return n
    occupied = board.seats[0] | board.seats[1]
    king = 4 + 56 * side
    if attackers(board, king, 1 - side, occupied) != ZERO:
        return n
    for wing in range(2):
        step, corner = 1 - 2 * wing, king + 3 - 7 * wing
        if rights & (1 << wing) == 0 or BETWEEN[king, corner] & occupied != ZERO:
            continue
        if attackers(board, king + step, 1 - side, occupied) != ZERO:
            continue
        if attackers(board, king + 2 * step, 1 - side, occupied) == ZERO:
            moves[n] = i4((QUIET + 40) << ORDER | (king + 2 * step) << 6 | king)
            n += 1
    return n


@kernel
def generate(board: Board, moves: np.ndarray) -> int:
    """All pseudo-legal moves of the side to move.

    Castling is left out where the king is attacked, or passes or reaches an attacked square.

    Args:
        board: BOARD.
        moves: i4[MOST_MOVES], filled with packed moves.

    Returns:
        How many.
    """
    side = i8(board.side)
    n = _pawn_captures(board, side, False, moves, 0)
    n = _pawn_pushes(board, side, False, moves, n)
    occupied = board.seats[0] | board.seats[1]
    own, sign = board.seats[side], 1 - 2 * side
    men = own & ~board.kinds[PAWN]
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        man = i8(board.men[start])
        reach = man_attacks(man & 7, start, occupied)
        taken, free = reach & board.seats[1 - side], reach & ~occupied
        while taken != ZERO:
            moves[n] = i4(_capture(board, start, lowest(taken)))
            taken = without_lowest(taken)
            n += 1
        while free != ZERO:
            moves[n] = i4(_quiet(man, start, lowest(free), sign))
            free = without_lowest(free)
            n += 1
    return _castling(board, side, moves, n)


@kernel
def generate_captures(board: Board, moves: np.ndarray) -> int:
    """The pseudo-legal captures, without under-promotions, and promotions to queens; else as `generate`."""
    side = i8(board.side)
    n = _pawn_captures(board, side, True, moves, 0)
    n = _pawn_pushes(board, side, True, moves, n)
    occupied = board.seats[0] | board.seats[1]
    enemy = board.seats[1 - side]
    men = board.seats[side] & ~board.kinds[PAWN]
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        taken = man_attacks(i8(board.men[start]) & 7, start, occupied) & enemy
        while taken != ZERO:
            moves[n] = i4(_capture(board, start, lowest(taken)))
            taken = without_lowest(taken)
            n += 1
    return n


@kernel
def checkers_of(board: Board) -> np.uint64:
    """The men that give check to the side to move."""
    side = i8(board.side)
    return attackers(board, king_square(board, side), 1 - side, board.seats[0] | board.seats[1])


@kernel
def leaves_king_safe(board: Board, move: int, checkers: np.uint64, pinned: np.uint64) -> bool:
    """Whether a pseudo-legal move is legal.

    Args:
        board: BOARD.
        move: packed, of the side to move.
        checkers: see `checkers_of`.
        pinned: its men that are pinned to its king (`position.pinned_men`).
    """
    side = i8(board.side)
    start, end = start_of(move), end_of(move)
    king = king_square(board, side)
    if start == king:
        occupied = (board.seats[0] | board.seats[1]) & ~(bit(start) | bit(end))
        return attackers(board, end, 1 - side, occupied) == ZERO
    if end == board.ep and board.men[start] & 7 == PAWN:
        return en_passant_is_safe(board, start, end)
    evasions = ALL
    if checkers != ZERO:
        if without_lowest(checkers) != ZERO:
            return False
        evasions = checkers | BETWEEN[king, lowest(checkers)]
    if has(pinned, start):
        evasions &= THROUGH[king, start]
    return has(evasions, end)


@kernel
def is_legal(board: Board, move: int) -> bool:
    """Whether a pseudo-legal move leaves the mover's king out of check."""
    return leaves_king_safe(board, move, checkers_of(board), pinned_men(board, i8(board.side)))


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
