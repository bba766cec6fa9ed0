"""The state of a batch as arrays: saved, checked, and put back."""

from typing import Any, cast
from zlib import crc32

import numpy as np

from ks_env.core.record import Array
from ks_env.envs.batch import Batch

STATE = ("games", "history", "seats", "ended", "tally", "memory")  # fields of Batch that change in play


def _checksum(array: Array, before: int) -> int:
    """CRC-32 of what went before and of the array, field by field: what lies between fields is not copied."""
    if array.dtype.names is None:
        return crc32(np.ascontiguousarray(array).tobytes(), before)
    for name in array.dtype.names:
        before = _checksum(array[name], before)
    return before


def _checksum_of(batch: Batch, state: dict[str, Array]) -> Array:
    """Of a state's arrays and the rules that they are under: u4[1]."""
    found = _checksum(batch.rules, 0)
    for name in STATE:
        found = _checksum(state[name], found)
    return np.array([found], np.uint32)


def saved(batch: Batch) -> dict[str, Array]:
    """Copies of the arrays that later steps depend on, with their checksum."""
    state = {name: getattr(batch, name).copy() for name in STATE}
    return state | {"checksum": _checksum_of(batch, state)}


def put_back(batch: Batch, state: dict[str, Array]) -> None:
    """Go on from what `saved` gave.

    Raises:
        ValueError: it is of another shape, version or ruleset, or not as it was saved: kernels would read
            memory that is not theirs.
    """
    parts, given = {*STATE, "checksum"}, cast(Any, state)
    if not isinstance(given, dict) or set(given) != parts:
        found = sorted(map(str, given)) if isinstance(given, dict) else repr(given)[:80]
        raise ValueError(f"saved state has the parts {found}; expected {sorted(parts)}")
    for name in STATE:
        own, array = getattr(batch, name), state[name]
        if not isinstance(array, np.ndarray):
            raise ValueError(f"saved state {name!r} is a {type(array).__name__}; expected an array")
        if own.shape == array.shape and own.itemsize == array.itemsize and own.dtype != array.dtype:
            raise ValueError(f"saved state {name!r} has other fields: it is of another version")
        if own.dtype != array.dtype or own.shape != array.shape:
            raise ValueError(
                f"saved state {name!r} is {list(array.shape)} of {array.dtype.itemsize} bytes; "
                f"expected {list(own.shape)} of {own.dtype.itemsize} bytes in this version"
            )
    if not np.array_equal(state["checksum"], _checksum_of(batch, state)):
        raise ValueError("saved state is of another ruleset, or its arrays are not as they were saved")
    if state["games"]["truth"]["start"].max() >= len(batch.starts):
        raise ValueError(f"saved state has other start positions; these are {len(batch.starts)}")
    for name in STATE:
        getattr(batch, name)[...] = state[name]
