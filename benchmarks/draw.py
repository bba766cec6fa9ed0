"""Uniform draws from action masks."""

from typing import Any

import numpy as np

from ks_env.core.bits import ZERO, bit, lowest, popcount, random_below, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.memory import nonzero_bits, uncounted

Array = np.ndarray[Any, Any]
WORD = 64


@kernel
def _pack(mask: Array, words: Array) -> int:
    """The mask as bits, 64 to a word of `words: u8[A // 64 + 1]`; how many are set."""
    whole = mask.shape[0] // WORD
    allowed = 0
    for w in range(whole):
        word = nonzero_bits(mask, w * WORD)
        words[w] = word
        allowed += popcount(word)
    word = ZERO
    for i in range(whole * WORD, mask.shape[0]):
        if mask[i] != 0:
            word |= bit(i & (WORD - 1))
    words[whole] = word
    return allowed + popcount(word)


@kernel
def _find(words: Array, left: int) -> int:
    """Place of the set bit that has `left` set bits below it."""
    w = 0
    here = popcount(words[0])
    while left >= here:
        left -= here
        w += 1
        here = popcount(words[w])
    word = words[w]
    for _ in range(left):
        word = without_lowest(word)
    return w * WORD + lowest(word)


@kernel
def random_actions(masks: Array, random: Array, actions: Array) -> None:
    """Draw one allowed action a row, uniformly.

    Args:
        masks: i1[N, A], C-contiguous; 0 where an action is not allowed.
        random: u8[1], the stream.
        actions: i8[N], overwritten; 0 in a row without any allowed action.
    """
    masks, random = uncounted(masks), uncounted(random)
    words = np.empty(masks.shape[1] // WORD + 1, np.uint64)
    for i in range(masks.shape[0]):
        allowed = _pack(masks[i], words)
        actions[i] = 0
        if allowed > 0:
            actions[i] = _find(words, random_below(random, 0, allowed))


@kernel
def random_tries(tries: Array, random: Array, actions: Array) -> None:
    """Draw one of the listed actions a row, uniformly.

    Args:
        tries: i2[N, M], C-contiguous, -1 after the last of a row.
        random: u8[1], the stream.
        actions: i8[N], overwritten; -1 in a row without any.
    """
    tries, random = uncounted(tries), uncounted(random)
    for i in range(tries.shape[0]):
        count = 0
        for j in range(tries.shape[1]):
            count += tries[i, j] >= 0
        actions[i] = tries[i, random_below(random, 0, max(count, 1))]
