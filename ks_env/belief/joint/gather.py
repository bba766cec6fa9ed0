"""Gathering the boards after a turn: equal ones are one, and there are never more than there is room for.

As long as all fit, the distribution is exact. When they do not, the turn is gone through once more and
boards are drawn from it by systematic resampling: every board is kept as often as its share of the room says,
rounded up or down, with equal weights. No random numbers are needed, so a game is the same on every machine.
"""

import numpy as np

from ks_env.belief.joint.layout import COUNT, FULL, NEXT, STEP, SUM, TOTAL, Work
from ks_env.core.bits import ZERO
from ks_env.core.jit import kernel
from ks_env.core.record import i1, i4, i8
from ks_env.core.tables import FILE_KEYS, MAN_KEYS
from ks_env.games.invisible.layout import NUMBERS

HALF = 0.5


@kernel
def start_gathering(work: Work, step: float) -> None:
    """An empty table. `step` is 0 to keep every board, else the weight of a drawn one."""
    used = i8(work.tally[COUNT])
    if used > 0:
        work.slots[:] = -1
    work.tally[COUNT] = 0.0
    work.tally[TOTAL] = 0.0
    work.tally[STEP] = step
    work.tally[NEXT] = HALF * step
    work.tally[SUM] = 0.0
    work.tally[FULL] = 0.0


@kernel
def _hash(row: np.ndarray, passed: int) -> np.uint64:
    key = ZERO
    for n in range(1, NUMBERS):
        if row[n] < 64:
            key ^= MAN_KEYS[n, row[n]]
    if passed >= 0:
        key ^= FILE_KEYS[passed & 7]
    return key


@kernel
def _same(work: Work, at: int, passed: int) -> bool:
    if work.passed[at] != passed:
        return False
    same = True
    for n in range(1, NUMBERS):
        same &= work.squares[at, n] == work.row[n]
    return same


@kernel
def _add(work: Work, passed: int, weight: float) -> None:
    mask = work.slots.shape[0] - 1
    slot = i8(_hash(work.row, passed) >> np.uint64(20)) & mask
    while work.slots[slot] >= 0:
        at = i8(work.slots[slot])
        if _same(work, at, passed):
            work.weight[at] += weight
            return
        slot = (slot + 1) & mask
    at = i8(work.tally[COUNT])
    if at >= work.weight.shape[0]:
        work.tally[FULL] = 1.0
        return
    work.slots[slot] = i4(at)
    for n in range(NUMBERS):
        work.squares[at, n] = work.row[n]
    work.passed[at] = i1(passed)
    work.weight[at] = weight
    work.tally[COUNT] = at + 1.0


@kernel
def gather(work: Work, passed: int, weight: float) -> None:
    """Take in the board in `work.row`."""
    work.tally[TOTAL] += weight
    step = work.tally[STEP]
    if step == 0.0:
        if work.tally[FULL] == 0.0:
            _add(work, passed, weight)
        return
    work.tally[SUM] += weight
    drawn = 0
    while work.tally[NEXT] < work.tally[SUM]:
        work.tally[NEXT] += step
        drawn += 1
    if drawn > 0:
        _add(work, passed, drawn * step)
