"""`pseudo` and `refuse`: what an own try tells, accepted or refused (Ciancarini and Favini 2007, §2.1).

An accepted move clears its path, may capture, places the opponent's king by the checks it gives or does not
give, and shows that the own king is not attacked. A refusal shows that something stands in the way.
"""

import numpy as np

from ks_env.belief.metaposition.announcements import (
    bare_king_has_a_move,
    check_places_king,
    king_is_not_attacked,
    may_be_pinned,
    opponent_tries,
    own_king_is_attacked,
    own_tries,
)
from ks_env.belief.metaposition.boards import (
    own_pawn_targets,
)
from ks_env.belief.metaposition.layout import (
    Metaposition,
    may_lose_pawns,
    note_empty,
    one_of_these_is_occupied,
    possible_but_king,
    settle,
    settle_counts,
)
from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i1, i8, u1
from ks_env.core.tables import (
    BETWEEN,
    KING,
    KING_MOVES,
    KNIGHT,
    PAWN,
    QUEEN,
    RIGHTS_LOST,
    ROOK,
    ROOK_FROM,
    ROOK_TO,
    TRY_FROM,
    TRY_KIND,
    TRY_TO,
    TRY_WORDS,
)
from ks_env.games.kriegspiel.hearing import PAWN_SAID, PIECE_SAID
from ks_env.games.kriegspiel.layout import View


@kernel
def kind_at(m: Metaposition, square: int) -> int:
    """Kind of the own man on a square; 0 none."""
    for kind in range(1, 7):
        if has(m.own[kind], square):
            return kind
    return 0


@kernel
def _shift(m: Metaposition, kind: int, start: int, end: int, becomes: int) -> None:
    m.own[kind] &= ~bit(start)
    m.own[becomes] |= bit(end)
    m.own[0] = (m.own[0] & ~bit(start)) | bit(end)


@kernel
def move_own_man(m: Metaposition, start: int, end: int, under: int) -> np.uint64:
    """Move the man, and the rook when castling, and clear what was passed; the squares that were left."""
    kind = kind_at(m, start)
    becomes = kind
    if kind == PAWN and end >= 56:
        becomes = under if under != 0 else QUEEN
    left = bit(start)
    cleared = BETWEEN[start, end] | left
    _shift(m, kind, start, end, becomes)
    if kind == KING and (end - start == 2 or start - end == 2):
        rook = ROOK_FROM[end]
        _shift(m, ROOK, rook, ROOK_TO[end], ROOK)
        left |= bit(rook)
        cleared |= BETWEEN[rook, start] | bit(rook)
    m.rights = u1(m.rights & ~RIGHTS_LOST[start])
    note_empty(m, cleared | bit(end))
    m.moved = i1(end)
    return left


@kernel
def sole_kind(m: Metaposition, square: int) -> int:
    """The kind of the man that may be captured on a square, if there is only one; else 0."""
    found = 0
    for kind in range(1, KING):
        if has(m.ghosts[kind], square):
            if found != 0:
                return 0
            found = kind
    return found


@kernel
def count_captured(m: Metaposition, square: int, kind: int) -> None:
    """One of the opponent's men was captured on a square; `kind` 0: it is not known which."""
    m.most[0] -= u1(m.most[0] > 1)
    if kind == PAWN or (kind == 0 and has(m.ghosts[PAWN], square)):
        may_lose_pawns(m, bit(square))
    if kind != 0:
        m.most[kind] -= u1(m.most[kind] > 0)
    if kind == PAWN:
        m.file_pawns[square & 7] -= u1(m.file_pawns[square & 7] > 0)


@kernel
def _count_taken(m: Metaposition, view: View) -> None:
    """Counters after an own capture; a piece that is the only kind possible there is counted out, too."""
    square = i8(view.passed if view.passed >= 0 else view.took)
    if view.took_kind == PAWN_SAID or view.passed >= 0:
        count_captured(m, square, PAWN)
        return
    if view.took_kind == PIECE_SAID:
        m.ghosts[PAWN] &= ~bit(square)
    count_captured(m, square, sole_kind(m, square))


@kernel
def pseudo(m: Metaposition, view: View, rules: Rules) -> None:
    """Update a metaposition with the own accepted move `view.last` and what the referee said of it.

    Args:
        m: METAPOSITION before the move, in place.
        view: VIEW of the seat after it, or after the opponent's answer to it.
    """
    action = i8(view.last)
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if view.took_kind != 0:
        _count_taken(m, view)
    left = move_own_man(m, start, end, i8(TRY_KIND[action]))
    if view.passed >= 0:
        note_empty(m, bit(i8(view.passed)))
        left |= bit(i8(view.passed))
    m.gave = view.gave
    m.givers = view.givers
    own_king_is_attacked(m, 0)
    if view.gave == 0:
        king_is_not_attacked(m)
    else:
        moved = bit(end)
        if has(m.own[KING], end):  # a rook that castled
            moved |= bit((start + end) >> 1)
        check_places_king(m, moved, left)
    opponent_tries(m, view, rules)
    bare_king_has_a_move(m)
    settle(m)


@kernel
def _refused_try(m: Metaposition, start: int, end: int) -> None:
    """One refused try of a seat that is not in check."""
    kind = kind_at(m, start)
    if kind == KING:
        if m.most[0] == 1 and has(KING_MOVES[start], end):  # the bare king attacks the square
            m.ghosts[KING] &= KING_MOVES[end]
        return
    if kind == KNIGHT or kind == 0 or may_be_pinned(m, start):
        return
    if kind == PAWN and (start ^ end) & 7 != 0:
        note_empty(m, own_pawn_targets(bit(start)) & bit(end))
    elif kind == PAWN:
        one_of_these_is_occupied(m, BETWEEN[start, end] | bit(end))
    else:
        one_of_these_is_occupied(m, BETWEEN[start, end])


@kernel
def refuse(m: Metaposition, view: View) -> None:
    """Update a metaposition with all tries that were refused this turn; doing so again changes nothing.

    In check a refusal may have too many causes; nothing is concluded.
    """
    if view.refusals == 0 or view.checkers != 0:
        return
    for word in range(TRY_WORDS):
        bits = view.refused[word]
        while bits != ZERO:
            action = (word << 6) + lowest(bits)
            bits = without_lowest(bits)
            _refused_try(m, i8(TRY_FROM[action]), i8(TRY_TO[action]))


@kernel
def hear_turn(m: Metaposition, view: View, rules: Rules) -> None:
    """What the seat to move has been told: checks, pawn tries, refusals, answers to "any?"; idempotent."""
    king_is_not_attacked(m)
    own_king_is_attacked(m, i8(view.checks))
    refuse(m, view)
    own_tries(m, view, rules)
    settle(m)


@kernel
def simulate_pseudo(m: Metaposition, start: int, end: int, under: int, captures: int) -> None:
    """An own move that is legal and of which nothing is said but, if it captures, the capture.

    The captured man is a pawn unless none can be there, and then a piece (Ciancarini and Favini 2007, §3.1).
    As no check is announced, the opponent's king stands where the moved man does not attack it.

    Args:
        m: METAPOSITION of the seat to move, in place.
        start: square.
        end: square; the king's two-square move is castling.
        under: kind of an under-promotion, else 0.
        captures: 1 if it captures.
    """
    if captures:
        count_captured(m, end, PAWN if has(m.ghosts[PAWN], end) else 0)
        settle_counts(m)
    move_own_man(m, start, end, under)
    kind = kind_at(m, end)
    if kind == PAWN:
        m.ghosts[KING] &= ~own_pawn_targets(bit(end))
    else:
        m.ghosts[KING] &= ~man_attacks(kind, end, m.own[0] | possible_but_king(m))
