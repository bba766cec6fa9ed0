"""The data of a joint distribution: a list of boards with weights, and what its seat had been told by then.

A *board* is one placement of all of the opponent's hidden men, by number, in the seat's frame.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ks_env.core.jit import kernel
from ks_env.core.layout import TRUTH
from ks_env.core.record import Array, Record, dtype_of, field
from ks_env.games.invisible.layout import NUMBERS, VIEW, View

GONE = 64  # the square of a man that was captured, or of an unused number
MOST_BOARDS = 1 << 20
LENGTHS = (1 << 10, 1 << 15, MOST_BOARDS)  # few, since kernels are compiled for each


class Joint(Record):
    """A distribution over boards."""

    known: View = field(VIEW)  # the view that the distribution was last brought up to
    squares: Array = field("u1", ("boards", NUMBERS))  # by number; GONE
    passed: Array = field("i1", ("boards",))  # square that a hidden pawn has just passed over; -1
    weight: Array = field("f8", ("boards",))  # they add up to 1
    count: int = field("i4")  # how many boards
    rebuilt: int = field("i4")  # how often all boards were contradicted, and new ones drawn
    exact: int = field("u1")  # no board was ever left out
    begun: int = field("u1")
    spread_captures: int = field("u1")  # 1: where a hidden man captured is not taken in


def joint_dtype(boards: int) -> np.dtype[Any]:
    """The record of a distribution over at most so many boards, or longer; `Work` says how many there may be.

    Raises:
        ValueError: the number is not from 1 to 1,048,576.
    """
    if not 1 <= boards <= MOST_BOARDS:
        raise ValueError(f"{boards} boards; expected 1 to {MOST_BOARDS}")
    return dtype_of(Joint, boards=next(length for length in LENGTHS if length >= boards))


class Work(NamedTuple):
    """Memory in which a distribution is brought up to date; one for each thread."""

    squares: Array  # u1[B, NUMBERS]: the boards after the turn
    passed: Array  # i1[B]
    weight: Array  # f8[B]
    slots: Array  # i4[S]: hash table of them, S a power of two above 2 B; -1 free
    row: Array  # u1[NUMBERS]: the board at hand
    truths: Array  # TRUTH[3]: what all boards share, and two boards at hand
    tally: Array  # f8[TALLY]


# Entries of Work.tally
COUNT, TOTAL, STEP, NEXT, SUM, FULL = 0, 1, 2, 3, 4, 5
TALLY = 6


def make_work(boards: int) -> Work:
    """Working memory for distributions over at most so many boards."""
    slots = 16
    while slots < 2 * boards:
        slots *= 2
    return Work(
        squares=np.zeros((boards, NUMBERS), np.uint8),
        passed=np.zeros(boards, np.int8),
        weight=np.zeros(boards, np.float64),
        slots=np.full(slots, -1, np.int32),
        row=np.zeros(NUMBERS, np.uint8),
        truths=np.zeros(3, TRUTH),
        tally=np.zeros(TALLY, np.float64),
    )


@kernel
def entropy_of(weights: np.ndarray, count: int) -> float:
    """H = -sum p log2 p of the first `count` weights, in bits, scaled to add to 1.

    See Bud et al. (2001, §6.1, equation 2).
    """
    total, found = 0.0, 0.0
    for i in range(count):
        total += weights[i]
    for i in range(count):
        if weights[i] > 0.0:
            p = weights[i] / total
            found -= p * math.log2(p)
    return found


@kernel
def write_marginals(joint: Joint, out: np.ndarray) -> None:
    """Write each hidden man's chance of each square to `out: f8[NUMBERS, 64]`, whole."""
    out[:, :] = 0.0
    for i in range(joint.count):
        for n in range(1, NUMBERS):
            if joint.squares[i, n] < GONE:
                out[n, joint.squares[i, n]] += joint.weight[i]
