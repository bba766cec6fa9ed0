"""New boards when all that were kept have been contradicted, which happens only after some were left out."""

import numpy as np

from ks_env.belief.joint.gather import gather
from ks_env.belief.joint.layout import GONE, Work
from ks_env.core.bits import ZERO, bit, lowest, next_random, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import i8, u1
from ks_env.games.invisible.layout import NUMBERS, View
from ks_env.games.invisible.tries import haunts

TRIES_A_BOARD = 20


@kernel
def _nth(board: np.uint64, n: int) -> int:
    for _ in range(n):
        board = without_lowest(board)
    return lowest(board)


@kernel
def _draw(view: View, random: np.ndarray, work: Work) -> bool:
    """Put every hidden man on a square of its public bound; False if there was none left for one."""
    taken = ZERO
    for n in range(NUMBERS):
        work.row[n] = u1(GONE)
    for n in range(1, NUMBERS):
        if view.unseen[n] == 0:
            continue
        free = haunts(view, n) & ~taken
        if free == ZERO:
            return False
        many = popcount(free)
        at = i8((next_random(random, 0) >> np.uint64(33)) % np.uint64(many))
        square = _nth(free, at)
        work.row[n] = u1(square)
        taken |= bit(square)
    return True


@kernel
def rebuild(view: View, work: Work) -> None:
    """Gather boards drawn at random within the public bounds; the same ones for the same view."""
    random = np.full(1, view.own ^ view.theirs, np.uint64)
    room = work.weight.shape[0]
    for _ in range(TRIES_A_BOARD):
        for _ in range(room):
            if _draw(view, random, work):
                gather(work, -1, 1.0)
        if work.tally[0] > 0.0:
            return
    for n in range(NUMBERS):  # no placement at all: the men are nowhere
        work.row[n] = u1(GONE)
    gather(work, -1, 1.0)
