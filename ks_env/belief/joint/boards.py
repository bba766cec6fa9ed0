"""Boards of a joint distribution: one at hand as a position, many gathered after a turn, new ones drawn.

A board at hand is a TRUTH record in the seat's frame: the seat plays upward as seat 0. The rules' own kernels
then say what is legal on it. Of castling rights it holds the seat's own alone.

Of the boards gathered after a turn equal ones are one, and there are never more than there is room for. As
long as all fit, the distribution is exact. When they do not, the turn is gone through once more and boards
are drawn from it by systematic resampling: every board is kept as often as its share of the room says,
rounded up or down, with equal weights. No random numbers are needed, so a game is the same on every machine.
New boards are drawn (`rebuild`) when all that were kept have been contradicted, which happens only after some
were left out.
"""

import numpy as np

from ks_env.belief.joint.layout import COUNT, FULL, GONE, NEXT, STEP, SUM, TOTAL, Work
from ks_env.core.bits import ZERO, bit, has, lowest, next_random, nth_square, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.position import clear_board, put, refresh
from ks_env.core.record import i1, i4, i8, u1
from ks_env.core.tables import FILE_KEYS, MAN_KEYS
from ks_env.games.invisible.layout import NUMBERS, View
from ks_env.games.invisible.tries import haunts


@kernel
def shared_board(view: View, truth: Truth) -> None:
    """What all boards of a view have in common: own men and visible men."""
    clear_board(truth)
    own, theirs = view.own, view.theirs
    while own != 0:
        put(truth, lowest(own), i8(view.men[lowest(own)]), 0)
        own = without_lowest(own)
    while theirs != 0:
        put(truth, lowest(theirs), i8(view.seen[lowest(theirs)]), 1)
        theirs = without_lowest(theirs)
    truth.side = u1(0 if view.turn else 1)
    truth.rights = view.rights
    truth.ep = view.passed if view.turn else view.stepped


@kernel
def whole_board(view: View, shared: np.ndarray, at: int, row: np.ndarray, passed: int) -> None:
    """Write to `shared[at]: TRUTH` the board of a row, on top of `shared[0]`."""
    shared[at] = shared[0]
    truth = shared[at]
    for n in range(1, NUMBERS):
        if row[n] < GONE:
            put(truth, i8(row[n]), i8(view.unseen[n]), 1)
    if passed >= 0:
        truth.ep = i1(passed)
    refresh(truth)


@kernel
def number_on(row: np.ndarray, square: int) -> int:
    """The number of the hidden man on a square, 0 for none."""
    for n in range(1, NUMBERS):
        if row[n] == square:
            return n
    return 0


@kernel
def numbers_among(row: np.ndarray, board: np.uint64) -> int:
    """The hidden men on the squares of a board: one bit a number."""
    found = 0
    for n in range(1, NUMBERS):
        if row[n] < GONE and has(board, i8(row[n])):
            found |= 1 << n
    return found


@kernel
def without_hidden(row: np.ndarray, board: np.uint64) -> np.uint64:
    """The squares of a board on which no hidden man of the row stands."""
    for n in range(1, NUMBERS):
        if row[n] < GONE:
            board &= ~bit(i8(row[n]))
    return board


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


TRIES_A_BOARD = 20


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
        square = nth_square(free, at)
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
        if work.tally[COUNT] > 0.0:
            return
    for n in range(NUMBERS):  # no placement at all: the men are nowhere
        work.row[n] = u1(GONE)
    gather(work, -1, 1.0)
