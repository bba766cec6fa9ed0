"""Metapositions as the page's data: short, since most squares of a metaposition just grow a turn older.

One state of one seat is told as bytes in base64::

    grown  square kinds age  square kinds age ...

`grown` is 1 if every age above 0 went up by one first (255 stays), else 0. Then follow the squares (a1 = 0)
that this does not explain, each with its kinds, bit `k` for kind `k` and bit 0 for "may be empty", and its
age. All is 0 before the first state.
"""

import base64

import numpy as np
from numpy.typing import NDArray

from ks_env.render.ghosts import Ghosts

Squares = NDArray[np.uint8]  # u1[64, 2]: kinds and age
NOTHING: Squares = np.zeros((64, 2), np.uint8)


def by_square(ghosts: Ghosts) -> Squares:
    """The kinds and the age of every square."""
    boards = np.array(ghosts.boards, "<u8").view(np.uint8).reshape(7, 8)
    bits = np.unpackbits(boards, axis=1, bitorder="little")
    kinds = np.packbits(bits, axis=0, bitorder="little")[0]
    return np.stack([kinds, ghosts.ages], axis=1)


def _grown(squares: Squares) -> Squares:
    older = squares.copy()
    older[:, 1] += (squares[:, 1] > 0) & (squares[:, 1] < 255)
    return older


def change(before: Squares, after: Squares) -> str:
    """What turns one state into the next; empty if nothing changed."""
    if (before == after).all():
        return ""
    told = [_told(grown, start, after) for grown, start in enumerate((before, _grown(before)))]
    return base64.b64encode(min(told, key=len)).decode()


def _told(grown: int, start: Squares, after: Squares) -> bytes:
    changed = np.flatnonzero((start != after).any(axis=1))
    listed = np.column_stack([changed, after[changed]]).astype(np.uint8)
    return bytes([grown]) + listed.tobytes()
