"""Numbers that several threads read and write, in an `i8[n]`; no read or write is moved past another."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.extending import intrinsic

LINE = 8  # numbers in what processors hand to each other at once: two that are written apart are to be apart


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.gep(data, [args[1]])


@intrinsic  # type: ignore[untyped-decorator]
def read(_context: Any, numbers: Any, place: Any) -> Any:
    """`numbers[place]`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_place(context, builder, signature, args), "seq_cst", 8)

    return types.int64(numbers, types.intp), codegen


@intrinsic  # type: ignore[untyped-decorator]
def write(_context: Any, numbers: Any, place: Any, value: Any) -> Any:
    """`numbers[place] = value`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _place(context, builder, signature, args), "seq_cst", 8)
        return context.get_dummy_value()

    return types.none(numbers, types.intp, types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def add(_context: Any, numbers: Any, place: Any, value: Any) -> Any:
    """`numbers[place] += value`; what it was before."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _place(context, builder, signature, args), args[2], "seq_cst")

    return types.int64(numbers, types.intp, types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def breathe(_context: Any) -> Any:
    """Tell the processor that the thread only waits."""

    def codegen(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        if builder.module.triple.startswith(("x86_64", "i686", "amd64")):
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause"), [])
        return context.get_dummy_value()

    return types.none(), codegen
