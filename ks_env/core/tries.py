"""Lists of tries: what the lists of all games are made with."""

from typing import Literal

import numpy as np

from ks_env.core.bits import ZERO, has, lowest, put_chosen, random_below, without_lowest
from ks_env.core.jit import inlined, kernel
from ks_env.core.layout import SeatView
from ks_env.core.record import i8, u8
from ks_env.core.tables import (
    ANY,
    KNIGHT,
    PAWN_TRIES,
    RANK_8,
    TRIES,
    TRY_INDEX,
    UNDER_INDEX,
)

MASK_VERSION = 1


OWN_BOARD, INFORMED = 0, 1


MOST_TRIES = 512  # no set of 16 men has as many


@inlined
def refused(view: SeatView, action: int) -> bool:
    """Whether the try was refused this turn."""
    return has(view.refused[action >> 6], action & 63)


@kernel
def number_of(start: int, end: int, under: int) -> int:
    """The number of a move in the seat's frame; `under` is the kind of an under-promotion, else 0."""
    if under != 0:
        return i8(UNDER_INDEX[start & 7, (end & 7) - (start & 7) + 1]) + under - KNIGHT
    return i8(TRY_INDEX[start, end])


@inlined
def add_targets(out: np.ndarray, n: int, start: int, targets: np.uint64) -> int:
    """Append the moves of a man to the targets, a pawn's left out; the new number of tries."""
    return put_chosen(TRY_INDEX, start, targets, out, n)


@inlined
def add_pawn_moves(out: np.ndarray, n: int, targets: np.uint64, step: int) -> int:
    """Moves of pawns that land on the targets, having come `step` squares up the board."""
    n = put_chosen(PAWN_TRIES, step, targets & ~RANK_8, out, n)
    targets &= RANK_8
    while targets != ZERO:
        end = lowest(targets)
        targets = without_lowest(targets)
        out[n] = TRY_INDEX[end - step, end]
        n += 1
        first = UNDER_INDEX[(end - step) & 7, (end & 7) - ((end - step) & 7) + 1]
        for kind in range(3):
            out[n] = first + kind
            n += 1
    return n


@inlined
def without_refused(view: SeatView, out: np.ndarray, n: int) -> int:
    """Drop what was refused this turn from the first n tries; how many are left."""
    kept = 0
    for i in range(n):
        action = out[i]
        out[kept] = action
        kept += 1 - refused(view, action)
    return kept


@inlined
def write_mask(tries: np.ndarray, n: int, out: np.ndarray) -> None:
    """Write the mask of the first n tries to `out: i1[ACTIONS]`."""
    for i in range(TRIES):
        out[i] = 0
    for i in range(n):
        out[u8(tries[i])] = 1


@kernel
def draw_try(scratch: np.ndarray, n: int, random: np.ndarray, stream: int) -> int:
    """One of the first n tries, but "any?" (which is listed last) only when there is no other."""
    if n > 1 and scratch[n - 1] == ANY:
        n -= 1
    return i8(scratch[random_below(random, stream, n)])


MaskLevel = Literal["informed", "own-board"]
LEVELS: dict[str, int] = {"informed": INFORMED, "own-board": OWN_BOARD}


def mask_level(name: str) -> int:
    """The number of a mask level for the kernels.

    Raises:
        ValueError: no such level.
    """
    if name not in LEVELS:
        raise ValueError(f"unknown mask {name!r}; expected one of {', '.join(LEVELS)}")
    return LEVELS[name]
