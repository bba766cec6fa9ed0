"""The tries that a seat may make in dark chess, from its view alone: the two masks, as lists.

*own-board*: moves that are pseudo-legal over one's own men and the enemy men in sight; a pawn captures on
squares where an enemy man is seen, and en passant where that is possible. Anything else is nonsense to the
referee, and so is a try that was refused this turn.

*informed* (the default) also removes, and nothing else:

(a) pushes of a pawn onto or across a square that is out of sight: were it empty, it would be seen.

All moves that are left are legal: a slide ends at the first man, which is seen. So nothing that was refused
has to be removed.

Version 1.
"""

import numpy as np

from ks_env.core.attacks import bishop_attacks, man_attacks, rook_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.tables import (
    ANY,
    BISHOP,
    FILE_A,
    FILE_H,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    RANK_3,
    ROOK,
    TRY_FROM,
    TRY_INDEX,
    TRY_KIND,
    TRY_TO,
)
from ks_env.core.tries import INFORMED, add_pawn_moves, add_targets, refused
from ks_env.games.dark.layout import View

KING_SIDE, QUEEN_SIDE = np.uint64(0x60), np.uint64(0x0E)  # between king and rook


@kernel
def prey(view: View) -> np.uint64:
    """Squares on which a pawn may capture."""
    return view.theirs | bit(view.passed) if view.passed >= 0 else view.theirs


@kernel
def _add_pawns(view: View, level: int, out: np.ndarray, n: int) -> int:
    pawns, takes = view.kinds[PAWN], prey(view)
    free = ~(view.own | view.theirs)
    if level == INFORMED:
        free &= view.seen
    one = (pawns << np.uint64(8)) & free
    two = ((one & RANK_3) << np.uint64(8)) & free
    n = add_pawn_moves(out, n, ((pawns & ~FILE_A) << np.uint64(7)) & takes, 7)
    n = add_pawn_moves(out, n, ((pawns & ~FILE_H) << np.uint64(9)) & takes, 9)
    n = add_pawn_moves(out, n, one, 8)
    return add_pawn_moves(out, n, two, 16)


@kernel
def _add_castling(view: View, out: np.ndarray, n: int) -> int:
    occupied = view.own | view.theirs
    if view.rights & 1 and occupied & KING_SIDE == ZERO:
        out[n] = TRY_INDEX[4, 6]
        n += 1
    if view.rights & 2 and occupied & QUEEN_SIDE == ZERO:
        out[n] = TRY_INDEX[4, 2]
        n += 1
    return n


@kernel
def list_tries(view: View, rules: Rules, level: int, out: np.ndarray) -> int:
    """Write the seat's tries to `out: i2[MOST_TRIES]`; how many. `level` is OWN_BOARD or INFORMED."""
    n = _add_pawns(view, level, out, 0)
    occupied, landing = view.own | view.theirs, ~view.own
    straight, oblique = view.kinds[ROOK] | view.kinds[QUEEN], view.kinds[BISHOP] | view.kinds[QUEEN]
    men = view.kinds[KNIGHT]
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        n = add_targets(out, n, start, KNIGHT_MOVES[start] & landing)
    men = straight | oblique
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        reach = ZERO
        if has(straight, start):
            reach |= rook_attacks(start, occupied)
        if has(oblique, start):
            reach |= bishop_attacks(start, occupied)
        n = add_targets(out, n, start, reach & landing)
    men = view.kinds[KING]
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        n = add_targets(out, n, start, KING_MOVES[start] & landing)
    return _add_castling(view, out, n) if view.rights != 0 else n


@kernel
def _pawn_may(view: View, start: int, end: int) -> bool:
    blocked = view.own | view.theirs
    if end - start == 8:
        return not has(blocked, end)
    if end - start == 16:
        return start < 16 and not has(blocked, start + 8) and not has(blocked, end)
    return has(PAWN_ATTACKS[0, start] & prey(view), end)


@kernel
def _king_may(view: View, start: int, end: int) -> bool:
    if has(KING_MOVES[start], end):
        return True
    occupied = view.own | view.theirs
    if start != 4:
        return False
    if end == 6:
        return view.rights & 1 != 0 and occupied & KING_SIDE == ZERO
    return end == 2 and view.rights & 2 != 0 and occupied & QUEEN_SIDE == ZERO


@kernel
def on_own_board(view: View, action: int) -> bool:
    """Whether the try is in the own-board mask, without listing it."""
    if action < 0 or action >= ANY:
        return False
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    kind = i8(view.men[start])
    if kind == 0 or has(view.own, end):
        return False
    if kind == PAWN:
        return _pawn_may(view, start, end)
    if TRY_KIND[action] != 0:
        return False
    if kind == KING:
        return _king_may(view, start, end)
    return has(man_attacks(kind, start, view.own | view.theirs), end)


@kernel
def is_nonsense(view: View, action: int) -> bool:
    """Hopeless for what the seat sees, or refused already this turn."""
    return not on_own_board(view, action) or refused(view, action)
