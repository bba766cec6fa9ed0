"""Which squares the own men control, by kind: the protection matrix of M07 §4.2."""

import numpy as np

from ks_env.belief.metaposition.boards import king_squares, knight_squares, own_pawn_targets
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.tables import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK


@kernel
def _slides(men: np.uint64, straight: bool, oblique: bool, occupied: np.uint64) -> np.uint64:
    seen = ZERO
    while men != ZERO:
        square = lowest(men)
        men = without_lowest(men)
        if straight:
            seen |= rook_attacks(square, occupied)
        if oblique:
            seen |= bishop_attacks(square, occupied)
    return seen


@kernel
def controlled(m: Metaposition, by: np.ndarray) -> np.uint64:
    """Squares controlled by each kind into `by: u8[7]` (entry 0: by any).

    Slides end at men that are certainly there, but for the king: it cannot flee along the line of a check.
    """
    occupied = ~m.ghosts[0] & ~m.ghosts[KING]
    by[PAWN] = own_pawn_targets(m.own[PAWN])
    by[KNIGHT] = knight_squares(m.own[KNIGHT])
    by[BISHOP] = _slides(m.own[BISHOP], False, True, occupied)
    by[ROOK] = _slides(m.own[ROOK], True, False, occupied)
    by[QUEEN] = _slides(m.own[QUEEN], True, True, occupied)
    by[KING] = king_squares(m.own[KING])
    by[0] = by[PAWN] | by[KNIGHT] | by[BISHOP] | by[ROOK] | by[QUEEN] | by[KING]
    return by[0]
