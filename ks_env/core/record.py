"""Records: one declaration gives the dtype of an array and the type that mypy holds its rows to.

    class Point(Record):
        "Where something is."

        square: int = field("u1")  # a1 = 0
        boards: Array = field("u8", (7,))  # by kind

    POINT = dtype_of(Point)

`np.zeros(3, POINT)` is an array of three such rows. A kernel that is written for a `Point` refuses any other
record under mypy; Numba reads the fields as attributes. `i8`, `u1`, ... make machine integers in kernels,
which mypy takes for plain numbers.
"""

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

Array = np.ndarray[Any, Any]

if TYPE_CHECKING:
    i8 = i4 = i2 = i1 = u8 = u2 = u1 = int
    f4 = f8 = float
else:  # u8 has no sign: as an index it is never taken from the end
    i8, i4, i2, i1 = np.int64, np.int32, np.int16, np.int8
    u8, u2, u1 = np.uint64, np.uint16, np.uint8
    f4, f8 = np.float32, np.float64


class _Field(NamedTuple):
    kind: Any
    shape: tuple[int | str, ...]


def field(kind: str | np.dtype[Any], shape: tuple[int | str, ...] = ()) -> Any:
    """A field of a record.

    Args:
        kind: dtype of one element.
        shape: of the field; a length may be the name of a size that `dtype_of` is given.
    """
    return _Field(kind, shape)


class Record:
    """A row of a structured array, as kernels see it. Never made: rows come from arrays."""

    if TYPE_CHECKING:  # what Python asks of a row

        def __getitem__(self, name: str) -> Any:
            """A field."""

        def __setitem__(self, name: str, value: Any) -> None:
            """Write a field."""

        def copy(self) -> Self:
            """The row on fresh memory."""

        def tobytes(self) -> bytes:
            """Its bytes."""


def dtype_of(record: type[Record], **sizes: int) -> np.dtype[Any]:
    """The dtype that a record declares, aligned.

    Args:
        record: the class; fields are in the order of their declaration, those of its bases first.
        **sizes: lengths that the declaration names.
    """
    fields: dict[str, _Field] = {}
    for base in reversed(record.__mro__):
        fields |= {name: value for name, value in vars(base).items() if isinstance(value, _Field)}
    return np.dtype(
        [
            (name, kind, tuple(sizes[n] if isinstance(n, str) else n for n in shape))
            if shape
            else (name, kind)
            for name, (kind, shape) in fields.items()
        ],
        align=True,
    )
