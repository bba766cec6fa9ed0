"""What a board chooses of a table, without a loop over its squares where the processor can.

The end of a loop over the squares of a board is what no processor foresees, and costs more than all that is
done in it. With AVX-512 a whole board is dealt with at once; elsewhere the loop is run.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.extending import intrinsic

VECTORS = ("+avx512vbmi2", "+avx512bw", "+bmi2")  # of a processor that has all that is used here


def _by_vectors(context: Any) -> bool:
    features = context.codegen()._tm_features.split(",")
    return all(feature in features for feature in VECTORS)


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
        put = _put_by_vectors if _by_vectors(context) else _put_one_by_one
        return put(builder, entries, args[2], written, args[4])

    return types.intp(table, types.intp, types.uint64, out, types.intp), codegen


def _put_by_vectors(builder: Any, entries: Any, board: Any, out: Any, place: Any) -> Any:
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
    end = cgutils.alloca_once_value(builder, place)

    def put(square: Any) -> None:
        at = builder.load(end)
        builder.store(builder.load(builder.gep(entries, [square])), builder.gep(out, [at]))
        builder.store(builder.add(at, ir.IntType(64)(1)), end)

    _for_each(builder, board, put)
    return builder.load(end)


@intrinsic  # type: ignore[untyped-decorator]
def mark_chosen(_context: Any, table: Any, firsts: Any, reaches: Any, row: Any, board: Any, mask: Any) -> Any:
    """`mask[table[row, s]] = 1` for the squares s of the board.

    Args:
        table: i2[K, 64], C-contiguous; a row has the numbers from `firsts[row]` on, growing with the squares.
        firsts: i8[K].
        reaches: u8[K]: the squares that have a number in the row; the board lies within.
        row: which row.
        board: u8.
        mask: i1[n], C-contiguous, longer than any number in the table.
    """
    if table.dtype != types.int16 or mask.layout != "C" or mask.dtype != types.int8:
        raise TypingError(f"{table} and {mask}; expected i2[K, 64] and a C-contiguous i1[n]")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        entries, first, reach, marks = (
            context.make_array(signature.args[i])(context, builder, args[i]).data for i in (0, 1, 2, 5)
        )
        word = ir.IntType(64)
        if _by_vectors(context):
            extract = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pext.64"
            )
            squares = builder.load(builder.gep(reach, [args[3]]))
            start = builder.gep(marks, [builder.load(builder.gep(first, [args[3]]))])
            _set_where(builder, start, builder.call(extract, [args[4], squares]), 1)
        else:
            entries = builder.gep(entries, [builder.mul(args[3], word(64))])

            def mark(square: Any) -> None:
                number = builder.sext(builder.load(builder.gep(entries, [square])), word)
                builder.store(ir.IntType(8)(1), builder.gep(marks, [number]))

            _for_each(builder, args[4], mark)
        return context.get_dummy_value()

    return types.none(table, firsts, reaches, types.intp, types.uint64, mask), codegen


@intrinsic  # type: ignore[untyped-decorator]
def clear_where(_context: Any, words: Any, mask: Any) -> Any:
    """`mask[i] = 0` where bit i of `words: u8[W]` is set; `mask: i1[n]` is C-contiguous and has such i."""
    if mask.layout != "C" or mask.dtype != types.int8 or words.dtype != types.uint64:
        raise TypingError(f"{words} and {mask}; expected u8[W] and a C-contiguous i1[n]")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given = context.make_array(signature.args[0])(context, builder, args[0])
        marks = context.make_array(signature.args[1])(context, builder, args[1]).data
        with cgutils.for_range(builder, cgutils.unpack_tuple(builder, given.shape, 1)[0]) as loop:
            start = builder.gep(marks, [builder.mul(loop.index, ir.IntType(64)(64))])
            bits = builder.load(builder.gep(given.data, [loop.index]))
            if _by_vectors(context):
                _set_where(builder, start, bits, 0)
            else:
                _for_each(builder, bits, lambda i: builder.store(ir.IntType(8)(0), builder.gep(start, [i])))
        return context.get_dummy_value()

    return types.none(words, mask), codegen


def _set_where(builder: Any, start: Any, bits: Any, value: int) -> None:
    """Write a value to the bytes from `start` on whose bits are set; no other byte is touched."""
    block, which = ir.VectorType(ir.IntType(8), 64), ir.VectorType(ir.IntType(1), 64)
    place = builder.bitcast(start, block.as_pointer())
    kind = ir.FunctionType(ir.VoidType(), [block, place.type, ir.IntType(32), which])
    store = cgutils.get_or_insert_function(builder.module, kind, "llvm.masked.store.v64i8.p0")
    builder.call(
        store, [ir.Constant(block, [value] * 64), place, ir.IntType(32)(1), builder.bitcast(bits, which)]
    )


def _for_each(builder: Any, board: Any, act: Any) -> None:
    """Do what `act` does for each square of the board, ascending."""
    left = cgutils.alloca_once_value(builder, board)
    with cgutils.loop_nest(builder, [builder.ctpop(board)], ir.IntType(64)):
        now = builder.load(left)
        act(builder.cttz(now, ir.Constant(ir.IntType(1), 1)))
        builder.store(builder.and_(now, builder.sub(now, ir.IntType(64)(1))), left)
