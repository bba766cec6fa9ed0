"""A few boards that stand for a joint distribution: systematic resampling, so that likely ones are surely in.

The Maximiser asks each advisor "across as many boards as possible in the available time" (I01 §4).
"""

from typing import Any, NamedTuple

import numpy as np

from ks_env.core.jit import kernel
from ks_env.core.record import i4

Array = np.ndarray[Any, Any]


class Sample(NamedTuple):
    """Boards of a distribution that advisors look at."""

    joint: Any  # the record of the distribution
    truths: Array  # TRUTH[3]: the first holds what all boards share, the others are overwritten
    chosen: Array  # i4[B]: numbers of boards
    shares: Array  # f8[B]: their probabilities
    boards: int  # how many of them


@kernel
def sample_boards(
    weight: np.ndarray, count: int, most: int, at: float, chosen: np.ndarray, shares: np.ndarray
) -> int:
    """Choose boards and their shares; how many.

    When there are no more than `most` all are taken with their own weights. Else as many draws are made at
    equal distances of cumulated weight, from the offset `at` in [0, 1); a board drawn twice has twice the
    share.

    Args:
        weight: f8[B], adding up to 1 over the first `count`.
        count: how many boards there are.
        most: how many may be taken.
        at: the offset.
        chosen: i4[most], filled with their numbers.
        shares: f8[most], filled; adding up to 1.
    """
    if count <= most:
        for i in range(count):
            chosen[i] = i4(i)
            shares[i] = weight[i]
        return count
    found, left, total, step = 0, most, 0.0, 1.0 / most
    threshold = at * step
    for i in range(count):
        total += weight[i]
        drawn = 0
        while left > 0 and (threshold < total or i == count - 1):  # the sums are rounded, the draws counted
            threshold += step
            drawn += 1
            left -= 1
        if drawn > 0:
            chosen[found] = i4(i)
            shares[found] = drawn * step
            found += 1
    return found
