"""Rules from pawn tries: what is said of captures by pawns, the opponent's and one's own."""

import numpy as np

from ks_env.belief.metaposition.boards import NOT_A, NOT_H, own_pawn_targets, pawn_origins
from ks_env.belief.metaposition.checks import ghost_may_be_pinned, may_be_pinned
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.measures import possible, possible_but_king
from ks_env.belief.metaposition.squares import note_empty, note_kind, note_occupied
from ks_env.core.bits import ZERO, bit, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.ruleset import COUNT, SQUARES
from ks_env.core.tables import BISHOP_LINES, KING, PAWN, ROOK_LINES
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import DENIED, FREE, OBLIGED

UNSAID = -1
SAID_YES = 99  # there is a capture, their number is not said


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
        note_kind(m, lowest(pawns), PAWN)
        pawns = without_lowest(pawns)


@kernel
def opponent_tries(m: Metaposition, view: View, rules: Rules) -> None:
    """What was said of the opponent's pawn captures after the own move."""
    said = i8(view.left)
    if rules.pawn_tries == SQUARES:
        no_tries_clears_pawns(m, view.left_squares)
        named = view.left_squares
        while named != ZERO:
            note_kind(m, lowest(named), PAWN)
            named = without_lowest(named)
    elif said == 0:
        no_tries_clears_pawns(m, ZERO)
    elif said > 0:
        all_pairs_are_real(m, said, i8(view.stepped))


@kernel
def their_question(m: Metaposition, view: View) -> None:
    """What the opponent was told by asking "any?" in its turn."""
    if view.their_any == 1:
        all_pairs_are_real(m, 1, i8(view.stepped))
    else:
        no_tries_clears_pawns(m, ZERO)


@kernel
def own_tries_said(view: View, rules: Rules) -> int:
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
    fifth = m.own[PAWN] & np.uint64(0xFF << 32)
    return ((fifth << np.uint64(1)) | (fifth >> np.uint64(1))) & m.ghosts[PAWN] != ZERO


@kernel
def own_tries(m: Metaposition, view: View, rules: Rules) -> None:
    """What was said of the own pawn captures of this turn."""
    if rules.pawn_tries == SQUARES:
        if view.checkers == 0:
            _no_own_tries(m, m.own[PAWN] & ~view.try_squares)
        _named_pawns(m, view.try_squares)
        return
    said = own_tries_said(view, rules)
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
def _own_pairs_are_real(m: Metaposition, tries: int) -> None:
    men = possible_but_king(m)
    left = (m.own[PAWN] << np.uint64(7)) & NOT_H & men
    right = (m.own[PAWN] << np.uint64(9)) & NOT_A & men
    if popcount(left) + popcount(right) == tries:
        _not_the_king(m, left | right)


@kernel
def _not_the_king(m: Metaposition, board: np.uint64) -> None:
    m.ghosts[KING] &= ~board
    note_occupied(m, board)
