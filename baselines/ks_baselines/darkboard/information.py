"""Information (M07 §4.3): the entropy of the chessboard, and what two plies add to it.

    ΔE = E(after own move and opponent's turn) − E(before)

M07 §4.3 prints pseudo and meta exchanged, as its §2.1 does; the list of definitions of its §2 is followed.
"""

import numpy as np

from ks_baselines.darkboard.ages import slice_ages, sum_ages
from ks_baselines.darkboard.constants import Constants
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ZERO
from ks_env.core.jit import kernel
from ks_env.core.tables import KING, KNIGHT, PAWN


@kernel
def entropy(m: Metaposition, planes: np.ndarray, c: Constants) -> float:
    """The sum of cost × age / 30 over all ghosts; `planes: u8[5]` is overwritten."""
    slice_ages(m, planes)
    total = 0.0
    for rank in range(8):
        pawns = m.ghosts[PAWN] & (np.uint64(0xFF) << np.uint64(8 * rank))
        if pawns != ZERO:
            total += c.pawn_entropy[rank] * sum_ages(planes, pawns)
    for kind in range(KNIGHT, KING + 1):
        if m.ghosts[kind] != ZERO:
            total += c.entropy[kind] * sum_ages(planes, m.ghosts[kind])
    return total / c.age_scale
