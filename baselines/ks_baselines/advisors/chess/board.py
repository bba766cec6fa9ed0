"""The board of the search: what a full-information chess position is, copied and played on.

Squares are absolute (a1 = 0, h8 = 63), seats are 0 White and 1 Black, a man is `kind | seat << 3`. Each seat
has exactly one king. The sums of values are those of `values`, kept up to date by every change.
"""

import numpy as np

from ks_baselines.advisors.chess.values import ENDING, MIDDLE, PHASE, structure
from ks_env.core.bits import ZERO, bit
from ks_env.core.jit import kernel
from ks_env.core.layout import Position, Truth
from ks_env.core.position import attackers, king_square, pinned_men
from ks_env.core.record import Array, dtype_of, field, i1, i4, i8, u1
from ks_env.core.tables import KING, PAWN, PAWN_ATTACKS, RIGHTS_LOST, ROOK, ROOK_FROM, ROOK_TO


class Board(Position):
    """The record BOARD."""

    men: Array = field("u1", (64,))  # kind | seat << 3, 0 empty
    kinds: Array = field("u8", (7,))  # boards by kind, both colours; entry 0 unused
    seats: Array = field("u8", (2,))  # boards by colour
    checkers: np.uint64 = field("u8")  # men that give check to the side to move, as `refresh` has found them
    pinned: np.uint64 = field("u8")  # its men that are pinned to its king, likewise
    middle: int = field("i4")  # centipawns for White: men and squares, middle game
    ending: int = field("i4")  # the same, ending
    pawns: int = field("i4")  # the same, pawn structure
    phase: int = field("i4")  # see `values.PHASE`
    side: int = field("u1")  # seat to move
    rights: int = field("u1")  # castling: White king side 1, queen side 2, Black 4, 8
    ep: int = field("i1")  # square passed by a pawn that an enemy pawn can reach, else -1


BOARD = dtype_of(Board)


@kernel
def put(board: Board, square: int, man: int) -> None:
    """Place a man on an empty square; the pawn structure is left as it was."""
    place = bit(square)
    board.men[square] = u1(man)
    board.kinds[man & 7] |= place
    board.seats[man >> 3] |= place
    board.middle = i4(board.middle + MIDDLE[man, square])
    board.ending = i4(board.ending + ENDING[man, square])
    board.phase = i4(board.phase + PHASE[man & 7])


@kernel
def lift(board: Board, square: int) -> int:
    """Take the man off an occupied square; the man. The pawn structure is left as it was."""
    man = i8(board.men[square])
    place = bit(square)
    board.men[square] = u1(0)
    board.kinds[man & 7] ^= place
    board.seats[man >> 3] ^= place
    board.middle = i4(board.middle - MIDDLE[man, square])
    board.ending = i4(board.ending - ENDING[man, square])
    board.phase = i4(board.phase - PHASE[man & 7])
    return man


@kernel
def clear(board: Board) -> None:
    """An empty board with White to move and no rights."""
    for square in range(64):
        board.men[square] = u1(0)
    for kind in range(7):
        board.kinds[kind] = ZERO
    board.seats[0] = ZERO
    board.seats[1] = ZERO
    board.checkers = ZERO
    board.pinned = ZERO
    board.middle = i4(0)
    board.ending = i4(0)
    board.pawns = i4(0)
    board.phase = i4(0)
    board.side = u1(0)
    board.rights = u1(0)
    board.ep = i1(-1)


@kernel
def find_checkers(board: Board) -> None:
    """The men that give check to the side to move."""
    side = i8(board.side)
    occupied = board.seats[0] | board.seats[1]
    board.checkers = attackers(board, king_square(board, side), 1 - side, occupied)


@kernel
def find_pinned(board: Board) -> None:
    """Its men that are pinned to its king."""
    board.pinned = pinned_men(board, i8(board.side))


@kernel
def refresh(board: Board) -> None:
    """Find what the generation of moves needs."""
    find_checkers(board)
    find_pinned(board)


@kernel
def from_truth(truth: Truth, board: Board) -> None:
    """Fill the board from a TRUTH record of `ks_env.core.layout`.

    Args:
        truth: men, side, rights and ep are read.
        board: BOARD, overwritten.
    """
    clear(board)
    for square in range(64):
        if truth.men[square] != 0:
            put(board, square, i8(truth.men[square]))
    board.pawns = i4(structure(board))
    board.side = truth.side
    board.rights = truth.rights
    board.ep = truth.ep
    refresh(board)


@kernel
def pass_turn(board: Board) -> None:
    """Give the turn to the other seat without a move, as `play`: the turn is lost, and en passant with it."""
    board.side = u1(1 - board.side)
    board.ep = i1(-1)


@kernel
def in_check(board: Board, seat: int) -> bool:
    """Whether the king of the seat is attacked, whoever is to move."""
    occupied = board.seats[0] | board.seats[1]
    return attackers(board, king_square(board, seat), 1 - seat, occupied) != ZERO


@kernel
def play(board: Board, start: int, end: int, promotion: int) -> None:
    """Play a legal move; leaves `refresh` to the caller.

    Args:
        board: BOARD, changed in place.
        start: square of a man of the side to move.
        end: where it goes; castling is the king's two-square move.
        promotion: kind that a pawn becomes on the last rank, else 0.
    """
    side = i8(board.side)
    man = lift(board, start)
    kind = man & 7
    pawns_change = kind == PAWN
    if board.men[end] != 0:
        pawns_change |= lift(board, end) & 7 == PAWN
    elif kind == PAWN and end == board.ep:
        lift(board, end ^ 8)
    put(board, end, promotion | side << 3 if promotion != 0 else man)
    if kind == KING and abs(end - start) == 2:
        lift(board, ROOK_FROM[end])
        put(board, ROOK_TO[end], ROOK | side << 3)
    if pawns_change:
        board.pawns = i4(structure(board))
    rights = i8(board.rights)
    if rights != 0:
        board.rights = u1(rights & ~(RIGHTS_LOST[start] | RIGHTS_LOST[end]))
    board.ep = i1(-1)
    if kind == PAWN and abs(end - start) == 16:
        passed = (start + end) >> 1
        if PAWN_ATTACKS[side, passed] & board.kinds[PAWN] & board.seats[1 - side] != ZERO:
            board.ep = i1(passed)
    board.side = u1(1 - side)
