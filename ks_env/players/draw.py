"""Uniform draws from action masks."""

from typing import Any

import numpy as np

from ks_env.core.bits import random_below
from ks_env.core.jit import kernel

Array = np.ndarray[Any, Any]
BLOCK = 64


@kernel
def _sum_block(mask: Array, first: int) -> int:
    """Allowed actions among `BLOCK` from `first` on; few enough to be added up in bytes."""
    block = mask[first : first + BLOCK]
    total = np.uint8(0)
    for i in range(block.shape[0]):
        total = np.uint8(total + np.uint8(block[i]))
    return np.int64(total)


@kernel
def random_actions(masks: Array, random: Array, actions: Array) -> None:
    """Draw one allowed action a row, uniformly.

    Args:
        masks: i1[N, A], 0 or 1.
        random: u8[1], the stream.
        actions: i8[N], overwritten; 0 in a row without any allowed action.
    """
    size = masks.shape[1]
    sums = np.empty((size + BLOCK - 1) // BLOCK, np.int64)
    for i in range(masks.shape[0]):
        mask = masks[i]
        allowed = 0
        for b in range(sums.shape[0]):
            sums[b] = _sum_block(mask, b * BLOCK)
            allowed += sums[b]
        actions[i] = 0
        if allowed == 0:
            continue
        left = random_below(random, 0, allowed)
        b = 0
        while left >= sums[b]:
            left -= sums[b]
            b += 1
        for a in range(b * BLOCK, min((b + 1) * BLOCK, size)):
            left -= np.int64(mask[a])
            if left < 0:
                actions[i] = a
                break
