"""Sums of ages over any set of squares, by counting bits.

The ages of the 64 squares are turned into five boards, one for each binary digit, so that a sum over a board
takes five counts of bits instead of a walk over its squares:

    age of a square = bit 0 + 2 · bit 1 + 4 · bit 2 + 8 · bit 3 + 16 · bit 4,   31 at most

An age of 30 stands for full danger (figures of a published implementation), so that 31 loses nothing.
"""

import numpy as np

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import popcount
from ks_env.core.jit import kernel

DIGITS = 5
LOW_BITS = np.uint64(0x0101010101010101)
GATHER = np.uint64(0x0102040810204080)  # moves the low bits of eight bytes into one byte
TOP = np.uint64(56)


@kernel
def slice_ages(m: Metaposition, planes: np.ndarray) -> None:
    """Write the digits of `m.age` to `planes: u8[5]`."""
    words = m.age.view(np.uint64)
    for digit in range(DIGITS):
        planes[digit] = np.uint64(0)
    for rank in range(8):
        word = words[rank]
        full = (word >> np.uint64(5)) | (word >> np.uint64(6)) | (word >> np.uint64(7))
        for digit in range(DIGITS):
            bits = ((word >> np.uint64(digit)) | full) & LOW_BITS
            planes[digit] |= ((bits * GATHER) >> TOP) << np.uint64(8 * rank)


@kernel
def sum_ages(planes: np.ndarray, board: np.uint64) -> int:
    """The sum of ages over the board."""
    return (
        popcount(planes[0] & board)
        + (popcount(planes[1] & board) << 1)
        + (popcount(planes[2] & board) << 2)
        + (popcount(planes[3] & board) << 3)
        + (popcount(planes[4] & board) << 4)
    )
