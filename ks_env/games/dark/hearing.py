"""What a seat is told of an answer, beside what it sees: its own men, losses, captures, counters.

The age of a square counts opponent turns since this seat last saw it, saturating at 255. It is 0 at the
start, when the position is public, as long as the square is in sight, and on the square of a pawn that was
just taken en passant. What was last seen on a square is kept (`recalled`), and nothing else is inferred.
"""

from ks_env.core.answers import ILLEGAL, MOVED
from ks_env.core.bits import bit
from ks_env.core.hearing import count_taken, forget_refusals, lose_own, move_own, note_refusal, own_square
from ks_env.core.jit import kernel
from ks_env.core.layout import Answer
from ks_env.core.record import i1, i8, u1, u2
from ks_env.core.tables import PAWN, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.dark.layout import View


@kernel
def _take(view: View, said: Answer) -> None:
    square = own_square(view, i8(said.square))
    view.took = i1(square)
    view.recalled[i8(said.captured)] &= ~bit(square)  # taken en passant, it may be out of sight now
    view.age[square] = u1(0)
    count_taken(view, said.captured == PAWN)


@kernel
def hear_own_move(view: View, said: Answer) -> None:
    """The own try was accepted: move the man, note what it took, end the turn."""
    action = i8(said.action)
    start = i8(TRY_FROM[action])
    pawn = view.men[start] == PAWN
    move_own(view, start, i8(TRY_TO[action]), i8(TRY_KIND[action]))
    view.took = i1(-1)
    view.took_kind = said.captured
    if said.captured != 0:
        _take(view, said)
    view.last = said.action
    view.fifty = u2(0) if pawn or said.captured != 0 else u2(view.fifty + 1)
    view.answer = u1(MOVED)
    view.turn = u1(0)
    view.moves += u2(view.seat)
    forget_refusals(view)


@kernel
def _lose_man(view: View, said: Answer) -> None:
    square = own_square(view, i8(said.square))
    view.lost = i1(square)
    view.lost_kind = view.men[square]
    lose_own(view, square)


@kernel
def hear_opponent_move(view: View, said: Answer) -> None:
    """The opponent has moved: of that alone, and of a man that was captured, is a seat told."""
    view.lost = i1(-1)
    view.lost_kind = u1(0)
    if said.captured != 0:
        _lose_man(view, said)
    view.fifty = u2(0) if said.captured != 0 else u2(view.fifty + 1)
    view.moves += u2(1 - view.seat)
    view.turn = u1(1)


@kernel
def hear_own_refusal(view: View, said: Answer) -> None:
    """The own try was refused, or nonsense; the seat is still to move."""
    view.answer = said.kind
    if said.kind != ILLEGAL:
        return
    note_refusal(view, i8(said.action))
