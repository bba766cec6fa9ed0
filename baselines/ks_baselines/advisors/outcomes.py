"""Boards that stand for a distribution, and what the referee would answer to a try on each.

The Maximiser asks each advisor "across as many boards as possible in the available time" (Bud et al. 2001,
§4): they are drawn by systematic resampling, so that likely ones are surely in. All is seen from the seat to
move, in its own frame, as seat 0.
"""

from typing import Any, NamedTuple

import numpy as np

from ks_env.belief.joint.boards import number_on, numbers_among, whole_board, without_hidden
from ks_env.belief.joint.layout import Joint
from ks_env.core.answers import ILLEGAL, LOST, MOVED
from ks_env.core.bits import ZERO
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.position import has_legal_move, is_legal, play, refresh
from ks_env.core.record import Array, i4, i8
from ks_env.core.tables import TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.invisible.judge import attackers_after, obstacle
from ks_env.games.invisible.layout import CHECK


class Sample(NamedTuple):
    """Boards of a distribution that advisors look at."""

    joint: Any  # the record of the distribution
    truths: Array  # TRUTH[3]: the first holds what all boards share, the others are overwritten
    chosen: Array  # i4[B]: numbers of boards
    shares: Array  # f8[B]: their probabilities
    boards: int  # how many of them


@kernel
def sample_boards(
    weight: np.ndarray, count: int, most: int, at: float, chosen: np.ndarray, shares: np.ndarray
) -> int:
    """Choose boards and their shares; how many.

    When there are no more than `most` all are taken with their own weights. Else as many draws are made at
    equal distances of cumulated weight, from the offset `at` in [0, 1); a board drawn twice has twice the
    share.

    Args:
        weight: f8[B], adding up to 1 over the first `count`.
        most: how many may be taken.
        at: the offset.
        chosen: i4[most], filled with their numbers.
        shares: f8[most], filled; adding up to 1.
    """
    if count <= most:
        for i in range(count):
            chosen[i] = i4(i)
            shares[i] = weight[i]
        return count
    found, left, total, step = 0, most, 0.0, 1.0 / most
    threshold = at * step
    for i in range(count):
        total += weight[i]
        drawn = 0
        while left > 0 and (threshold < total or i == count - 1):  # the sums are rounded, the draws counted
            threshold += step
            drawn += 1
            left -= 1
        if drawn > 0:
            chosen[found] = i4(i)
            shares[found] = drawn * step
            found += 1
    return found


MIXER = np.uint64(0x9E3779B97F4A7C15)


@kernel
def lay_out(joint: Joint, at: int, truths: np.ndarray) -> int:
    """Put board `at` of a distribution into `truths[1]`; the square that a pawn has just passed, or -1."""
    passed = i8(joint.passed[at])
    whole_board(joint.known, truths, 1, joint.squares[at], passed)
    return passed if passed >= 0 else i8(joint.known.passed)


@kernel
def answer_to(truth: Truth, passed: int, action: int) -> int:
    """The kind of answer to a try that fits the seat's own board: MOVED, ILLEGAL or LOST."""
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if is_legal(truth, start, end):
        return MOVED
    if truth.checkers != ZERO or obstacle(truth, passed, start, end) == CHECK:
        return ILLEGAL
    return LOST


@kernel
def _mix(words: np.uint64, men: np.uint64) -> np.uint64:
    """One number of a small one and a board; scattered first, the small one's bits look like no squares."""
    return (words * MIXER) ^ men


@kernel
def told_by(truths: np.ndarray, at: int, row: np.ndarray, passed: int, action: int) -> np.uint64:
    """All that the mover would be told after a try, as one number: equal numbers, equal words.

    `truths[at]: TRUTH` is the board, `truths[at + 1]` is overwritten.
    """
    truth = truths[at]
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    answer = answer_to(truth, passed, action)
    if answer == LOST:
        return np.uint64(LOST)
    if answer == ILLEGAL:
        why = obstacle(truth, passed, start, end)
        by = attackers_after(truth, passed, start, end) if why == CHECK else ZERO
        said = np.uint64(ILLEGAL + 16 * why + 64 * numbers_among(row, by))
        return _mix(said, without_hidden(row, by))
    truths[at + 1] = truth
    after = truths[at + 1]
    play(after, start, end, i8(TRY_KIND[action]))
    refresh(after)
    taken, passing = 0, 0
    if after.said.square >= 0:
        taken = 1 + number_on(row, i8(after.said.square))
        passing = 0 if after.said.square == end else 1
    over = 0 if has_legal_move(after) else 1
    return _mix(np.uint64(MOVED + 16 * taken + 512 * over + 1024 * passing), after.checkers)
