"""Root parallelism: a search in each thread, and what their roots have learnt added up.

See Ciancarini and Favini (2010, §6.1).
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache

import numpy as np

from ks_env.core.record import Array

MOST_THREADS = 256


def share_out(budget: int, threads: int) -> list[int]:
    """The budget in parts that differ by 1 at most."""
    return [budget // threads + (i < budget % threads) for i in range(threads)]


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """Threads of a process, made when they are first needed; a forked process has none of its parent's."""
    return ThreadPoolExecutor(MOST_THREADS, thread_name_prefix=f"mcts-{process}")


def in_threads(calls: Sequence[Callable[[], int]]) -> list[int]:
    """Make the calls at once, the first one in this thread; what they give.

    Threads are kept from one choice to the next: to make one takes a good part of a millisecond, and a choice
    of 2,000 nodes some five.
    """
    others = [_pool(os.getpid()).submit(call) for call in calls[1:]]
    try:
        first = calls[0]()
    finally:
        wait(others)  # they work on memory of the caller's
    return [first, *(other.result() for other in others)]


def add_roots(roots: Sequence[Array], trust: float = 1.0) -> Array:
    """The moves of several roots, visits and totals added up.

    Args:
        roots: of each tree a record array [N] with the fields `move`, `visits`, `total` and `value`: the same
            moves in any order; the ones without visits have not been looked at.
        trust: how many visits a move's first one counts for in its total.

    Returns:
        A copy of the first root, in its order; a value is the total by the number of visits.
    """
    whole = roots[0].copy()
    order = np.argsort(whole["move"])
    trees = (whole["visits"] > 0).astype(np.int64)
    for root in roots[1:]:
        looked = root[root["visits"] > 0]
        at = order[np.searchsorted(whole["move"], looked["move"], sorter=order)]
        new, known = trees[at] == 0, trees[at] > 0
        whole[at[new]] = looked[new]
        whole["visits"][at[known]] += looked["visits"][known]
        whole["total"][at[known]] += looked["total"][known]
        trees[at] += 1
    several = trees > 1
    weights = whole["visits"] + trees * (trust - 1.0)
    whole["value"][several] = whole["total"][several] / weights[several]
    return whole
