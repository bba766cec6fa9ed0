"""Bit twiddling on 64-bit boards: bit i is square i, a1 = 0, h8 = 63.

`uint64` mixed with a signed integer becomes float64 in Numba, so every helper casts at its border.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.extending import intrinsic

from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8

ONE = np.uint64(1)
ZERO = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@intrinsic  # type: ignore[untyped-decorator]
def popcount(_context: Any, value: Any) -> Any:
    """Number of bits set: u8 -> i8."""

    def codegen(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def lowest(_context: Any, value: Any) -> Any:
    """Index of the lowest bit set: u8 -> i8; 64 for none."""

    def codegen(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def leading_zeros(_context: Any, value: Any) -> Any:
    """Number of zero bits above the highest one: u8 -> u8."""

    def codegen(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def flip(_context: Any, value: Any) -> Any:
    """Mirror the ranks (square ^ 56): u8 -> u8."""

    def codegen(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.bswap(args[0])

    return types.uint64(types.uint64), codegen


@kernel
def bit(square: int) -> np.uint64:
    """The board with one square set."""
    return ONE << np.uint64(square)


@kernel
def has(board: np.uint64, square: int) -> bool:
    """Whether the square is set."""
    return (board >> np.uint64(square)) & ONE != ZERO


@kernel
def without_lowest(board: np.uint64) -> np.uint64:
    """The board less its lowest square."""
    return board & (board - ONE)


@kernel
def nth_square(board: np.uint64, n: int) -> int:
    """Square number n of the board, counted from 0; 64 if it has fewer."""
    for _ in range(n):
        board = without_lowest(board)
    return lowest(board)


@kernel
def next_random(state: np.ndarray, stream: int) -> np.uint64:
    """SplitMix64: advance `state[stream]` and give 64 random bits."""
    state[stream] += np.uint64(0x9E3779B97F4A7C15)
    z = state[stream]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def random_share(state: np.ndarray, stream: int) -> float:
    """A random number in [0, 1)."""
    return f4(next_random(state, stream) >> np.uint64(40)) * f4(2.0**-24)


@kernel
def random_below(state: np.ndarray, stream: int, n: int) -> int:
    """A random integer in [0, n), n < 2**32; the bias is below n / 2**32."""
    high = next_random(state, stream) >> np.uint64(32)
    return i8((high * np.uint64(n)) >> np.uint64(32))
