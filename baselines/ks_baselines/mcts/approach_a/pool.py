"""Memory for the boards of a turn. They are in the seat's own frame, the seat being side 0 and to move.

The rules are the same for both colours but for the way of the pawns, which the frame turns, so that a Black
seat's board is White's to the kernels.
"""

from typing import Any, NamedTuple

import numpy as np

from ks_env.core.layout import TRUTH
from ks_env.core.tries import MOST_TRIES

Array = np.ndarray[Any, Any]


class Pool(NamedTuple):
    """The boards, and what the sampler works with.

    Attributes:
        boards: TRUTH[N], the opponent's men filled in.
        faults: i8[N], what the last message has against each (`contradict.contradictions`).
        used: i8[2], boards in the pool; attempts made for them.
        base: TRUTH[1], the seat's own men alone.
        trial: TRUTH[1], the board that is being filled.
        weights: f4[7, 64], see `weights`.
        begun: i8[7], men of each kind with which the opponent began, at most; entry 0: 1 for the usual start.
        left: i8[7], men of each kind that may still be placed; entry 0: pieces, of whichever kind.
        most: i8[7], the same before any was placed.
        files: i8[2, 8], pawns that each file may still take; that it has to get.
        closed: u8[1], squares on which nothing more is placed.
        where: u8[7], squares by kind among which a man is drawn.
        random: u8[1], the stream.
        tries: i2[MOST_TRIES], those of the turn.
    """

    boards: Array
    faults: Array
    used: Array
    base: Array
    trial: Array
    weights: Array
    begun: Array
    left: Array
    most: Array
    files: Array
    closed: Array
    where: Array
    random: Array
    tries: Array


def new_pool(size: int) -> Pool:
    """Memory for one player."""
    return Pool(
        boards=np.zeros(size, TRUTH),
        faults=np.zeros(size, np.int64),
        used=np.zeros(2, np.int64),
        base=np.zeros(1, TRUTH),
        trial=np.zeros(1, TRUTH),
        weights=np.zeros((7, 64), np.float32),
        begun=np.zeros(7, np.int64),
        left=np.zeros(7, np.int64),
        most=np.zeros(7, np.int64),
        files=np.zeros((2, 8), np.int64),
        closed=np.zeros(1, np.uint64),
        where=np.zeros(7, np.uint64),
        random=np.zeros(1, np.uint64),
        tries=np.zeros(MOST_TRIES, np.int16),
    )
