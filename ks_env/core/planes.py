"""Planes: their tables, how kernels fill them, and the referee's full planes for a privileged critic."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.core.jit import kernel
from ks_env.core.record import Array, u1
from ks_env.core.tables import KING, KING_SIDE, PAWN

Row = Any  # a record: np.void

MEN = ("pawns", "knights", "bishops", "rooks", "queens", "king")

# White's men by kind, Black's men by kind, then the constant planes: Black to move, half-move clock
STATE_SHAPE = (14, 8, 8)


def write_state(truth: Row, out: Array) -> None:
    """Write `out: u1[14, 8, 8]` from a TRUTH record, in absolute squares, rank 0 White's back rank."""
    men = truth["men"].reshape(8, 8)
    for kind in range(PAWN, KING + 1):
        out[kind - 1] = men == kind
        out[6 + kind - 1] = men == (kind | 8)
    out[12] = truth["side"]
    out[13] = min(int(truth["clock"]), 255)


@dataclass(frozen=True)
class Plane:
    """One plane.

    Attributes:
        name: how a user asks for it.
        high: greatest value it can hold; the least is 0.
        constant: one value on all squares.
        text: what it says.
    """

    name: str
    high: int
    constant: bool
    text: str


@dataclass(frozen=True)
class PlaneTable:
    """All planes of a game, in order.

    Attributes:
        planes: them.
    """

    planes: tuple[Plane, ...]

    def __post_init__(self) -> None:
        """Names must differ."""
        assert len(self.channels) == self.count, "plane names must differ"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(plane.name for plane in self.planes)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.planes)

    @cached_property
    def channels(self) -> dict[str, int]:
        """Their indices by name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def high(self) -> npt.NDArray[np.uint8]:
        """Their upper bounds, u1[C]."""
        return np.array([plane.high for plane in self.planes], np.uint8)

    def channel(self, name: str) -> int:
        """Index of a plane by name.

        Raises:
            ValueError: no such plane.
        """
        if name not in self.channels:
            raise ValueError(f"unknown plane {name!r}; expected one of {', '.join(self.names)}")
        return self.channels[name]


def board_plane(name: str, high: int, text: str) -> Plane:
    """A plane with a value for each square."""
    return Plane(name, high, False, text)


def value_plane(name: str, high: int, text: str) -> Plane:
    """A plane with one value on all squares."""
    return Plane(name, high, True, text)


def planes_by_kind(form: str, text: str) -> tuple[Plane, ...]:
    """A plane of squares for each kind of man, pawns to king; `{}` stands for the kind."""
    return tuple(board_plane(form.format(men), 1, text.format(men)) for men in MEN)


def markdown_table(table: PlaneTable) -> str:
    """The table for the docs."""
    lines = ["| plane | name | values | says |", "|---|---|---|---|"]
    for i, plane in enumerate(table.planes):
        kind = "constant" if plane.constant else "by square"
        lines.append(f"| {i} | {plane.name} | 0..{plane.high}, {kind} | {plane.text} |")
    return "\n".join(lines) + "\n"


@kernel
def spread_value(value: int, out: np.ndarray, plane: int) -> None:
    """One value, saturating at 255, on all squares of a plane of `out: u1[C, 64]`."""
    small = u1(value if value < 255 else 255)
    for i in range(64):
        out[plane, i] = small


@kernel
def spread_rights(rights: int, out: np.ndarray, plane: int) -> None:
    """A seat's castling rights on two planes: king side, then queen side."""
    spread_value(rights & KING_SIDE, out, plane)
    spread_value(rights >> 1, out, plane + 1)


@kernel
def one_square(square: int, value: int, out: np.ndarray, plane: int) -> None:
    """A value on one square of a plane and 0 on the others; -1 for no square."""
    spread_value(0, out, plane)
    if square >= 0:
        out[plane, square] = u1(value)
