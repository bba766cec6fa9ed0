"""`meta`: the opponent's unknown move and what the referee said of it (Ciancarini and Favini 2007, §2.1).

Exactly one man has moved, or king and rook have castled. If nothing was captured, every ghost may have moved
to squares that may be empty; if something was, only the capturing man has moved, and stands there.

Of some quiet turns something tells the mover (`narrow_turn`). A single check comes from the man that moved,
or through a square that it left. A new pawn try means that it landed where an own pawn attacks. All other men
stand where they stood.
"""

import numpy as np

from ks_env.belief.metaposition.announcements import (
    attacked_for_certain,
    ghost_sliders,
    interpositions,
    own_pairs,
    own_tries_said,
    slides_along,
    their_question,
)
from ks_env.belief.metaposition.boards import (
    FIFTH,
    NOT_A,
    NOT_H,
    king_squares,
    king_steps,
    knight_squares,
    movable,
    oblique_fill,
    oblique_neighbours,
    only,
    own_pawn_targets,
    pawn_origins,
    pawn_steps,
    promote_on,
    spread_pawns,
    spread_pieces,
    straight_fill,
    straight_neighbours,
    straight_reach,
)
from ks_env.belief.metaposition.layout import (
    Metaposition,
    grow_old,
    may_lose_pawns,
    note_empty,
    note_kind,
    note_occupied,
    possible,
    possible_but_king,
    settle,
)
from ks_env.belief.metaposition.own_move import hear_turn
from ks_env.core.attacks import bishop_attacks, line_attacks, rook_attacks
from ks_env.core.bits import ALL, ZERO, bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i1, i8, u1
from ks_env.core.ruleset import COUNT, SQUARES
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    CASTLED_KINGS,
    CHECK_OF_LINE,
    CORNERS,
    KING,
    KING_HOME,
    KING_SIDE,
    KNIGHT,
    KNIGHT_MOVES,
    LINES,
    PAWN,
    QUEEN,
    QUEEN_SIDE,
    RANK_1,
    ROOK,
    ROOK_FROM,
    ROOK_TO,
)
from ks_env.games.kriegspiel.layout import View

THEIR_HOME = KING_HOME ^ 56  # of the opponent's king, in the seat's frame
SHORT_ROOK, LONG_ROOK = CORNERS[2:]  # where its rooks may castle from
SHORT_KING, LONG_KING = CASTLED_KINGS[2:]  # and where its king then stands


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
    """
    if rules.pawn_tries == SQUARES:
        men = possible_but_king(m)
        landing = ALL
        pawns = view.try_squares
        while pawns != ZERO:
            targets = own_pawn_targets(bit(lowest(pawns)))
            if targets & men == ZERO:
                beside = king_squares(bit(lowest(pawns))) & beside_fifth(m)
                landing &= (targets & ~m.own[0]) | beside
            pawns = without_lowest(pawns)
        return landing
    said = own_tries_said(view)
    if said <= 0:
        return ALL
    if own_pairs(m) >= (said if rules.pawn_tries == COUNT else 1):
        return ALL
    return (own_pawn_targets(m.own[PAWN]) & ~m.own[0]) | beside_fifth(m)


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
    return line_attacks(king, line, ~m.ghosts[0]) if slides_along(kind, line) else ZERO


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


@kernel
def _castle_to(m: Metaposition, empty: np.uint64, side: int, king: int) -> None:
    rook = ROOK_FROM[king]
    if m.their_rights & side and BETWEEN[THEIR_HOME, rook] & ~empty == ZERO:
        m.ghosts[KING] |= bit(king)
        m.ghosts[ROOK] |= bit(ROOK_TO[king])
        m.ghosts[0] |= bit(THEIR_HOME) | bit(rook)


@kernel
def _castle(m: Metaposition, empty: np.uint64) -> None:
    """The opponent may have castled: copies of king and rook on their new squares."""
    _castle_to(m, empty, KING_SIDE, SHORT_KING)
    _castle_to(m, empty, QUEEN_SIDE, LONG_KING)


@kernel
def _lose_their_rights(m: Metaposition) -> None:
    """Rights go when king or rook can no longer stand at home."""
    if not has(m.ghosts[KING], THEIR_HOME):
        m.their_rights = u1(0)
    if not has(m.ghosts[ROOK], SHORT_ROOK):
        m.their_rights &= u1(QUEEN_SIDE)
    if not has(m.ghosts[ROOK], LONG_ROOK):
        m.their_rights &= u1(KING_SIDE)


@kernel
def _king_moves_or_stays(m: Metaposition, empty: np.uint64, stays: bool) -> None:
    """The king stepped to a square that no own man attacked, or it stayed where none attacks it now."""
    before = possible_but_king(m)
    stepped = king_squares(m.ghosts[KING]) & empty & ~attacked_for_certain(m, before)
    m.ghosts[KING] = only(stays, m.ghosts[KING]) | stepped


@kernel
def _quiet_promotions(m: Metaposition, squares: np.uint64, view: View, rules: Rules) -> None:
    if squares != ZERO and (not rules.promotion_said or view.promotion):
        promote_on(m, squares)
        may_lose_pawns(m, squares)


@kernel
def _quiet_turn(m: Metaposition, view: View, rules: Rules) -> None:
    """Nothing was captured: one ghost moved within the squares that may be empty."""
    empty = m.ghosts[0]
    landing = ALL
    if m.gave != 0:
        landing = interpositions(m)
    if rules.promotion_said and view.promotion:  # a pawn moved, and nothing else
        moved = ((RANK_1 & empty & landing) << np.uint64(8)) & m.ghosts[PAWN]
        promote_on(m, moved >> np.uint64(8))
        may_lose_pawns(m, moved)
        m.most[PAWN] -= u1(m.most[PAWN] > 0)
        m.ghosts[0] |= moved
        return
    onto = new_tries_place_the_mover(m, view, rules)
    if onto != ALL or view.checkers == 1:
        narrow_turn(m, view, landing & onto, onto == ALL, rules.promotion_said != 0)
    else:
        _any_man_moved(m, view, rules, empty, landing)
    if m.their_rights != 0 and m.gave == 0:
        _castle(m, empty)


@kernel
def _any_man_moved(m: Metaposition, view: View, rules: Rules, empty: np.uint64, landing: np.uint64) -> None:
    """Any ghost may have moved: nothing tells which."""
    may_leave = movable(m, empty)
    _king_moves_or_stays(m, empty, m.most[0] > 1 and landing != ZERO)
    spread_pieces(m, empty, landing)
    promotions = spread_pawns(m, empty, landing)
    _quiet_promotions(m, promotions, view, rules)
    m.ghosts[0] |= may_leave


@kernel
def _capturers(m: Metaposition, kind: int, square: int) -> np.uint64:
    """Squares from which a man of this kind may have captured on a square (pawns: not en passant)."""
    target = bit(square)
    if kind == PAWN:
        return pawn_origins(target) & m.ghosts[PAWN]
    if kind == KNIGHT:
        return KNIGHT_MOVES[square] & m.ghosts[KNIGHT]
    if kind == KING:
        safe = attacked_for_certain(m, possible_but_king(m)) & target == ZERO
        return only(safe, king_squares(target) & m.ghosts[KING])
    seen = ZERO
    if kind == BISHOP or kind == QUEEN:
        seen |= bishop_attacks(square, ~m.ghosts[0])  # up to and onto what certainly blocks
    if kind == ROOK or kind == QUEEN:
        seen |= rook_attacks(square, ~m.ghosts[0])
    return seen & m.ghosts[kind]


@kernel
def _may_have_checked(m: Metaposition, view: View, kind: int, square: int) -> np.uint64:
    """From where a capture on the square by this kind explains a single check; ALL without one.

    It checks from there, whatever its origin, or it has discovered the check.
    """
    if view.checkers != 1:
        return ALL
    king = lowest(m.own[KING])
    line = announced_line(king, i8(view.checks))
    if kind == PAWN and square < 8:
        direct = promotes_with_check(king, line)
    elif kind == KING:
        direct = ZERO
    else:
        direct = checks_from(m, king, line, kind)
    return ALL if has(direct, square) else discoverers(m, king, line)


@kernel
def _captured_on(m: Metaposition, view: View, square: int) -> np.uint64:
    """A man of the opponent captured on the square and stands there; the squares it may have come from."""
    here = bit(square)
    origins = ZERO
    for kind in range(1, 7):
        sources = _capturers(m, kind, square) & _may_have_checked(m, view, kind, square)
        if sources == ZERO:
            continue
        origins |= sources
        if kind == PAWN and square < 8:
            promote_on(m, here)
        else:
            m.ghosts[kind] |= here
        if kind == PAWN:
            may_lose_pawns(m, sources)
            m.file_pawns[square & 7] += u1(m.file_pawns[square & 7] < 8)
    return origins


@kernel
def _passed(m: Metaposition, pawn: int) -> np.uint64:
    """An own pawn on this square may have been taken en passant; the squares the capturer may come from."""
    origins = m.ghosts[PAWN] & pawn_origins(bit(pawn - 8))
    if origins != ZERO and has(m.ghosts[0], pawn - 8):
        m.ghosts[PAWN] |= bit(pawn - 8)
        may_lose_pawns(m, origins)
        m.file_pawns[pawn & 7] += u1(m.file_pawns[pawn & 7] < 8)
        return origins
    return ZERO


@kernel
def _origins_may_be_empty(m: Metaposition, origins: np.uint64) -> None:
    """The capturer left one of these squares; a sole one is empty now."""
    m.ghosts[0] |= origins
    if origins != ZERO and without_lowest(origins) == ZERO:
        note_empty(m, origins)


@kernel
def _capturing_turn(m: Metaposition, view: View, gone: int) -> None:
    """The opponent captured the own man on `gone`; `view.enemy` says where the capturer stands, if known."""
    landed = i8(view.enemy)
    m.ghosts[0] |= bit(gone)
    if gone != view.lost:  # named as en passant, on the square announced
        origins = _passed(m, gone)
        note_empty(m, bit(gone))
        _origins_may_be_empty(m, origins)
        m.ghosts[PAWN] |= bit(landed)
        note_kind(m, bit(landed), PAWN)
        return
    if landed >= 0:
        m.ghosts[0] &= ~bit(gone)
        _origins_may_be_empty(m, _captured_on(m, view, gone))
        note_occupied(m, bit(gone))
        return
    origins = _captured_on(m, view, gone)
    origins |= _passed(m, gone)
    _origins_may_be_empty(m, origins)


@kernel
def meta(m: Metaposition, view: View, rules: Rules) -> None:
    """Update a metaposition after the opponent's move and what the referee said of it.

    Args:
        m: METAPOSITION after the own move, or at a start with the opponent to move; in place.
        view: VIEW of the seat, which is to move now.
    """
    if view.last < 0:  # the opponent began: what the start gave it
        m.gave = view.gave
        m.givers = view.givers
    if view.their_any != 0:  # here alone: a seat may be looked at before the question or after it
        their_question(m, view)
        settle(m)
    gone = m.own[0] & ~view.own
    for kind in range(1, 7):
        m.own[kind] = view.kinds[kind]
    m.own[0] = view.own
    m.rights = view.rights
    _lose_their_rights(m)  # an own man may stand on a corner since the own move
    if gone == ZERO:
        _quiet_turn(m, view, rules)
    else:
        _capturing_turn(m, view, lowest(gone))
    grow_old(m)
    _lose_their_rights(m)
    m.gave = u1(0)
    m.givers = u1(0)
    m.moved = i1(-1)
    hear_turn(m, view, rules)


@kernel
def simulate_meta(m: Metaposition) -> None:
    """A quiet move of the opponent, any of them: every ghost spawns copies, and stays."""
    empty = m.ghosts[0]
    may_leave = movable(m, empty)
    steps = king_steps(m, empty)
    promotions = spread_pawns(m, empty, ALL)
    spread_pieces(m, empty, ALL)
    if promotions != ZERO:
        may_lose_pawns(m, promotions)
        for kind in range(KNIGHT, KING):
            m.ghosts[kind] |= promotions
    m.ghosts[KING] |= steps
    m.ghosts[0] |= may_leave
    m.moved = i1(-1)
    grow_old(m)
