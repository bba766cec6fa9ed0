"""Rules from what the referee says: checks, and captures by pawns.

A king's place is judged square by square as if it stood there, so the ghosts that may block a line are those
of other men only. With a bare king nothing is lost: the metaposition is then the information set itself.
"""

import numpy as np

from ks_env.belief.metaposition.boards import (
    FIFTH,
    NOT_A,
    NOT_H,
    king_squares,
    knight_squares,
    own_pawn_targets,
    pawn_origins,
)
from ks_env.belief.metaposition.layout import (
    Metaposition,
    note_empty,
    note_kind,
    note_occupied,
    possible,
    possible_but_king,
)
from ks_env.core.answers import LEAP
from ks_env.core.attacks import bishop_attacks, line_attacks, rook_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.ruleset import COUNT, SQUARES
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    BISHOP_LINES,
    CHECK_OF_LINE,
    KING,
    KNIGHT,
    KNIGHT_MOVES,
    LINES,
    PAWN,
    QUEEN,
    ROOK,
    ROOK_LINES,
    THROUGH,
)
from ks_env.games.kriegspiel.hearing import HEARD_YES
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import DENIED, FREE, OBLIGED

UNSAID = -1
SAID_YES = 99  # there is a capture, their number is not said


@kernel
def line_between(a: int, b: int) -> int:
    """The line on which both squares lie: 0 rank, 1 file, 2 rising, 3 falling; -1 for none."""
    for line in range(4):
        if has(LINES[a, line], b):
            return line
    return -1


@kernel
def slides_along(kind: int, line: int) -> bool:
    """Whether a man of the kind moves along lines of the number (0 rank, 1 file, 2 and 3 diagonals)."""
    return kind == QUEEN or (kind == ROOK and line < 2) or (kind == BISHOP and line >= 2)


@kernel
def own_sliders(m: Metaposition, line: int) -> np.uint64:
    """Own men that move along lines of this number."""
    return m.own[QUEEN] | (m.own[ROOK] if line < 2 else m.own[BISHOP])


@kernel
def ghost_sliders(m: Metaposition, line: int) -> np.uint64:
    """Squares where the opponent may have a man that moves along lines of this number."""
    return m.ghosts[QUEEN] | (m.ghosts[ROOK] if line < 2 else m.ghosts[BISHOP])


@kernel
def attacked_for_certain(m: Metaposition, blockers: np.uint64) -> np.uint64:
    """Squares that own men attack even if there are men on all `blockers`."""
    seen = own_pawn_targets(m.own[PAWN]) | knight_squares(m.own[KNIGHT]) | king_squares(m.own[KING])
    occupied = m.own[0] | blockers
    men = m.own[ROOK] | m.own[QUEEN]
    while men != ZERO:
        seen |= rook_attacks(lowest(men), occupied)
        men = without_lowest(men)
    men = m.own[BISHOP] | m.own[QUEEN]
    while men != ZERO:
        seen |= bishop_attacks(lowest(men), occupied)
        men = without_lowest(men)
    return seen


@kernel
def king_is_not_attacked(m: Metaposition) -> None:
    """It is the seat's turn, or it gave no check: no own man attacks the opponent's king for certain."""
    m.ghosts[KING] &= ~attacked_for_certain(m, possible_but_king(m))


@kernel
def bare_king_has_a_move(m: Metaposition) -> None:
    """The game goes on after the own move: a bare king is neither mated nor stalemated where it stands.

    Lifted from the board it hides no square, so one board of attacked squares serves all its squares.
    """
    if m.most[0] == 1:
        m.ghosts[KING] &= king_squares(~attacked_for_certain(m, ZERO))


@kernel
def _checker_type(m: Metaposition, man: int, king: int) -> int:
    """The check type that the own man on a square would give to a king on another; 0 for none."""
    if has(m.own[KNIGHT], man):
        return LEAP if has(KNIGHT_MOVES[king], man) else 0
    line = line_between(man, king)
    if line < 0:
        return 0
    if has(m.own[PAWN], man):
        return CHECK_OF_LINE[king, line] if has(own_pawn_targets(bit(man)), king) else 0
    if not has(own_sliders(m, line), man):
        return 0
    closed = BETWEEN[man, king] & ~m.ghosts[0]  # own men and squares certainly occupied
    return CHECK_OF_LINE[king, line] if closed == ZERO else 0


@kernel
def _explains(m: Metaposition, king: int, moved: np.uint64, left: np.uint64) -> bool:
    """Whether a king there would be checked just as announced: by a moved man or through a square left."""
    types, checkers = 0, 0
    men = m.own[0] & ~m.own[KING]
    while men != ZERO:
        man = lowest(men)
        men = without_lowest(men)
        if has(moved, man) or BETWEEN[man, king] & left != ZERO:
            kind = _checker_type(m, man, king)
            if kind != 0:
                types |= kind
                checkers += 1
    return types & m.gave == m.gave and checkers >= m.givers


@kernel
def _clearly_attacked_otherwise(m: Metaposition, king: int) -> bool:
    """Whether a king there would certainly be checked in a way that was not announced."""
    men = m.own[0] & ~m.own[KING]
    blockers = possible_but_king(m)
    while men != ZERO:
        man = lowest(men)
        men = without_lowest(men)
        kind = _checker_type(m, man, king)
        if kind != 0 and kind & m.gave == 0 and BETWEEN[man, king] & blockers == ZERO:
            return True
    return False


@kernel
def check_places_king(m: Metaposition, moved: np.uint64, left: np.uint64) -> None:
    """The own move gave the checks `m.gave`: the king stands where the moved men or opened lines reach it.

    Args:
        m: METAPOSITION after the move.
        moved: squares on which moved men stand now.
        left: squares that were left, or whose man was captured en passant, in the move.
    """
    kept = ZERO
    kings = m.ghosts[KING] & ~king_squares(m.own[KING])
    while kings != ZERO:
        king = lowest(kings)
        kings = without_lowest(kings)
        if _explains(m, king, moved, left) and not _clearly_attacked_otherwise(m, king):
            kept |= bit(king)
    m.ghosts[KING] = kept


@kernel
def interpositions(m: Metaposition) -> np.uint64:
    """Squares on which the opponent's man may have blocked the line check just given."""
    squares = ZERO
    if m.givers >= 2 or m.gave & LEAP:
        return squares
    kings = m.ghosts[KING]
    while kings != ZERO:
        king = lowest(kings)
        kings = without_lowest(kings)
        for line in range(4):
            if CHECK_OF_LINE[king, line] & m.gave:
                men = own_sliders(m, line) & LINES[king, line]
                while men != ZERO:
                    between = BETWEEN[lowest(men), king]
                    men = without_lowest(men)
                    if between & m.own[0] == ZERO:
                        squares |= between
    return squares


@kernel
def _no_check_along(m: Metaposition, king: int, line: int) -> None:
    """No slider of the opponent attacks the own king along this line."""
    for _ in range(8):
        seen = line_attacks(king, line, m.own[0] | possible(m))
        attackers = seen & ghost_sliders(m, line)
        if attackers == ZERO:
            return
        m.ghosts[QUEEN] &= ~attackers
        m.ghosts[ROOK if line < 2 else BISHOP] &= ~attackers


@kernel
def _check_along(m: Metaposition, king: int, line: int) -> np.uint64:
    """Squares from which a man of the opponent may check the own king along this line."""
    seen = line_attacks(king, line, ~m.ghosts[0])  # up to what certainly blocks
    sliders = seen & ghost_sliders(m, line)
    if line < 2:
        return sliders
    return sliders | (LINES[king, line] & m.ghosts[PAWN] & pawn_origins(bit(king)))


@kernel
def own_king_is_attacked(m: Metaposition, checks: int) -> None:
    """The own king is checked as announced and in no other way (`checks` 0: not at all).

    A sole square from which an announced check can come is certainly occupied.
    """
    king = lowest(m.own[KING])
    m.ghosts[KING] &= ~king_squares(m.own[KING])
    pawns = pawn_origins(m.own[KING])
    if checks & LEAP == 0:
        m.ghosts[KNIGHT] &= ~KNIGHT_MOVES[king]
    elif without_lowest(m.ghosts[KNIGHT] & KNIGHT_MOVES[king]) == ZERO:
        note_kind(m, m.ghosts[KNIGHT] & KNIGHT_MOVES[king], KNIGHT)
    for line in range(4):
        if CHECK_OF_LINE[king, line] & checks == 0:
            if line >= 2:
                m.ghosts[PAWN] &= ~(pawns & LINES[king, line])
            _no_check_along(m, king, line)
        else:
            source = _check_along(m, king, line)
            if source != ZERO and without_lowest(source) == ZERO:
                _is_slider_or_pawn(m, source, line, pawns)


@kernel
def _is_slider_or_pawn(m: Metaposition, board: np.uint64, line: int, pawns: np.uint64) -> None:
    """On this one square stands a man that checks along the line."""
    m.ghosts[KNIGHT] &= ~board
    m.ghosts[KING] &= ~board
    m.ghosts[BISHOP if line < 2 else ROOK] &= ~board
    if line < 2 or board & pawns == ZERO:
        m.ghosts[PAWN] &= ~board
    note_occupied(m, board)


@kernel
def may_be_pinned(m: Metaposition, square: int) -> bool:
    """Whether the own man on the square may be pinned to the own king."""
    king = lowest(m.own[KING])
    line = line_between(king, square)
    if line < 0 or BETWEEN[king, square] & ~m.ghosts[0] != ZERO:
        return False
    beyond = line_attacks(square, line, ~m.ghosts[0]) & THROUGH[king, square]
    return beyond & ghost_sliders(m, line) != ZERO


@kernel
def ghost_may_be_pinned(m: Metaposition, square: int) -> bool:
    """Whether an opponent's man on the square may be pinned to its king by an own slider."""
    for line in range(4):
        men = own_sliders(m, line) & LINES[square, line]
        kings = m.ghosts[KING] & LINES[square, line]
        while men != ZERO and kings != ZERO:
            man = lowest(men)
            men = without_lowest(men)
            if BETWEEN[man, square] & ~m.ghosts[0] == ZERO:
                others = kings
                while others != ZERO:
                    if has(BETWEEN[man, lowest(others)], square):
                        return True
                    others = without_lowest(others)
    return False


@kernel
def no_tries_clears_pawns(m: Metaposition, named: np.uint64) -> None:
    """The opponent has no pawn capture (but of pawns on `named`): no other pawn attacks an own man.

    A pawn that may be pinned may still attack, and one in check may not be able to help, so neither goes.
    """
    if m.gave != 0:
        return
    pawns = m.ghosts[PAWN] & pawn_origins(m.own[0] & ~m.own[KING]) & ~named
    while pawns != ZERO:
        pawn = lowest(pawns)
        pawns = without_lowest(pawns)
        if not ghost_may_be_pinned(m, pawn):
            m.ghosts[PAWN] &= ~bit(pawn)


@kernel
def _pairs(m: Metaposition) -> int:
    """In how many ways pawns of the opponent may capture own men."""
    targets = m.own[0] & ~m.own[KING]
    left, right = (targets << np.uint64(7)) & NOT_H, (targets << np.uint64(9)) & NOT_A
    return popcount(m.ghosts[PAWN] & left) + popcount(m.ghosts[PAWN] & right)


@kernel
def all_pairs_are_real(m: Metaposition, tries: int, stepped: int) -> None:
    """The opponent has as many pawn captures as there are ways: each of these pawns is there.

    Args:
        m: METAPOSITION after the own move.
        tries: how many captures at least.
        stepped: own pawn that may be captured en passant; -1.
    """
    if stepped >= 0 and m.ghosts[PAWN] & pawn_origins(bit(stepped - 8)) != ZERO:
        return
    if _pairs(m) != tries:
        return
    pawns = m.ghosts[PAWN] & pawn_origins(m.own[0] & ~m.own[KING])
    while pawns != ZERO:
        note_kind(m, bit(lowest(pawns)), PAWN)
        pawns = without_lowest(pawns)


@kernel
def opponent_tries(m: Metaposition, view: View, rules: Rules) -> None:
    """What was said of the opponent's pawn captures after the own move."""
    said = i8(view.left)
    if rules.pawn_tries == SQUARES:
        no_tries_clears_pawns(m, view.left_squares)
        named = view.left_squares
        while named != ZERO:
            note_kind(m, bit(lowest(named)), PAWN)
            named = without_lowest(named)
    elif said == 0:
        no_tries_clears_pawns(m, ZERO)
    elif said > 0:
        all_pairs_are_real(m, said, i8(view.stepped))


@kernel
def their_question(m: Metaposition, view: View) -> None:
    """What the opponent was told by asking "any?" in its turn."""
    if view.their_any == HEARD_YES:
        all_pairs_are_real(m, 1, i8(view.stepped))
    else:
        no_tries_clears_pawns(m, ZERO)


@kernel
def own_tries_said(view: View) -> int:
    """The number of own pawn tries as told this turn, `SAID_YES` for an answer to "any?"; `UNSAID`."""
    if view.tries >= 0:
        return i8(view.tries)
    if view.asked == DENIED:
        return 0
    if view.asked == OBLIGED or view.asked == FREE:
        return SAID_YES
    return UNSAID


@kernel
def _no_own_tries(m: Metaposition, pawns: np.uint64) -> None:
    """None of these own pawns has a capture: what they attack is empty, unless they are pinned."""
    king = lowest(m.own[KING])
    aligned = pawns & (ROOK_LINES[king] | BISHOP_LINES[king])
    free = pawns & ~aligned
    while aligned != ZERO:
        if not may_be_pinned(m, lowest(aligned)):
            free |= bit(lowest(aligned))
        aligned = without_lowest(aligned)
    taken = own_pawn_targets(free) & possible(m)
    if taken != ZERO:
        note_empty(m, taken)


@kernel
def _may_pass(m: Metaposition) -> bool:
    """Whether an own pawn stands where it might capture en passant."""
    fifth = m.own[PAWN] & FIFTH
    return ((fifth << np.uint64(1)) | (fifth >> np.uint64(1))) & m.ghosts[PAWN] != ZERO


@kernel
def own_tries(m: Metaposition, view: View, rules: Rules) -> None:
    """What was said of the own pawn captures of this turn."""
    if rules.pawn_tries == SQUARES:
        if view.checkers == 0:
            _no_own_tries(m, m.own[PAWN] & ~view.try_squares)
        _named_pawns(m, view.try_squares)
        return
    said = own_tries_said(view)
    if said == 0 and view.checkers == 0:
        _no_own_tries(m, m.own[PAWN])
    elif said > 0 and not _may_pass(m):
        _own_pairs_are_real(m, said if rules.pawn_tries == COUNT else 1)


@kernel
def _named_pawns(m: Metaposition, pawns: np.uint64) -> None:
    """Each of these own pawns has a capture."""
    if _may_pass(m):
        return
    while pawns != ZERO:
        targets = own_pawn_targets(bit(lowest(pawns))) & possible_but_king(m)
        pawns = without_lowest(pawns)
        if targets != ZERO and without_lowest(targets) == ZERO:
            _not_the_king(m, targets)


@kernel
def own_pairs(m: Metaposition) -> int:
    """In how many ways own pawns may capture men of the opponent."""
    pawns, men = m.own[PAWN], possible_but_king(m)
    left, right = (pawns << np.uint64(7)) & NOT_H, (pawns << np.uint64(9)) & NOT_A
    return popcount(left & men) + popcount(right & men)


@kernel
def _own_pairs_are_real(m: Metaposition, tries: int) -> None:
    if own_pairs(m) == tries:
        _not_the_king(m, own_pawn_targets(m.own[PAWN]) & possible_but_king(m))


@kernel
def _not_the_king(m: Metaposition, board: np.uint64) -> None:
    m.ghosts[KING] &= ~board
    note_occupied(m, board)
