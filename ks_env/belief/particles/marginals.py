"""How likely men are on each square, by the weights of the boards."""

import numpy as np

from ks_env.belief.particles.layout import KINDS
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel


@kernel
def write_kinds(men: np.ndarray, weight: np.ndarray, count: int, out: np.ndarray) -> None:
    """Write the chance of each kind on each square, entry 0 that of any man.

    Args:
        men: u8[N, KINDS], the opponent's men by kind.
        weight: f8[N].
        count: how many boards.
        out: f8[KINDS, 64], overwritten.
    """
    out[:, :] = 0.0
    for i in range(count):
        for kind in range(1, KINDS):
            left = men[i, kind]
            while left != ZERO:
                square = lowest(left)
                left = without_lowest(left)
                out[kind, square] += weight[i]
                out[0, square] += weight[i]
