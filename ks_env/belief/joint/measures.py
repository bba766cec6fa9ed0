"""What a joint distribution says: entropy, marginals, and how sure it is of the truth."""

import math

import numpy as np

from ks_env.belief.joint.layout import GONE, Joint
from ks_env.core.jit import kernel
from ks_env.games.invisible.layout import NUMBERS


@kernel
def entropy_of(weights: np.ndarray, count: int) -> float:
    """H = -sum p log2 p of the first `count` weights, in bits (I01 §6.1, equation 2), scaled to add to 1."""
    total, found = 0.0, 0.0
    for i in range(count):
        total += weights[i]
    for i in range(count):
        if weights[i] > 0.0:
            p = weights[i] / total
            found -= p * math.log2(p)
    return found


@kernel
def write_marginals(joint: Joint, out: np.ndarray) -> None:
    """Write each hidden man's chance of each square to `out: f8[NUMBERS, 64]`, whole."""
    out[:, :] = 0.0
    for i in range(joint.count):
        for n in range(1, NUMBERS):
            if joint.squares[i, n] < GONE:
                out[n, joint.squares[i, n]] += joint.weight[i]


@kernel
def weight_of(joint: Joint, row: np.ndarray) -> float:
    """The weight of the boards with these squares, `row: u1[NUMBERS]`; 0 where it is deemed impossible."""
    found = 0.0
    for i in range(joint.count):
        same = True
        for n in range(1, NUMBERS):
            if joint.squares[i, n] != row[n]:
                same = False
        if same:
            found += joint.weight[i]
    return found
