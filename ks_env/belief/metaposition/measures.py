"""What a metaposition says of the board, and how much it leaves open.

Entropy (M07 §4.3) rests on the age matrix; the constants are the figures of a published implementation, since
M07 gives none: the sum over all squares and kinds of cost times age / 30, the cost of a pawn by its rank as
the seat sees it, so that a pawn next to promotion weighs most.
"""

import numpy as np

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import has
from ks_env.core.jit import kernel
from ks_env.core.record import f8
from ks_env.core.tables import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

AGE_SCALE = 30.0
PAWN_COSTS = (0.0, 2.0, 1.0, 0.25, 0.1, 0.05, 0.02, 0.0)  # by rank 1..8 of the seat


def _costs() -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    costs = np.zeros((7, 64))
    for kind, cost in ((KNIGHT, 0.01), (BISHOP, 0.01), (ROOK, 0.02), (QUEEN, 0.025), (KING, 0.005)):
        costs[kind] = cost
    costs[PAWN] = np.repeat(PAWN_COSTS, 8)
    return costs


COSTS = _costs()  # f8[7, 64]: entry 0 unused


@kernel
def possible(m: Metaposition) -> np.uint64:
    """Squares where an opponent's man of any kind may stand."""
    g = m.ghosts
    return g[1] | g[2] | g[3] | g[4] | g[5] | g[6]


@kernel
def possible_but_king(m: Metaposition) -> np.uint64:
    """Squares where an opponent's man other than the king may stand."""
    g = m.ghosts
    return g[1] | g[2] | g[3] | g[4] | g[5]


@kernel
def certain(m: Metaposition) -> np.uint64:
    """Squares that are certainly occupied by the opponent."""
    return ~(m.ghosts[0] | m.own[0])


@kernel
def square_entropy(m: Metaposition, square: int) -> float:
    """The square's share of the entropy."""
    cost = 0.0
    for kind in range(1, 7):
        if has(m.ghosts[kind], square):
            cost += COSTS[kind, square]
    return cost * f8(m.age[square]) / AGE_SCALE


@kernel
def entropy(m: Metaposition) -> float:
    """Chessboard entropy E of M07 §4.3."""
    total = 0.0
    for square in range(64):
        if m.age[square] != 0:
            total += square_entropy(m, square)
    return total
