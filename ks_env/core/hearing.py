"""What a seat is told alike in all games, written into its view."""

import numpy as np

from ks_env.core.bits import ZERO, bit, flip
from ks_env.core.jit import kernel
from ks_env.core.layout import SeatView
from ks_env.core.record import i1, i8, u1, u2
from ks_env.core.tables import (
    KING,
    PAWN,
    QUEEN,
    RIGHTS_LOST,
    ROOK,
    ROOK_FROM,
    ROOK_TO,
    TRY_FROM,
    TRY_TO,
    TRY_WORDS,
)


@kernel
def own_square(view: SeatView, square: int) -> int:
    """An absolute square in the seat's frame."""
    return square ^ 56 if view.seat != 0 else square


@kernel
def own_board(view: SeatView, board: np.uint64) -> np.uint64:
    """An absolute board in the seat's frame."""
    return flip(board) if view.seat != 0 else board


@kernel
def lift_own(view: SeatView, square: int) -> None:
    """Take the seat's own man off a square."""
    view.kinds[view.men[square]] &= ~bit(square)
    view.own &= ~bit(square)
    view.men[square] = u1(0)


@kernel
def put_own(view: SeatView, square: int, kind: int) -> None:
    """Put a man of the seat's own on a square."""
    view.men[square] = u1(kind)
    view.kinds[kind] |= bit(square)
    view.own |= bit(square)


@kernel
def lose_rights(view: SeatView, square: int) -> None:
    """A man left the square, or was captured there: the castling rights that go with it are lost."""
    view.rights = u1(view.rights & ~RIGHTS_LOST[square])


@kernel
def move_own(view: SeatView, start: int, end: int, under: int) -> None:
    """Move the seat's own man: a pawn may become `under` or a queen, castling moves the rook, too."""
    kind = i8(view.men[start])
    lift_own(view, start)
    if kind == PAWN and end >= 56:
        kind = under if under != 0 else QUEEN
    put_own(view, end, kind)
    if kind == KING and (end - start == 2 or start - end == 2):
        lift_own(view, ROOK_FROM[end])
        put_own(view, ROOK_TO[end], ROOK)
    lose_rights(view, start)


@kernel
def lose_own(view: SeatView, square: int) -> None:
    """The opponent captured the seat's man on a square."""
    if view.men[square] == PAWN:
        view.pawns_lost += u1(1)
    else:
        view.pieces_lost += u1(1)
    lose_rights(view, square)
    lift_own(view, square)


@kernel
def count_taken(view: SeatView, pawn: bool) -> None:
    """The seat captured a man of which it is told whether it was a pawn."""
    view.men_taken += u1(1)
    if pawn:
        view.pawns_taken += u1(1)
    else:
        view.pieces_taken += u1(1)


@kernel
def note_refusal(view: SeatView, action: int) -> None:
    """An own try was refused."""
    view.refused[action >> 6] |= bit(action & 63)
    view.refused_from[TRY_FROM[action]] += u1(1)
    view.refused_to[TRY_TO[action]] += u1(1)
    view.refusals += u2(1)


@kernel
def forget_refusals(view: SeatView) -> None:
    """A new turn: nothing has been refused."""
    if view.refusals != 0:
        view.refusals = u2(0)
        for i in range(TRY_WORDS):
            view.refused[i] = ZERO
        for i in range(64):
            view.refused_from[i] = u1(0)
            view.refused_to[i] = u1(0)


@kernel
def hear_end(view: SeatView, winner: int) -> None:
    """The end of the game is announced to both."""
    view.over = u1(1)
    view.turn = u1(0)
    view.result = i1(0)
    if winner >= 0:
        view.result = i1(1 if winner == view.seat else -1)
