"""Arrays whose references nobody counts, for loops over rows.

Numba counts the references to an array with atomic instructions, one pair for each slice and one for each
function that takes the array. For one row of a batch that is as much work as judging a try. The arrays made
here have no count: whatever slices of them are passed on costs nothing.
"""

import functools
from functools import cache
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.extending import intrinsic

MOST_TRIES = 512  # no set of 16 men has as many, by 64


def _drop_count(array: Any) -> Any:
    array.meminfo = cgutils.get_null_value(array.meminfo.type)
    array.parent = cgutils.get_null_value(array.parent.type)
    return array._getvalue()


def _new_array(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any]) -> Any:
    """A C-contiguous array without a count on the data; the lengths are values in the kernel."""
    array = context.make_array(kind)(context, builder)
    steps = [context.get_constant(types.intp, kind.dtype.bitwidth // 8)]
    for length in reversed(shape):
        steps.insert(0, builder.mul(length, steps[0]))
    array.data = builder.bitcast(data, array.data.type)
    array.itemsize = steps[-1]
    array.nitems = functools.reduce(builder.mul, shape)
    array.shape = cgutils.pack_array(builder, shape)
    array.strides = cgutils.pack_array(builder, steps[1:])
    return _drop_count(array)


@intrinsic  # type: ignore[untyped-decorator]
def uncounted(_context: Any, value: Any) -> Any:
    """The same array, or named tuple of arrays.

    Only for what the caller of the kernel keeps alive while it runs: its arguments.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        if isinstance(kind, types.Array):
            return _drop_count(context.make_array(kind)(context, builder, args[0]))
        arrays = cgutils.unpack_tuple(builder, args[0], len(kind))
        bare = [
            _drop_count(context.make_array(k)(context, builder, a)) for k, a in zip(kind, arrays, strict=True)
        ]
        return context.make_tuple(builder, kind, bare)

    return value(value), codegen


@intrinsic  # type: ignore[untyped-decorator]
def scratch_for_tries(_context: Any) -> Any:
    """An uninitialised `i2[MOST_TRIES]` on the stack of the calling kernel."""
    kind = types.Array(types.int16, 1, "C")

    def codegen(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        data = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(16), MOST_TRIES))
        return _new_array(context, builder, kind, data, [context.get_constant(types.intp, MOST_TRIES)])

    return kind(), codegen


@cache
def scratch_for_planes(count: int) -> Any:
    """An intrinsic (): uninitialised planes `u1[count, 64]` on the stack of the calling kernel."""

    @intrinsic  # type: ignore[untyped-decorator]
    def scratch(_context: Any) -> Any:
        kind = types.Array(types.uint8, 2, "C")

        def codegen(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
            data = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(8), count * 64))
            shape = [context.get_constant(types.intp, length) for length in (count, 64)]
            return _new_array(context, builder, kind, data, shape)

        return kind(), codegen

    return scratch


@intrinsic  # type: ignore[untyped-decorator]
def copy_board(_context: Any, source: Any, out: Any, plane: Any) -> Any:
    """`out[plane] = source` for `source: u1[64]` and a C-contiguous `out: u1[C, 64]`, in one move.

    A loop would go byte by byte, since the two might overlap.
    """
    if out.layout != "C" or out.ndim != 2 or out.dtype != types.uint8 or source.dtype != types.uint8:
        raise TypingError(f"{source} and {out}; expected u1[64] and a C-contiguous u1[C, 64]")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given = context.make_array(signature.args[0])(context, builder, args[0])
        array = context.make_array(signature.args[1])(context, builder, args[1])
        place = builder.mul(args[2], context.get_constant(types.intp, 64))
        start = builder.gep(array.data, [place])
        cgutils.raw_memmove(builder, start, given.data, context.get_constant(types.intp, 64), 1)
        return context.get_dummy_value()

    return types.none(source, out, types.intp), codegen


@intrinsic  # type: ignore[untyped-decorator]
def nonzero_bits(_context: Any, array: Any, first: Any) -> Any:
    """Which of the 64 bytes from `first` on of a C-contiguous byte array are not 0: u8, bit i for byte i."""
    if array.layout != "C" or array.ndim != 1 or array.dtype.bitwidth != 8:
        raise TypingError(f"{array}; expected a C-contiguous array of bytes")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        block = ir.VectorType(ir.IntType(8), 64)
        place = builder.bitcast(builder.gep(data, [args[1]]), block.as_pointer())
        loaded = builder.load(place, align=1)
        bits = builder.icmp_unsigned("!=", loaded, ir.Constant(block, None))
        return builder.bitcast(bits, ir.IntType(64))

    return types.uint64(array, types.intp), codegen


@intrinsic  # type: ignore[untyped-decorator]
def spread_bits(_context: Any, board: Any, out: Any, plane: Any) -> Any:
    """`out[plane, s]` = 1 where bit s of the board is set, else 0, for a C-contiguous `out: u1[C, 64]`.

    A loop would go bit by bit.
    """
    if out.layout != "C" or out.ndim != 2 or out.dtype != types.uint8 or board != types.uint64:
        raise TypingError(f"{board} and {out}; expected u8 and a C-contiguous u1[C, 64]")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[1])(context, builder, args[1])
        start = builder.gep(array.data, [builder.mul(args[2], context.get_constant(types.intp, 64))])
        bits = builder.bitcast(args[0], ir.VectorType(ir.IntType(1), 64))
        block = ir.VectorType(ir.IntType(8), 64)
        builder.store(builder.zext(bits, block), builder.bitcast(start, block.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.none(board, out, types.intp), codegen


@intrinsic  # type: ignore[untyped-decorator]
def planes_of(_context: Any, out: Any, row: Any) -> Any:
    """`out[row]` of `out: u1[M, K, 8, 8]` as u1[K, 64], C-contiguous, its references not counted.

    Only for arrays whose rows are contiguous, whatever lies between them, and that the caller of the kernel
    keeps alive while it runs.
    """
    if out.ndim != 4 or out.dtype != types.uint8 or not out.mutable:
        raise TypingError(f"{out}; expected a writeable u1[M, K, 8, 8]")
    kind = types.Array(types.uint8, 2, "C")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given = context.make_array(signature.args[0])(context, builder, args[0])
        step, *_ = cgutils.unpack_tuple(builder, given.strides, 4)
        _, planes, *_ = cgutils.unpack_tuple(builder, given.shape, 4)
        data = builder.gep(given.data, [builder.mul(args[1], step)])
        return _new_array(context, builder, kind, data, [planes, context.get_constant(types.intp, 64)])

    return kind(out, types.intp), codegen
