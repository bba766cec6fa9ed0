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

from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, bit, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.tables import (
    BISHOP,
    FILE_A,
    FILE_H,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    RANK_3,
    ROOK,
)
from ks_env.core.tries import (
    INFORMED,
    add_all_pawn_moves,
    add_castling,
    add_targets,
    nonsense_kernel,
    open_castling,
)
from ks_env.games.dark.layout import View


@kernel
def men_in_sight(view: View) -> np.uint64:
    """Men of both sides that the seat sees."""
    return view.own | view.theirs


@kernel
def prey(view: View) -> np.uint64:
    """Squares on which a pawn may capture."""
    return view.theirs | bit(view.passed) if view.passed >= 0 else view.theirs


@kernel
def _add_pawns(view: View, level: int, out: np.ndarray, n: int) -> int:
    pawns, takes = view.kinds[PAWN], prey(view)
    free = ~men_in_sight(view)
    if level == INFORMED:
        free &= view.seen
    one = (pawns << np.uint64(8)) & free
    two = ((one & RANK_3) << np.uint64(8)) & free
    west = ((pawns & ~FILE_A) << np.uint64(7)) & takes
    east = ((pawns & ~FILE_H) << np.uint64(9)) & takes
    return add_all_pawn_moves(out, n, west, east, one, two)


@kernel
def _add_men(view: View, men: np.uint64, out: np.ndarray, n: int) -> int:
    """Tries of men that are no pawns, castling left out."""
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        reach = man_attacks(i8(view.men[start]), start, men_in_sight(view))
        n = add_targets(out, n, start, reach & ~view.own)
    return n


@kernel
def list_tries(view: View, rules: Rules, level: int, out: np.ndarray) -> int:
    """Write the seat's tries to `out: i2[MOST_TRIES]`; how many. `level` is OWN_BOARD or INFORMED."""
    n = _add_pawns(view, level, out, 0)
    n = _add_men(view, view.kinds[KNIGHT], out, n)
    n = _add_men(view, view.kinds[BISHOP] | view.kinds[ROOK] | view.kinds[QUEEN], out, n)
    n = _add_men(view, view.kinds[KING], out, n)
    return add_castling(out, n, open_castling(view, men_in_sight(view)))


is_nonsense = nonsense_kernel(men_in_sight, prey)
