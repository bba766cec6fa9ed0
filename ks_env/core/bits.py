"""Bit twiddling on 64-bit boards: bit i is square i, a1 = 0, h8 = 63.

`uint64` mixed with a signed integer becomes float64 in Numba, so every helper casts at its border.
"""

from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.extending import intrinsic

from ks_env.core.jit import inlined, kernel
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

    def codegen(ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def leading_zeros(_context: Any, value: Any) -> Any:
    """Number of zero bits above the highest one: u8 -> u8."""

    def codegen(ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        from llvmlite import ir

        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def flip(_context: Any, value: Any) -> Any:
    """Mirror the ranks (square ^ 56): u8 -> u8."""

    def codegen(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.bswap(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def put_chosen(_context: Any, table: Any, row: Any, board: Any, out: Any, place: Any) -> Any:
    """Write `table[row, s]` for the squares s of the board, ascending, from `out[place]` on; where they end.

    `table: i2[K, 64]` and `out: i2[n]` are C-contiguous. Up to 64 entries of `out` from `place` on may be
    overwritten, however few are chosen. Where the processor can, it is two instructions and no loop, whose
    end no processor can foresee.
    """
    if table.layout != "C" or out.layout != "C" or table.dtype != types.int16 or out.dtype != types.int16:
        raise TypingError(f"{table} and {out}; expected C-contiguous i2[K, 64] and i2[n]")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        entries = context.make_array(signature.args[0])(context, builder, args[0]).data
        entries = builder.gep(entries, [builder.mul(args[1], context.get_constant(types.intp, 64))])
        written = context.make_array(signature.args[3])(context, builder, args[3]).data
        put = _put_by_vectors if "+avx512vbmi2" in context.codegen()._tm_features else _put_one_by_one
        return put(builder, entries, args[2], written, args[4])

    return types.intp(table, types.intp, types.uint64, out, types.intp), codegen


def _put_by_vectors(builder: Any, entries: Any, board: Any, out: Any, place: Any) -> Any:
    from llvmlite import ir

    word, half = ir.IntType(64), ir.VectorType(ir.IntType(16), 32)
    which = ir.VectorType(ir.IntType(1), 32)
    compress = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(half, [half, half, which]), "llvm.x86.avx512.mask.compress.v32i16"
    )
    for first in (0, 32):
        chosen = builder.trunc(builder.lshr(board, word(first)), ir.IntType(32))
        start = builder.bitcast(builder.gep(entries, [word(first)]), half.as_pointer())
        given = [builder.load(start, align=2), ir.Constant(half, None), builder.bitcast(chosen, which)]
        end = builder.bitcast(builder.gep(out, [place]), half.as_pointer())
        builder.store(builder.call(compress, given), end, align=2)
        place = builder.add(place, builder.zext(builder.ctpop(chosen), word))
    return place


def _put_one_by_one(builder: Any, entries: Any, board: Any, out: Any, place: Any) -> Any:
    from llvmlite import ir

    word = ir.IntType(64)
    left, end = cgutils.alloca_once_value(builder, board), cgutils.alloca_once_value(builder, place)
    with cgutils.loop_nest(builder, [builder.ctpop(board)], word):
        now, at = builder.load(left), builder.load(end)
        square = builder.cttz(now, ir.Constant(ir.IntType(1), 1))
        builder.store(builder.load(builder.gep(entries, [square])), builder.gep(out, [at]))
        builder.store(builder.and_(now, builder.sub(now, word(1))), left)
        builder.store(builder.add(at, word(1)), end)
    return builder.load(end)


@inlined
def bit(square: int) -> np.uint64:
    """The board with one square set."""
    return ONE << np.uint64(square)


@inlined
def has(board: np.uint64, square: int) -> bool:
    """Whether the square is set."""
    return (board >> np.uint64(square)) & ONE != ZERO


@inlined
def without_lowest(board: np.uint64) -> np.uint64:
    """The board less its lowest square."""
    return board & (board - ONE)


@inlined
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


@inlined
def random_below(state: np.ndarray, stream: int, n: int) -> int:
    """A random integer in [0, n), n < 2**32; the bias is below n / 2**32."""
    high = next_random(state, stream) >> np.uint64(32)
    return i8((high * np.uint64(n)) >> np.uint64(32))
