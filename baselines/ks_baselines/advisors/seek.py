"""The move seek advisor: what a try is expected to tell of the opponent's hidden men (Bud et al. 2001, §6.2).

The projected decrease in entropy for each outcome, times the outcome's probability: since the board decides
the outcome, this is the entropy of the outcomes themselves.
"""

import math

import numpy as np

from ks_baselines.advisors.outcomes import lay_out, told_by
from ks_env.belief.joint.layout import Joint
from ks_env.core.jit import kernel
from ks_env.core.record import i8

MOST_OUTCOMES = 64


@kernel
def _entropy(shares: np.ndarray, count: int) -> float:
    found = 0.0
    for i in range(count):
        if shares[i] > 0.0:
            found -= shares[i] * math.log2(shares[i])
    return max(found, 0.0)  # of a single outcome the share may be a little above 1


@kernel
def expected_gains(
    joint: Joint,
    truths: np.ndarray,
    chosen: np.ndarray,
    shares: np.ndarray,
    boards: int,
    tries: np.ndarray,
    words: np.ndarray,
    sums: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill `out: f8[K]` with the expected decrease of entropy by each try, in bits, never negative.

    Args:
        joint, truths, chosen, shares, boards: a `Sample`.
        tries: i2[K].
        words: u8[K, MOST_OUTCOMES], overwritten; so is `sums: f8[K, MOST_OUTCOMES]`.
        sums: see `words`.
        out: f8[K].
    """
    count = tries.shape[0]
    for i in range(count):
        out[i] = 0.0  # holds the number of outcomes until the end
    for k in range(boards):
        at = i8(chosen[k])
        passed = lay_out(joint, at, truths)
        for i in range(count):
            word = told_by(truths, 1, joint.squares[at], passed, i8(tries[i]))
            found = i8(out[i])
            j = 0
            while j < found and words[i, j] != word:
                j += 1
            if j == found and found < MOST_OUTCOMES:
                words[i, j] = word
                sums[i, j] = 0.0
                out[i] += 1.0
            sums[i, min(j, MOST_OUTCOMES - 1)] += shares[k]  # what finds no room joins the last
    for i in range(count):
        out[i] = _entropy(sums[i], i8(out[i]))
