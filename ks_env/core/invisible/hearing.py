"""What a seat of invisible chess knows, changed by what the referee says alone.

The mover is told the whole of an accepted move, of which he knew all but what it met. The other seat is told
what `censor` leaves: nothing of where a hidden man came from and went to. Squares of hidden men that come out
all the same are kept in `placed` (of the opponent's men) and `exposed` (of one's own): the square of a
capture, and that of a rook that castled.
"""

import numpy as np

from ks_env.core.bits import ZERO, bit, flip, has, lowest, popcount, without_lowest
from ks_env.core.invisible.layout import NUMBERS
from ks_env.core.jit import kernel
from ks_env.core.tables import BISHOP, DARK, KING, PAWN, QUEEN, ROOK, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.core.views import forget_refusals

ILLEGAL, NONSENSE, MOVED, LOST = 1, 2, 3, 6  # announcement.Kind
VISIBLE_MOVED, HIDDEN_MOVED, TURN_LOST = 1, 2, 3  # VIEW.their_turn
OLDEST = 255


@kernel
def censor(said: np.void, ids: np.ndarray, heard: np.void) -> None:
    """Write what the other seat may hear of an answer to `heard`.

    `ids: u1[64]` are the numbers of hidden men by square after the move. Of checkers only visible ones keep
    their squares; the others are told by number, in `hidden_checkers`.
    """
    heard.kind = said.kind
    heard.seat = said.seat
    heard.action = np.int16(-1)
    heard.start = said.start if said.mover == 0 else np.int8(-1)
    heard.end = said.end if said.mover == 0 else np.int8(-1)
    heard.man = said.man
    heard.mover = said.mover
    heard.promoted = said.promoted
    heard.castled = said.castled
    heard.rook = said.rook
    heard.captured = said.captured
    heard.taken = said.taken
    heard.square = said.square
    heard.landing = said.landing
    heard.why = np.uint8(0)
    heard.hidden_checkers = said.hidden_checkers
    heard.checkers = visible_part(said.checkers, ids)
    heard.reason = said.reason
    heard.winner = said.winner


@kernel
def visible_part(board: np.uint64, ids: np.ndarray) -> np.uint64:
    """The squares of the board on which no hidden man stands."""
    seen = ZERO
    while board != ZERO:
        if ids[lowest(board)] == 0:
            seen |= bit(lowest(board))
        board = without_lowest(board)
    return seen


@kernel
def own_square(view: np.void, square: int) -> int:
    """An absolute square in the seat's frame."""
    return square ^ 56 if view.seat != 0 else square


@kernel
def own_board(view: np.void, board: np.uint64) -> np.uint64:
    """An absolute board in the seat's frame."""
    return flip(board) if view.seat != 0 else board


@kernel
def _lift_own(view: np.void, square: int) -> None:
    kind = np.int64(view.men[square])
    view.men[square] = np.uint8(0)
    view.ids[square] = np.uint8(0)
    view.kinds[kind] &= ~bit(square)
    view.own &= ~bit(square)


@kernel
def _put_own(view: np.void, square: int, kind: int, number: int) -> None:
    view.men[square] = np.uint8(kind)
    view.ids[square] = np.uint8(number)
    view.kinds[kind] |= bit(square)
    view.own |= bit(square)


@kernel
def _lift_theirs(view: np.void, square: int) -> int:
    kind = np.int64(view.seen[square])
    view.seen[square] = np.uint8(0)
    view.their_kinds[kind] &= ~bit(square)
    view.theirs &= ~bit(square)
    return kind


@kernel
def _put_theirs(view: np.void, square: int, kind: int) -> None:
    view.seen[square] = np.uint8(kind)
    view.their_kinds[kind] |= bit(square)
    view.theirs |= bit(square)


@kernel
def _lose_rights(view: np.void, square: int) -> None:
    if square == 4:
        view.rights = np.uint8(0)
    elif square == 7:
        view.rights &= np.uint8(2)
    elif square == 0:
        view.rights &= np.uint8(1)


@kernel
def _exposed_now(view: np.void, number: int, square: int) -> None:
    if number != 0:
        view.exposed[number] = np.int8(square)
        if square >= 0 and view.men[square] == BISHOP:
            view.own_shade[number] = np.uint8(1 if has(DARK, square) else 2)


@kernel
def _move_own(view: np.void, said: np.void) -> None:
    """Carry out the own accepted move; a hidden man that captures or castles is exposed, any other hides."""
    action = np.int64(said.action)
    start, end = np.int64(TRY_FROM[action]), np.int64(TRY_TO[action])
    kind, number, under = np.int64(view.men[start]), np.int64(view.ids[start]), np.int64(TRY_KIND[action])
    _lift_own(view, start)
    if kind == PAWN and end >= 56:
        kind = under if under != 0 else QUEEN
    _put_own(view, end, kind, number)
    _exposed_now(view, number, end if said.captured != 0 else -1)
    if said.castled != 0:
        rook, beside = (7, 5) if said.castled == 1 else (0, 3)
        number = np.int64(view.ids[rook])
        _lift_own(view, rook)
        _put_own(view, beside, ROOK, number)
        _exposed_now(view, number, beside)
    _lose_rights(view, start)


@kernel
def _take_theirs(view: np.void, said: np.void) -> None:
    """Remove the man that the own move captured."""
    square = own_square(view, np.int64(said.square))
    if said.taken == 0:
        _lift_theirs(view, square)
    else:
        view.unseen[said.taken] = np.uint8(0)
        view.placed[said.taken] = np.int8(-1)
    view.took = np.int8(square)
    view.men_taken += np.uint8(1)
    if said.captured == PAWN:
        view.pawns_taken += np.uint8(1)
    else:
        view.pieces_taken += np.uint8(1)


@kernel
def _end_own_turn(view: np.void, said: np.void) -> None:
    """What an own turn leaves behind, whether a move was played or the turn was lost."""
    view.tried = said.action
    view.answer = said.kind
    view.why = np.uint8(0)
    view.attackers = ZERO
    view.hidden_attackers = np.uint16(0)
    view.checks = np.uint8(0)
    view.checkers = ZERO
    view.hidden_checkers = np.uint16(0)
    view.passed = np.int8(-1)
    view.turn = np.uint8(0)
    view.moves += np.uint16(view.seat)
    forget_refusals(view)


@kernel
def hear_own_move(view: np.void, said: np.void) -> None:
    """The own try was accepted."""
    view.took = np.int8(-1)
    view.took_kind = said.captured
    view.took_number = said.taken
    start, end = own_square(view, np.int64(said.start)), own_square(view, np.int64(said.end))
    view.stepped = np.int8(start + 8 if said.man == PAWN and end - start == 16 else -1)
    _move_own(view, said)
    if said.captured != 0:
        _take_theirs(view, said)
    view.last = said.action
    reset = said.man == PAWN or said.captured != 0
    view.fifty = np.uint16(0) if reset else np.uint16(view.fifty + 1)
    view.gave = np.uint8(popcount(said.checkers))
    view.givers = own_board(view, said.checkers)
    _end_own_turn(view, said)


@kernel
def hear_own_loss(view: np.void, said: np.void) -> None:
    """The own try was impossible: the turn is lost, and the try was a wrong guess."""
    view.took = np.int8(-1)
    view.took_kind = np.uint8(0)
    view.took_number = np.uint8(0)
    view.last = np.int16(-1)
    view.stepped = np.int8(-1)
    view.fifty += np.uint16(1)
    view.gave = np.uint8(0)
    view.givers = ZERO
    _end_own_turn(view, said)


@kernel
def hear_own_refusal(view: np.void, said: np.void) -> None:
    """The own try was illegal, or nonsense; the seat is still to move."""
    view.tried = said.action
    view.answer = said.kind
    view.why = said.why
    view.attackers = own_board(view, said.checkers)
    view.hidden_attackers = said.hidden_checkers
    if said.kind != ILLEGAL:
        return
    action = np.int64(said.action)
    view.refused[action >> 6] |= bit(action & 63)
    view.refused_from[TRY_FROM[action]] += np.uint8(1)
    view.refused_to[TRY_TO[action]] += np.uint8(1)
    view.refusals += np.uint16(1)


@kernel
def _lose_man(view: np.void, heard: np.void) -> None:
    square = own_square(view, np.int64(heard.square))
    number = np.int64(view.ids[square])
    if number != 0:
        view.exposed[number] = np.int8(-1)
    if view.men[square] == PAWN:
        view.pawns_lost += np.uint8(1)
    else:
        view.pieces_lost += np.uint8(1)
    _lose_rights(view, square)
    view.lost = np.int8(square)
    view.lost_kind = view.men[square]
    view.lost_number = np.uint8(number)
    _lift_own(view, square)


@kernel
def _their_visible_move(view: np.void, heard: np.void) -> None:
    start, end = own_square(view, np.int64(heard.start)), own_square(view, np.int64(heard.end))
    kind = _lift_theirs(view, start)
    view.their_turn = np.uint8(VISIBLE_MOVED)
    view.their_from = np.int8(start)
    view.their_to = np.int8(end)
    _put_theirs(view, end, np.int64(heard.promoted) if heard.promoted != 0 else kind)
    if kind == PAWN and start - end == 16:
        view.passed = np.int8(end + 8)
    if kind == KING and heard.castled != 0:
        rook = (end | 7) if heard.castled == 1 else end - 2
        beside = end - 1 if heard.castled == 1 else end + 1
        if heard.rook == 0:
            _lift_theirs(view, rook)
            _put_theirs(view, beside, ROOK)
        else:
            view.placed[heard.rook] = np.int8(beside)
            view.rested[heard.rook] = np.uint8(0)


@kernel
def _their_hidden_move(view: np.void, heard: np.void) -> None:
    n = np.int64(heard.mover)
    view.their_turn = np.uint8(HIDDEN_MOVED)
    view.their_mover = heard.mover
    view.rested[n] = np.uint8(0)
    view.placed[n] = np.int8(own_square(view, np.int64(heard.landing)) if heard.captured != 0 else -1)
    if heard.promoted != 0:
        view.unseen[n] = heard.promoted
    if view.unseen[n] == BISHOP and view.placed[n] >= 0:  # a promoted one shows the colour of its squares
        view.shade[n] = np.uint8(1 if has(DARK, np.int64(view.placed[n])) else 2)


@kernel
def _rest(view: np.void) -> None:
    for n in range(1, NUMBERS):
        if view.unseen[n] != 0 and view.rested[n] < OLDEST:
            view.rested[n] += np.uint8(1)


@kernel
def hear_opponent(view: np.void, heard: np.void) -> None:
    """The opponent's turn is over: a move, or a turn lost. `heard` is a SAID record that was censored."""
    view.lost = np.int8(-1)
    view.lost_kind = np.uint8(0)
    view.lost_number = np.uint8(0)
    view.stepped = np.int8(-1)
    view.their_from = np.int8(-1)
    view.their_to = np.int8(-1)
    view.their_mover = np.uint8(0)
    view.passed = np.int8(-1)
    _rest(view)
    if heard.kind == LOST:
        view.their_turn = np.uint8(TURN_LOST)
        view.fifty += np.uint16(1)
    else:
        if heard.captured != 0:
            _lose_man(view, heard)
        if heard.mover == 0:
            _their_visible_move(view, heard)
        else:
            _their_hidden_move(view, heard)
        reset = heard.man == PAWN or heard.captured != 0
        view.fifty = np.uint16(0) if reset else np.uint16(view.fifty + 1)
    view.moves += np.uint16(1 - view.seat)
    begin_turn(view, heard)


@kernel
def begin_turn(view: np.void, heard: np.void) -> None:
    """What is said to the seat that is to move now: who gives check."""
    view.checkers = own_board(view, heard.checkers)
    view.hidden_checkers = heard.hidden_checkers
    hidden = popcount(np.uint64(heard.hidden_checkers))
    view.checks = np.uint8(popcount(heard.checkers) + hidden)
    view.turn = np.uint8(1)
