"""What a seat of invisible chess knows, changed by what the referee says alone.

The mover is told the whole of an accepted move, of which he knew all but what it met. The other seat is told
what `censor` leaves: nothing of where a hidden man came from and went to. Squares of hidden men that come out
nevertheless are kept in `placed` (of the opponent's men) and `exposed` (of one's own): the square of a
capture, and that of a rook that castled.
"""

import numpy as np

from ks_env.core.answers import ILLEGAL, LOST
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.hearing import (
    count_taken,
    forget_refusals,
    lose_own,
    move_own,
    note_refusal,
    own_board,
    own_square,
)
from ks_env.core.jit import kernel
from ks_env.core.record import i1, i2, i8, u1, u2
from ks_env.core.tables import (
    BISHOP,
    DARK,
    KING,
    PAWN,
    ROOK,
    ROOK_FROM,
    ROOK_TO,
    TRY_FROM,
    TRY_KIND,
    TRY_TO,
)
from ks_env.games.invisible.layout import (
    HIDDEN_MOVED,
    NUMBERS,
    ON_DARK,
    ON_LIGHT,
    TURN_LOST,
    VISIBLE_MOVED,
    Said,
    View,
)

OLDEST = 255


@kernel
def censor(said: Said, ids: np.ndarray, heard: Said) -> None:
    """Write what the other seat may hear of an answer to `heard`.

    `ids: u1[64]` are the numbers of hidden men by square after the move. Of checkers only visible ones keep
    their squares; the others are told by number, in `hidden_checkers`.
    """
    heard.kind = said.kind
    heard.seat = said.seat
    heard.action = i2(-1)
    heard.start = said.start if said.mover == 0 else i1(-1)
    heard.end = said.end if said.mover == 0 else i1(-1)
    heard.man = said.man
    heard.mover = said.mover
    heard.promoted = said.promoted
    heard.castled = said.castled
    heard.rook = said.rook
    heard.captured = said.captured
    heard.taken = said.taken
    heard.square = said.square
    heard.landing = said.landing
    heard.why = u1(0)
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
def _carry_number(view: View, start: int, end: int) -> int:
    number = view.ids[start]
    view.ids[start] = u1(0)
    view.ids[end] = number
    return i8(number)


@kernel
def _lift_theirs(view: View, square: int) -> int:
    kind = i8(view.seen[square])
    view.seen[square] = u1(0)
    view.their_kinds[kind] &= ~bit(square)
    view.theirs &= ~bit(square)
    return kind


@kernel
def _put_theirs(view: View, square: int, kind: int) -> None:
    view.seen[square] = u1(kind)
    view.their_kinds[kind] |= bit(square)
    view.theirs |= bit(square)


@kernel
def _exposed_now(view: View, number: int, square: int) -> None:
    if number != 0:
        view.exposed[number] = i1(square)
        if square >= 0 and view.men[square] == BISHOP:
            view.own_shade[number] = u1(ON_DARK if has(DARK, square) else ON_LIGHT)


@kernel
def _move_own(view: View, said: Said) -> None:
    """Carry out the own accepted move; a hidden man that captures or castles is exposed, any other hides."""
    action = i8(said.action)
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    move_own(view, start, end, i8(TRY_KIND[action]))
    _exposed_now(view, _carry_number(view, start, end), end if said.captured != 0 else -1)
    if said.castled != 0:
        rook, beside = ROOK_FROM[end], ROOK_TO[end]
        _exposed_now(view, _carry_number(view, rook, beside), beside)


@kernel
def _take_theirs(view: View, said: Said) -> None:
    """Remove the man that the own move captured."""
    square = own_square(view, i8(said.square))
    if said.taken == 0:
        _lift_theirs(view, square)
    else:
        view.unseen[said.taken] = u1(0)
        view.placed[said.taken] = i1(-1)
    view.took = i1(square)
    count_taken(view, said.captured == PAWN)


@kernel
def _end_own_turn(view: View, said: Said) -> None:
    """What an own turn leaves behind, whether a move was played or the turn was lost."""
    view.tried = said.action
    view.answer = said.kind
    view.why = u1(0)
    view.attackers = ZERO
    view.hidden_attackers = u2(0)
    view.checks = u1(0)
    view.checkers = ZERO
    view.hidden_checkers = u2(0)
    view.passed = i1(-1)
    view.turn = u1(0)
    view.moves += u2(view.seat)
    forget_refusals(view)


@kernel
def hear_own_move(view: View, said: Said) -> None:
    """The own try was accepted."""
    view.took = i1(-1)
    view.took_kind = said.captured
    view.took_number = said.taken
    start, end = own_square(view, i8(said.start)), own_square(view, i8(said.end))
    view.stepped = i1(start + 8 if said.man == PAWN and end - start == 16 else -1)
    _move_own(view, said)
    if said.captured != 0:
        _take_theirs(view, said)
    view.last = said.action
    reset = said.man == PAWN or said.captured != 0
    view.fifty = u2(0) if reset else u2(view.fifty + 1)
    view.gave = u1(popcount(said.checkers))
    view.givers = own_board(view, said.checkers)
    _end_own_turn(view, said)


@kernel
def hear_own_loss(view: View, said: Said) -> None:
    """The own try was impossible: the turn is lost, and the try was a wrong guess."""
    view.took = i1(-1)
    view.took_kind = u1(0)
    view.took_number = u1(0)
    view.last = i2(-1)
    view.stepped = i1(-1)
    view.fifty += u2(1)
    view.gave = u1(0)
    view.givers = ZERO
    _end_own_turn(view, said)


@kernel
def hear_own_refusal(view: View, said: Said) -> None:
    """The own try was illegal, or nonsense; the seat is still to move."""
    view.tried = said.action
    view.answer = said.kind
    view.why = said.why
    view.attackers = own_board(view, said.checkers)
    view.hidden_attackers = said.hidden_checkers
    if said.kind != ILLEGAL:
        return
    note_refusal(view, i8(said.action))


@kernel
def _lose_man(view: View, heard: Said) -> None:
    square = own_square(view, i8(heard.square))
    number = i8(view.ids[square])
    if number != 0:
        view.exposed[number] = i1(-1)
    view.lost = i1(square)
    view.lost_kind = view.men[square]
    view.lost_number = u1(number)
    view.ids[square] = u1(0)
    lose_own(view, square)


@kernel
def _their_visible_move(view: View, heard: Said) -> None:
    start, end = own_square(view, i8(heard.start)), own_square(view, i8(heard.end))
    kind = _lift_theirs(view, start)
    view.their_turn = u1(VISIBLE_MOVED)
    view.their_from = i1(start)
    view.their_to = i1(end)
    _put_theirs(view, end, i8(heard.promoted) if heard.promoted != 0 else kind)
    if kind == PAWN and start - end == 16:
        view.passed = i1(end + 8)
    if kind == KING and heard.castled != 0:
        if heard.rook == 0:
            _lift_theirs(view, ROOK_FROM[end])
            _put_theirs(view, ROOK_TO[end], ROOK)
        else:
            view.placed[heard.rook] = i1(ROOK_TO[end])
            view.rested[heard.rook] = u1(0)


@kernel
def _their_hidden_move(view: View, heard: Said) -> None:
    n = i8(heard.mover)
    view.their_turn = u1(HIDDEN_MOVED)
    view.their_mover = heard.mover
    view.rested[n] = u1(0)
    view.placed[n] = i1(own_square(view, i8(heard.landing)) if heard.captured != 0 else -1)
    if heard.promoted != 0:
        view.unseen[n] = heard.promoted
    if view.unseen[n] == BISHOP and view.placed[n] >= 0:  # a promoted one shows the colour of its squares
        view.shade[n] = u1(ON_DARK if has(DARK, i8(view.placed[n])) else ON_LIGHT)


@kernel
def _rest(view: View) -> None:
    for n in range(1, NUMBERS):
        if view.unseen[n] != 0 and view.rested[n] < OLDEST:
            view.rested[n] += u1(1)


@kernel
def hear_opponent(view: View, heard: Said) -> None:
    """The opponent's turn is over: a move, or a turn lost. `heard` is a SAID record that was censored."""
    view.lost = i1(-1)
    view.lost_kind = u1(0)
    view.lost_number = u1(0)
    view.stepped = i1(-1)
    view.their_from = i1(-1)
    view.their_to = i1(-1)
    view.their_mover = u1(0)
    view.passed = i1(-1)
    _rest(view)
    if heard.kind == LOST:
        view.their_turn = u1(TURN_LOST)
        view.fifty += u2(1)
    else:
        if heard.captured != 0:
            _lose_man(view, heard)
        if heard.mover == 0:
            _their_visible_move(view, heard)
        else:
            _their_hidden_move(view, heard)
        reset = heard.man == PAWN or heard.captured != 0
        view.fifty = u2(0) if reset else u2(view.fifty + 1)
    view.moves += u2(1 - view.seat)
    begin_turn(view, heard)


@kernel
def begin_turn(view: View, heard: Said) -> None:
    """What is said to the seat that is to move now: who gives check."""
    view.checkers = own_board(view, heard.checkers)
    view.hidden_checkers = heard.hidden_checkers
    hidden = popcount(np.uint64(heard.hidden_checkers))
    view.checks = u1(popcount(heard.checkers) + hidden)
    view.turn = u1(1)
