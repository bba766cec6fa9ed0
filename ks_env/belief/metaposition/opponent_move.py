"""`meta`: the opponent's unknown move and what the referee said of it (M07 §2.1).

Exactly one man has moved, or king and rook have castled. If nothing was captured, every ghost may have moved
to squares that may be empty; if something was, only the capturing man has moved, and stands there.
"""

import numpy as np

from ks_env.belief.metaposition.boards import king_squares, only, pawn_origins
from ks_env.belief.metaposition.checks import attacked_for_certain, interpositions
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.measures import possible_but_king
from ks_env.belief.metaposition.narrow_turn import (
    announced_line,
    checks_from,
    discoverers,
    narrow_turn,
    new_tries_place_the_mover,
    promotes_with_check,
)
from ks_env.belief.metaposition.own_move import hear_turn
from ks_env.belief.metaposition.pawn_tries import their_question
from ks_env.belief.metaposition.spread import movable, promote_on, spread_pawns, spread_pieces
from ks_env.belief.metaposition.squares import grow_old, may_lose_pawns, note_empty, note_occupied, settle
from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ALL, ZERO, bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i1, i8, u1
from ks_env.core.tables import BISHOP, KING, KNIGHT, KNIGHT_MOVES, PAWN, QUEEN, RANK_1, ROOK
from ks_env.games.kriegspiel.layout import View

SHORT_CASTLING, LONG_CASTLING = 1, 2  # bits of `their_rights`, king side and queen side
KING_HOME, SHORT_ROOK, LONG_ROOK = 60, 63, 56  # the opponent's, in the seat's frame


@kernel
def _castle(m: Metaposition, empty: np.uint64) -> None:
    """The opponent may have castled: copies of king and rook on their new squares."""
    if m.their_rights & SHORT_CASTLING and empty & np.uint64(0x60 << 56) == np.uint64(0x60 << 56):
        m.ghosts[KING] |= bit(62)
        m.ghosts[ROOK] |= bit(61)
        m.ghosts[0] |= bit(KING_HOME) | bit(SHORT_ROOK)
    if m.their_rights & LONG_CASTLING and empty & np.uint64(0x0E << 56) == np.uint64(0x0E << 56):
        m.ghosts[KING] |= bit(58)
        m.ghosts[ROOK] |= bit(59)
        m.ghosts[0] |= bit(KING_HOME) | bit(LONG_ROOK)


@kernel
def _lose_their_rights(m: Metaposition) -> None:
    """Rights go when king or rook can no longer stand at home."""
    if not has(m.ghosts[KING], KING_HOME):
        m.their_rights = u1(0)
    if not has(m.ghosts[ROOK], SHORT_ROOK):
        m.their_rights &= u1(LONG_CASTLING)
    if not has(m.ghosts[ROOK], LONG_ROOK):
        m.their_rights &= u1(SHORT_CASTLING)


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
    """From where a capture on the square by this kind explains a single check; ALL if there is none.

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
        _stands(m, landed, PAWN)
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
def _stands(m: Metaposition, square: int, kind: int) -> None:
    for other in range(1, 7):
        if other != kind:
            m.ghosts[other] &= ~bit(square)
    m.ghosts[kind] |= bit(square)
    note_occupied(m, bit(square))


@kernel
def meta(m: Metaposition, view: View, rules: Rules) -> None:
    """Update a metaposition after the opponent's move and what the referee said of it.

    Args:
        m: METAPOSITION after the own move, or at a start with the opponent to move; in place.
        view: VIEW of the seat, which is to move now.
        rules: RULES record.
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
