"""The strategic advisor: expected utility over boards (I01 §4, equation 1).

EU(A) is the sum over boards X of Utility(A | X) Prob(X).
"""

import numpy as np

from baselines.advisors.outcomes import utilities_on
from ks_env.belief.joint.boards import whole_board
from ks_env.core.jit import kernel


@kernel
def expected_utilities(
    joint: np.void,
    truths: np.ndarray,
    chosen: np.ndarray,
    shares: np.ndarray,
    boards: int,
    tries: np.ndarray,
    count: int,
    depth: int,
    memory: np.void,
    board: np.void,
    moves: np.ndarray,
    scores: np.ndarray,
    by_try: np.ndarray,
    one: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill `out: f8[count]` with the expected utility of each try, in centipawns.

    Args:
        joint: the seat's distribution, brought up to date.
        truths: TRUTH[3]; the first holds what all boards share.
        chosen: i4[boards], numbers of boards; `shares: f8[boards]` their probabilities.
        shares: see `chosen`.
        boards: how many.
        tries: i2[count].
        count: how many.
        depth: see `outcomes.utilities_on`, as are the remaining arguments.
        memory: SEARCH.
        board: BOARD.
        moves: i4[MOST_MOVES].
        scores: i4[MOST_MOVES].
        by_try: i4[TRIES].
        one: f8[MOST_TRIES].
        out: f8[MOST_TRIES].
    """
    for i in range(count):
        out[i] = 0.0
    for k in range(boards):
        at = np.int64(chosen[k])
        passed = np.int64(joint.passed[at])
        whole_board(joint.known, truths, 1, joint.squares[at], passed)
        if passed < 0:
            passed = np.int64(joint.known.passed)
        utilities_on(truths[1], passed, tries, count, depth, memory, board, moves, scores, by_try, one)
        for i in range(count):
            out[i] += shares[k] * one[i]
