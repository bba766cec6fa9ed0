"""The pass with NUMBA_BOUNDSCHECK=1 really checks: a wrong index in a kernel raises there."""

from __future__ import annotations

import os

import numpy as np
import pytest

from ks_env.core.jit import kernel
from ks_env.core.record import i8


@kernel
def read(array: np.ndarray, index: int) -> int:
    return i8(array[index])


def test_a_wrong_index_raises() -> None:
    assert read(np.arange(5), 4) == 4
    if os.environ.get("NUMBA_BOUNDSCHECK") != "1":
        pytest.skip("array bounds are checked in the second pass, with NUMBA_BOUNDSCHECK=1")
    with pytest.raises(IndexError):
        read(np.arange(5), 7)
