"""Turns of the opponent of which something tells the mover: a check, or a pawn try that was not there before.

A single check comes from the man that moved, or through a square that it left. A new pawn try means that it
landed where an own pawn attacks. All other men stand where they stood.
"""

import numpy as np

from ks_env.belief.metaposition.boards import (
    NOT_A,
    NOT_H,
    king_squares,
    knight_squares,
    oblique_fill,
    oblique_neighbours,
    own_pawn_targets,
    pawn_origins,
    pawn_steps,
    straight_fill,
    straight_neighbours,
)
from ks_env.belief.metaposition.checks import attacked_for_certain, ghost_sliders
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.measures import possible, possible_but_king
from ks_env.belief.metaposition.pawn_tries import own_tries_said
from ks_env.belief.metaposition.spread import promote_on, straight_reach
from ks_env.belief.metaposition.squares import may_lose_pawns
from ks_env.core.attacks import line_attacks
from ks_env.core.bits import ALL, ZERO, bit, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.ruleset import COUNT, SQUARES
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    CHECK_OF_LINE,
    KING,
    KNIGHT,
    KNIGHT_MOVES,
    LINES,
    PAWN,
    QUEEN,
    RANK_1,
    ROOK,
)
from ks_env.games.kriegspiel.layout import View

FIFTH = np.uint64(0xFF << 32)  # the seat's fifth rank, where its pawns may capture en passant


@kernel
def beside_fifth(m: Metaposition) -> np.uint64:
    """Squares where a pawn's double step may allow an own pawn to capture en passant."""
    pawns = m.own[PAWN] & FIFTH
    return ((pawns << np.uint64(1)) & NOT_A) | ((pawns >> np.uint64(1)) & NOT_H)


@kernel
def new_tries_place_the_mover(m: Metaposition, view: View, rules: Rules) -> np.uint64:
    """Where the man that moved has landed if there are more pawn tries than men to take before; else ALL.

    Args:
        m: METAPOSITION before the opponent's quiet move.
        view: VIEW of the seat after it.
        rules: RULES record.
    """
    men = possible_but_king(m)
    if rules.pawn_tries == SQUARES:
        landing = ALL
        pawns = view.try_squares
        while pawns != ZERO:
            targets = own_pawn_targets(bit(lowest(pawns)))
            if targets & men == ZERO:
                beside = king_squares(bit(lowest(pawns))) & beside_fifth(m)
                landing &= (targets & ~m.own[0]) | beside
            pawns = without_lowest(pawns)
        return landing
    said = own_tries_said(view, rules)
    if said <= 0:
        return ALL
    pawns = m.own[PAWN]
    before = popcount((pawns << np.uint64(7)) & NOT_H & men) + popcount((pawns << np.uint64(9)) & NOT_A & men)
    if before >= (said if rules.pawn_tries == COUNT else 1):
        return ALL
    return (own_pawn_targets(pawns) & ~m.own[0]) | beside_fifth(m)


@kernel
def announced_line(king: int, checks: int) -> int:
    """The line of a single check, -1 for a knight's."""
    for line in range(4):
        if CHECK_OF_LINE[king, line] & checks:
            return line
    return -1


@kernel
def checks_from(m: Metaposition, king: int, line: int, kind: int) -> np.uint64:
    """Squares from which a man of this kind, having moved there, gives a check along the line."""
    if line < 0 or kind == KNIGHT:
        return KNIGHT_MOVES[king] if line < 0 and kind == KNIGHT else ZERO
    if kind == PAWN:
        return pawn_origins(bit(king)) & LINES[king, line]
    if kind == QUEEN or (kind == ROOK and line < 2) or (kind == BISHOP and line >= 2):
        return line_attacks(king, line, ~m.ghosts[0])
    return ZERO


@kernel
def promotes_with_check(king: int, line: int) -> np.uint64:
    """Squares on which a promotion gives the check; the pawn itself may have stood in the way before."""
    return RANK_1 & (KNIGHT_MOVES[king] if line < 0 else LINES[king, line])


@kernel
def discoverers(m: Metaposition, king: int, line: int) -> np.uint64:
    """Squares from which a man may have moved and so discovered a check along the line."""
    found = ZERO
    if line >= 0:
        sliders = line_attacks(king, line, m.own[0]) & ghost_sliders(m, line)
        while sliders != ZERO:
            found |= BETWEEN[king, lowest(sliders)]
            sliders = without_lowest(sliders)
    return found & possible(m)


@kernel
def _leave(m: Metaposition, kind: int, targets: np.uint64, empty: np.uint64) -> np.uint64:
    """Squares that ghosts of this kind may have left for one of the targets."""
    if kind == KNIGHT:
        return knight_squares(targets) & m.ghosts[KNIGHT]
    if kind == PAWN:
        double = ((targets & FIFTH) << np.uint64(8)) & empty
        return ((targets << np.uint64(8)) | (double << np.uint64(8))) & m.ghosts[PAWN]
    left = ZERO
    if kind == BISHOP or kind == QUEEN:
        left |= oblique_neighbours(oblique_fill(targets, empty))
    if kind == ROOK or kind == QUEEN:
        left |= straight_neighbours(straight_fill(targets, empty))
    return left & m.ghosts[kind]


@kernel
def _reach(m: Metaposition, kind: int, men: np.uint64, empty: np.uint64) -> np.uint64:
    """Empty squares that these men reach."""
    if men == ZERO:
        return ZERO
    if kind == PAWN:
        return pawn_steps(men, empty)
    if kind == KNIGHT:
        return knight_squares(men) & empty
    reached = ZERO
    if kind == BISHOP or kind == QUEEN:
        reached |= oblique_fill(men, empty)
    if kind == ROOK or kind == QUEEN:
        reached |= straight_reach(m, men, empty)
    return reached & empty


@kernel
def _kings_leave(m: Metaposition, empty: np.uint64, sources: np.uint64) -> np.uint64:
    """The king may have stepped off one of the sources; the squares it may have left."""
    kings = m.ghosts[KING] & sources
    targets = king_squares(kings) & empty & ~attacked_for_certain(m, possible_but_king(m))
    m.ghosts[KING] |= targets
    return kings & king_squares(targets)


@kernel
def narrow_turn(
    m: Metaposition, view: View, landing: np.uint64, king_moves: bool, says_promotions: bool
) -> None:
    """A quiet move by which a single check was given, or that landed within few squares.

    Args:
        m: METAPOSITION before it, in place.
        view: VIEW of the seat after it.
        landing: where men other than the king may have landed.
        king_moves: whether the king may have moved.
        says_promotions: whether a promotion would have been announced; none was.
    """
    empty = m.ghosts[0]
    direct, sources, line, king = landing, ZERO, -1, lowest(m.own[KING])
    checked = view.checkers == 1
    if checked:
        line = announced_line(king, i8(view.checks))
        sources = discoverers(m, king, line)
    left, promoted = ZERO, ZERO
    for kind in range(PAWN, KING):
        men = m.ghosts[kind]
        if men == ZERO:
            continue
        if checked:
            direct = landing & checks_from(m, king, line, kind)
            if kind == PAWN and not says_promotions:
                direct |= landing & promotes_with_check(king, line)
        onto = _reach(m, kind, men, empty) & direct
        left |= _leave(m, kind, onto, empty)
        if men & sources != ZERO:
            freed = _reach(m, kind, men & sources, empty) & landing
            left |= _leave(m, kind, freed, empty) & sources
            onto |= freed
        if kind == PAWN:
            promoted = onto & RANK_1
            onto &= ~RANK_1
            if says_promotions:
                left &= ~(promoted << np.uint64(8))
                promoted = ZERO
        m.ghosts[kind] |= onto
    if king_moves:
        left |= _kings_leave(m, empty, sources if checked else ALL)
    if promoted != ZERO:
        promote_on(m, promoted)
        may_lose_pawns(m, promoted)
    m.ghosts[0] |= left
