"""The base planes of whichever game a view is of; see `ks_env.games.by_game`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.core.jit import kernel, serves
from ks_env.core.planes import PlaneTable
from ks_env.core.under_way import Row
from ks_env.games.by_game import Implementation, is_invisible, is_invisible_row
from ks_env.games.invisible import observation as invisible_observation
from ks_env.games.invisible.planes import TABLE as INVISIBLE_TABLE
from ks_env.games.kriegspiel import observation
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.planes import TABLE


def _write(view: View, out: np.ndarray) -> None:
    """Stands in kernels for the planes of the game."""
    raise NotImplementedError


@serves(_write)
def _which_planes(view: Any, out: Any) -> Implementation:
    if is_invisible(view):
        return lambda view, out: invisible_observation.write_observation(view, out)
    return lambda view, out: observation.write_observation(view, out)


@kernel
def write_planes(view: View, out: np.ndarray) -> None:
    """Write the base planes of one seat to `out: u1[C, 64]` or wider, every byte of the C planes."""
    _write(view, out)


def table_of(view: Row) -> PlaneTable:
    """The table of base planes of the game that the VIEW record is of."""
    return INVISIBLE_TABLE if is_invisible_row(view) else TABLE


def base_planes(view: Row) -> npt.NDArray[np.uint8]:
    """The base planes of a VIEW record of either game: u1[C, 8, 8], a fresh array."""
    out = np.empty((table_of(view).count, 64), np.uint8)
    write_planes(view, out)
    return out.reshape(-1, 8, 8)
