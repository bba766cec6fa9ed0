"""The own men's earlier placements, against repetition.

A position of the whole board can only come again if the own men stand as before. The player knows where these
stood, and avoids to go back.
"""

from typing import NamedTuple

import numpy as np

from ks_baselines.darkboard.moves import end_of, kind_of, start_of, under_of
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import i8
from ks_env.core.tables import KING, MAN_KEYS, PAWN, QUEEN

MOST_KEPT = 4096
FORBIDDEN = 10_000.0


class Past(NamedTuple):
    """Placements at the beginning of own turns since the last move that cannot be undone.

    Attributes:
        keys: u8[MOST_KEPT], one a turn, the oldest first.
        state: u8[4]: how many keys, men of both sides, own pawns, half-moves told (see `stamp`).
    """

    keys: np.ndarray
    state: np.ndarray


def new_past() -> Past:
    """An empty history."""
    return Past(np.zeros(MOST_KEPT, np.uint64), np.zeros(4, np.uint64))


@kernel
def key_of(m: Metaposition) -> np.uint64:
    """Zobrist key of the own men."""
    key = ZERO
    for kind in range(1, KING + 1):
        men = m.own[kind]
        while men != ZERO:
            key ^= MAN_KEYS[kind, lowest(men)]
            men = without_lowest(men)
    return key


@kernel
def key_after(key: np.uint64, move: int) -> np.uint64:
    """The key after an own move, the rook's part of castling left out."""
    kind = kind_of(move)
    becomes = kind
    if kind == PAWN and end_of(move) >= 56:
        becomes = under_of(move) if under_of(move) != 0 else QUEEN
    return key ^ MAN_KEYS[kind, start_of(move)] ^ MAN_KEYS[becomes, end_of(move)]


@kernel
def note_turn(past: Past, m: Metaposition) -> None:
    """An own turn begins: note the placement, once; forget all before a capture or an own pawn move."""
    if past.state[3] == m.stamp and past.state[0] != 0:
        return
    men = np.uint64(m.most[0])
    own = m.own[0]
    while own != ZERO:
        men += np.uint64(32)
        own = without_lowest(own)
    if men != past.state[1] or m.own[PAWN] != past.state[2] or past.state[0] == MOST_KEPT:
        past.state[0] = ZERO
    past.state[1], past.state[2], past.state[3] = men, m.own[PAWN], np.uint64(m.stamp)
    past.keys[past.state[0]] = key_of(m)
    past.state[0] += np.uint64(1)


@kernel
def times_before(past: Past, key: np.uint64, back: int) -> int:
    """How often the placement stood among the last `back` turns."""
    n = i8(past.state[0])
    times = 0
    for i in range(n):
        if i >= n - back and past.keys[i] == key:
            times += 1
    return times


@kernel
def repetition_bias(
    past: Past,
    m: Metaposition,
    moves: np.ndarray,
    n: int,
    back: int,
    free: int,
    cost: float,
    bias: np.ndarray,
) -> None:
    """Take `cost` off a move for each time that its placement stood among the last turns beyond `free` times.

    A placement that has stood twice might complete a threefold repetition: it is left out of account.
    """
    key = key_of(m)
    for i in range(n):
        times = times_before(past, key_after(key, i8(moves[i])), back)
        bias[i] -= cost * max(0, times - free)
        if times >= 2:
            bias[i] -= FORBIDDEN
