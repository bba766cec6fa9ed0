"""Rows of structured arrays on memory of their own."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.core.record import Array


def rows_of(rows: Array, index: Any) -> Any:
    """Rows on fresh memory, with zeros between the fields; for one row, np.void.

    NumPy copies a structured array field by field, by `copy` or an index, and leaves between the fields what
    was there: remnants of other records, which are not for the players that a row may be handed to.

    Args:
        rows: a structured array.
        index: of it.
    """
    size = rows.dtype.itemsize
    whole = np.dtype((np.void, size))
    taken = rows.view(whole)[index]
    found = np.empty(np.shape(taken), rows.dtype)
    found.view(whole)[...] = taken
    found.reshape(-1).view(np.uint8).reshape(-1, size)[:, gaps(rows.dtype)] = 0
    return found if found.ndim else found[()]


@cache
def gaps(dtype: np.dtype[Any]) -> npt.NDArray[np.intp]:
    """Which bytes of a record are between its fields or after them."""
    taken = np.zeros(dtype.itemsize, bool)
    for name in dtype.names or ():
        kind, start = dtype.fields[name][:2]  # type: ignore[index]
        taken[start : start + kind.itemsize] = True
    return np.flatnonzero(~taken)
