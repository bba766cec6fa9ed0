"""The moves of a metaposition below the root (M07 §3.2, `generate`).

They are the pseudo-legal moves over the own men and over squares that are certainly occupied, which end a
slide. Pawns capture nothing there, since pawn tries are never predicted (M07 §3.1), and become queens.
A move is packed as `start | end << 6 | kind << 12 | under << 16`.
"""

import numpy as np

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.tables import (
    BISHOP,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    QUEEN,
    RANK_3,
    ROOK,
    TRY_INDEX,
    UNDER_INDEX,
)

MOST_MOVES = 512


@kernel
def pack(start: int, end: int, kind: int, under: int) -> int:
    """A move as one number."""
    return start | end << 6 | kind << 12 | under << 16


@kernel
def start_of(move: int) -> int:
    """The square it leaves."""
    return move & 63


@kernel
def end_of(move: int) -> int:
    """The square it reaches."""
    return move >> 6 & 63


@kernel
def kind_of(move: int) -> int:
    """Kind of the man that moves."""
    return move >> 12 & 15


@kernel
def under_of(move: int) -> int:
    """Kind of an under-promotion, else 0."""
    return move >> 16


def action_of(move: int) -> int:
    """The number of the try that a packed move stands for."""
    start, end, under = start_of(move), end_of(move), under_of(move)
    if under:
        return int(UNDER_INDEX[start & 7, (end & 7) - (start & 7) + 1]) + under - 2
    return int(TRY_INDEX[start, end])


@kernel
def _add(out: np.ndarray, n: int, start: int, kind: int, targets: np.uint64) -> int:
    while targets != ZERO:
        out[n] = pack(start, lowest(targets), kind, 0)
        n += 1
        targets = without_lowest(targets)
    return n


@kernel
def _add_pawns(m: Metaposition, out: np.ndarray, n: int) -> int:
    free = m.ghosts[0] & ~m.own[0]
    one = (m.own[PAWN] << np.uint64(8)) & free
    two = ((one & RANK_3) << np.uint64(8)) & free
    while one != ZERO:
        end = lowest(one)
        one = without_lowest(one)
        out[n] = pack(end - 8, end, PAWN, 0)
        n += 1
    while two != ZERO:
        end = lowest(two)
        two = without_lowest(two)
        out[n] = pack(end - 16, end, PAWN, 0)
        n += 1
    return n


@kernel
def _add_king(m: Metaposition, out: np.ndarray, n: int) -> int:
    king = lowest(m.own[KING])
    n = _add(out, n, king, KING, KING_MOVES[king] & ~m.own[0])
    free = m.ghosts[0] & ~m.own[0]
    if m.rights & 1 and free & np.uint64(0x60) == np.uint64(0x60):
        out[n] = pack(4, 6, KING, 0)
        n += 1
    if m.rights & 2 and free & np.uint64(0x0E) == np.uint64(0x0E):
        out[n] = pack(4, 2, KING, 0)
        n += 1
    return n


@kernel
def _add_slides(m: Metaposition, out: np.ndarray, n: int) -> int:
    occupied = ~m.ghosts[0]
    for kind in range(BISHOP, KING):
        men = m.own[kind]
        while men != ZERO:
            start = lowest(men)
            men = without_lowest(men)
            seen = ZERO
            if kind != ROOK:
                seen |= bishop_attacks(start, occupied)
            if kind != BISHOP:
                seen |= rook_attacks(start, occupied)
            n = _add(out, n, start, kind, seen & ~m.own[0])
    return n


@kernel
def generate(m: Metaposition, out: np.ndarray) -> int:
    """Write the moves to `out: i4[MOST_MOVES]`; how many."""
    n = _add_pawns(m, out, 0)
    knights = m.own[KNIGHT]
    while knights != ZERO:
        start = lowest(knights)
        knights = without_lowest(knights)
        n = _add(out, n, start, KNIGHT, KNIGHT_MOVES[start] & ~m.own[0])
    n = _add_slides(m, out, n)
    return _add_king(m, out, n)


assert QUEEN == ROOK + 1 == BISHOP + 2 == KING - 1  # the loop over sliders relies on it
