"""What a seat knows, changed by announcements alone.

A seat's view is told its own accepted tries and what the referee says; these kernels take the ANSWER
record and the ruleset and never see the truth.

The age of a square counts opponent turns since this seat last had information on it (Ciancarini and Favini
2007, §2), saturating at 255. It becomes 0

- at the start, when the position is public (with a hidden start it begins at 255);
- on squares that an own accepted move leaves, passes over or reaches (both men's when castling), and on
  the square of a pawn taken en passant;
- on the square that is announced for a capture;
- as long as an own man stands there.

The opponent's turn adds 1 to every other square.
"""

import numpy as np

from ks_env.core.answers import ANY_YES, ILLEGAL, MOVED
from ks_env.core.bits import ZERO, bit, lowest, without_lowest
from ks_env.core.hearing import forget_refusals, lose_own, move_own, note_refusal, own_board, own_square
from ks_env.core.jit import kernel
from ks_env.core.layout import AGE_MAX, Answer, Rules
from ks_env.core.record import i1, i8, u1, u2
from ks_env.core.ruleset import COUNT, ONE_TRY, SQUARES, YES_NO
from ks_env.core.tables import BETWEEN, KING, PAWN, ROOK_FROM, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import DENIED, FREE, NOT_ASKED, OBLIGED

PAWN_SAID, PIECE_SAID, MAN_SAID = 1, 2, 3  # VIEW.lost_kind, VIEW.took_kind
HEARD_YES, HEARD_NO = 1, 2  # VIEW.their_any


@kernel
def said_kind(answer: Answer, rules: Rules) -> int:
    """What the referee calls the captured man."""
    if answer.captured == 0:
        return 0
    if not rules.kind_said:
        return MAN_SAID
    return PAWN_SAID if answer.captured == PAWN else PIECE_SAID


@kernel
def said_tries(answer: Answer, rules: Rules) -> int:
    """The number announced for the pawn tries of the side to move; -1 where none is said."""
    if rules.pawn_tries == COUNT:
        return i8(answer.tries)
    if rules.pawn_tries == YES_NO:
        return 1 if answer.tries > 0 else 0
    return -1


@kernel
def said_square(answer: Answer, rules: Rules) -> int:
    """The absolute square announced for a capture, -1 for none."""
    if rules.en_passant_named and answer.en_passant:
        return i8(answer.landing)
    return i8(answer.square)


@kernel
def _rejuvenate(view: View, board: np.uint64) -> None:
    while board != ZERO:
        view.age[lowest(board)] = u1(0)
        board = without_lowest(board)


@kernel
def _move_own_man(view: View, start: int, end: int, under: int) -> None:
    move_own(view, start, end, under)
    _rejuvenate(view, BETWEEN[start, end] | bit(start) | bit(end))
    if view.men[end] == KING and (end - start == 2 or start - end == 2):
        _rejuvenate(view, BETWEEN[ROOK_FROM[end], start] | bit(ROOK_FROM[end]))


@kernel
def _count_taken(view: View, said: int) -> None:
    if said != 0:
        view.men_taken += u1(1)
    if said == PAWN_SAID:
        view.pawns_taken += u1(1)
    elif said == PIECE_SAID:
        view.pieces_taken += u1(1)


@kernel
def hear_own_move(view: View, answer: Answer, rules: Rules) -> None:
    """The own try was accepted: move the man, note what was announced, end the turn."""
    action = i8(answer.action)
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    pawn = view.men[start] == PAWN
    _move_own_man(view, start, end, i8(TRY_KIND[action]))
    said = said_kind(answer, rules)
    view.took_kind = u1(said)
    view.last = answer.action
    view.took = i1(-1)
    view.passed = i1(-1)
    if said != 0:
        view.took = i1(own_square(view, said_square(answer, rules)))
        view.age[view.took] = u1(0)
        if answer.en_passant:  # whoever captures en passant knows where the pawn stood
            view.passed = i1(end - 8)
            view.age[end - 8] = u1(0)
    _count_taken(view, said)
    view.stepped = i1(end) if pawn and end - start == 16 else i1(-1)
    view.fifty = u2(0) if pawn or said != 0 else u2(view.fifty + 1)
    view.gave = answer.checks
    view.givers = answer.checkers
    view.left = i1(said_tries(answer, rules))
    view.left_squares = ZERO
    if rules.pawn_tries == SQUARES:
        view.left_squares = own_board(view, answer.try_squares)
    view.answer = u1(MOVED)
    view.checks = u1(0)
    view.checkers = u1(0)
    view.tries = i1(-1)
    view.try_squares = ZERO
    view.heard = u2(0)
    view.their_any = u1(0)
    view.asked = u1(NOT_ASKED)
    view.turn = u1(0)
    view.moves += u2(view.seat)
    forget_refusals(view)


@kernel
def _grow_old(view: View) -> None:
    most = u1(AGE_MAX)
    one = u1(1)
    for i in range(64):
        age = view.age[i]
        older = u1(age + one) if age < most else most
        view.age[i] = older if view.men[i] == 0 else u1(0)


@kernel
def _lose_man(view: View, answer: Answer, rules: Rules) -> None:
    """The opponent captured: remove the man, and say where the capturer certainly stands."""
    said = said_square(answer, rules)
    square = own_square(view, said)
    stands = square
    gone = square
    if rules.en_passant_named and answer.en_passant:
        gone = square + 8  # seen from the loser, his pawn stood beyond the landing square
    elif view.stepped == square and not rules.en_passant_named:
        stands = -1  # it may have been en passant, and then nobody stands there
    lose_own(view, gone)
    _grow_old(view)
    view.age[square] = u1(0)
    view.age[gone] = u1(0)
    view.lost = i1(square)
    view.lost_kind = u1(said_kind(answer, rules))
    view.enemy = i1(stands)


@kernel
def hear_opponent_move(view: View, answer: Answer, rules: Rules) -> None:
    """The opponent's try was accepted: note what was announced, begin the own turn."""
    view.lost = i1(-1)
    view.lost_kind = u1(0)
    view.enemy = i1(-1)
    if answer.captured != 0:
        _lose_man(view, answer, rules)
    else:
        _grow_old(view)
    promoted = rules.promotion_said and answer.promoted != 0
    view.promotion = u1(promoted)
    forget = answer.captured != 0 or promoted
    view.fifty = u2(0) if forget else u2(view.fifty + 1)
    view.asked = u1(NOT_ASKED)
    view.moves += u2(1 - view.seat)
    begin_turn(view, answer, rules)


@kernel
def begin_turn(view: View, answer: Answer, rules: Rules) -> None:
    """What is announced to the side that is to move now."""
    view.checks = answer.checks
    view.checkers = answer.checkers
    view.tries = i1(said_tries(answer, rules))
    view.try_squares = ZERO
    if rules.pawn_tries == SQUARES:
        view.try_squares = own_board(view, answer.try_squares)
    view.turn = u1(1)


@kernel
def hear_own_refusal(view: View, answer: Answer, rules: Rules) -> None:
    """An own try was refused or called nonsense; where there is no such word, both are called illegal."""
    view.answer = answer.kind if rules.says_nonsense else u1(ILLEGAL)
    if answer.kind != ILLEGAL:
        return
    note_refusal(view, i8(answer.action))
    if view.asked == OBLIGED and rules.ask_any == ONE_TRY:
        view.asked = u1(FREE)


@kernel
def hear_any(view: View, answer: Answer) -> None:
    """The answer to an own "any?"."""
    view.answer = answer.kind
    view.asked = u1(OBLIGED if answer.kind == ANY_YES else DENIED)


@kernel
def hear_opponent_any(view: View, answer: Answer) -> None:
    """The opponent asked "any?", and both heard the answer."""
    view.their_any = u1(HEARD_YES if answer.kind == ANY_YES else HEARD_NO)


@kernel
def hear_opponent_refusal(view: View) -> None:
    """The opponent's refusal was heard."""
    view.heard += u2(1)
