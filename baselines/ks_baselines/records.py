"""Constants of a player as a record for its kernels."""

from dataclasses import fields
from typing import Any

import numpy as np


def layout_of(constants: type[Any], number: str) -> np.dtype[Any]:
    """The record of a dataclass of numbers and tuples of numbers with defaults.

    Args:
        constants: the dataclass.
        number: type of all numbers, such as "f8".
    """
    shapes = [(field.name, getattr(constants, field.name)) for field in fields(constants)]
    return np.dtype(
        [(n, number, (len(v),)) if isinstance(v, tuple) else (n, number) for n, v in shapes], align=True
    )


def record_of(constants: Any, layout: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The constants for the kernels: `layout[1]`."""
    out = np.zeros(1, layout)
    for field in fields(constants):
        out[field.name] = getattr(constants, field.name)
    return out
