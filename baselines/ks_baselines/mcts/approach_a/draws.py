"""Random numbers, squares and men."""

import numpy as np

from ks_baselines.mcts.approach_a.pool import Pool
from ks_env.core.bits import ZERO, lowest, popcount, random_below, random_share, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4

NONE = f4(0.0)


@kernel
def random_square(random: np.ndarray, board: np.uint64) -> int:
    """One of the squares of a board that is not empty, all alike."""
    for _ in range(random_below(random, 0, popcount(board))):
        board = without_lowest(board)
    return lowest(board)


@kernel
def _weight_of(pool: Pool, kind: int) -> float:
    """Sum of the weights of a kind on its squares of `pool.where`."""
    total = NONE
    board = pool.where[kind]
    while board != ZERO:
        total += pool.weights[kind, lowest(board)]
        board = without_lowest(board)
    return total


@kernel
def _share(pool: Pool, kind: int) -> float:
    """Part of the men of a kind that are not placed yet."""
    if pool.left[kind] <= 0:
        return NONE
    return f4(pool.left[kind]) / f4(pool.most[kind])


@kernel
def draw_square(pool: Pool, kind: int) -> int:
    """A square of `pool.where[kind]` in proportion to the weights; -1 if there is none."""
    board = pool.where[kind]
    if board == ZERO:
        return -1
    aim = random_share(pool.random, 0) * _weight_of(pool, kind)
    square = lowest(board)
    while board != ZERO:
        square = lowest(board)
        board = without_lowest(board)
        aim -= pool.weights[kind, square]
        if aim < NONE:
            break
    return square


@kernel
def draw_kind(pool: Pool) -> int:
    """A kind in proportion to its weights on `pool.where` and to what is left of it; 0 if there is none."""
    total = NONE
    for kind in range(1, 7):
        total += _weight_of(pool, kind) * _share(pool, kind)
    aim = random_share(pool.random, 0) * total
    found = 0
    for kind in range(1, 7):
        weight = _weight_of(pool, kind) * _share(pool, kind)
        if weight > NONE:
            found = kind
            aim -= weight
            if aim < NONE:
                break
    return found
