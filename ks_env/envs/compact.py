"""The compact observation: the same numbers as the planes and the mask, in a fifth of the bytes.

=======  ===================================================================================================
boards   u8[B]: the planes that hold 0 and 1 by square, in their order, bit s for square s (rank * 8 + file)
squares  u1[K, 8, 8]: the planes that hold other values by square
values   u1[V]: the value of each constant plane
tries    i2[MOST_PADDED]: the allowed actions, -1 after the last; in an order that depends on what the seat
         sees alone
=======  ===================================================================================================

`planes_of` and `masks_of` give back the planes and the mask.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ks_env.core.actions import ACTIONS
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.memory import nonzero_bits, scratch_for_planes, scratch_for_tries
from ks_env.core.planes import PlaneTable
from ks_env.core.record import Array
from ks_env.core.tries import MOST_PADDED
from ks_env.games.definition import GameDefinition, GameKernels

MOST_QUEENS = 9  # with as many, and all other men, a seat has fewer than MOST_PADDED tries


class Layout(NamedTuple):
    """Which planes of a game are in which part, by number."""

    boards: tuple[int, ...]
    squares: tuple[int, ...]
    values: tuple[int, ...]
    planes: int


@cache
def layout_of(table: PlaneTable) -> Layout:
    """The layout for a table of planes."""
    every = list(enumerate(table.planes))
    return Layout(
        tuple(i for i, plane in every if not plane.constant and plane.high == 1),
        tuple(i for i, plane in every if not plane.constant and plane.high > 1),
        tuple(i for i, plane in every if plane.constant),
        table.count,
    )


def check_starts(starts: Array) -> None:
    """Refuse start positions of which a seat may come to have more tries than there is room for.

    Args:
        starts: GAME[K].

    Raises:
        ValueError: there is one.
    """
    men = starts["truth"]["men"]
    for seat in (0, 8):
        queens = ((men == 1 + seat) | (men == 5 + seat)).sum(axis=1)
        if queens.max() > MOST_QUEENS:
            raise ValueError(
                f"a side begins with {queens.max()} queens and pawns; observation='compact' has room for"
                f" the tries of {MOST_QUEENS}"
            )


@cache
def compact_kernel(game: GameKernels, layout: Layout) -> Callable[..., None]:
    """A kernel (view, rules, level, boards u8[B], squares u1[K, 64], values u1[V], tries i2[M])."""
    list_tries, write_planes = game.list_tries, game.write_planes
    on_boards, on_squares, constant = (_numbers(part) for part in layout[:3])
    scratch_planes = scratch_for_planes(layout.planes)

    @kernel
    def write_compact(
        view: Any, rules: Rules, level: int, boards: Array, squares: Array, values: Array, tries: Array
    ) -> None:
        planes = scratch_planes()
        write_planes(view, planes)
        flat = planes.reshape(planes.size)
        for i in range(on_boards.shape[0]):
            boards[i] = nonzero_bits(flat, on_boards[i] * 64)
        for i in range(on_squares.shape[0]):
            for s in range(64):
                squares[i, s] = planes[on_squares[i], s]
        for i in range(constant.shape[0]):
            values[i] = planes[constant[i], 0]
        scratch = scratch_for_tries()
        n = list_tries(view, rules, level, scratch) if view.turn else 0
        for i in range(tries.shape[0]):
            tries[i] = scratch[i] if i < n else -1

    return write_compact


def _numbers(values: tuple[int, ...]) -> npt.NDArray[np.int64]:
    out = np.array(values, np.int64)
    out.flags.writeable = False
    return out


def packed(planes: Array, table: PlaneTable) -> dict[str, Array]:
    """Boards, squares and values of planes u1[..., C, 64]; fresh arrays."""
    layout = layout_of(table)
    boards = np.packbits(planes[..., layout.boards, :], axis=-1, bitorder="little")
    return {
        "boards": boards.view("<u8")[..., 0].astype(np.uint64),
        "squares": planes[..., layout.squares, :].reshape(*planes.shape[:-2], -1, 8, 8),
        "values": planes[..., layout.values, 0],
    }


def planes_of(seen: dict[str, Array], game: GameDefinition) -> npt.NDArray[np.uint8]:
    """The planes of compact observations of a game.

    Args:
        seen: observations, with any number of axes before those of one.
        game: the game, as `ks_env.game_named` gives it.

    Returns:
        u1[..., C, 8, 8].
    """
    layout = layout_of(game.planes)
    before = seen["values"].shape[:-1]
    out = np.zeros((*before, layout.planes, 8, 8), np.uint8)
    bits = np.ascontiguousarray(seen["boards"], "<u8")[..., None].view(np.uint8)
    out[..., layout.boards, :, :] = np.unpackbits(bits, axis=-1, bitorder="little").reshape(
        *before, len(layout.boards), 8, 8
    )
    out[..., layout.squares, :, :] = seen["squares"]
    out[..., layout.values, :, :] = seen["values"][..., None, None]
    return out


def masks_of(tries: Array) -> npt.NDArray[np.int8]:
    """The masks i1[..., ACTIONS] of tries i2[..., M]."""
    out = np.zeros((*tries.shape[:-1], ACTIONS + 1), np.int8)  # -1 is the last place
    np.put_along_axis(out, tries.astype(np.int64), 1, axis=-1)
    return np.ascontiguousarray(out[..., :ACTIONS])


def empty_tries(shape: tuple[int, ...]) -> npt.NDArray[np.int16]:
    """No tries, i2[..., MOST_PADDED]."""
    return np.full((*shape, MOST_PADDED), -1, np.int16)
