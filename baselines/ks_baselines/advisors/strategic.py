"""The strategic advisor: expected utility over boards (I01 §4, equation 1).

EU(A) is the sum over boards X of Utility(A | X) Prob(X).
"""

from typing import Any

import numpy as np

from ks_baselines.advisors.chess.board import BOARD, Board
from ks_baselines.advisors.chess.moves import MOST_MOVES
from ks_baselines.advisors.chess.search import Search, search_memory
from ks_baselines.advisors.outcomes import utilities_on
from ks_baselines.advisors.sampling import Sample
from ks_env.belief.joint.boards import whole_board
from ks_env.belief.joint.layout import Joint
from ks_env.core.jit import kernel
from ks_env.core.record import i8
from ks_env.core.tables import TRIES
from ks_env.core.tries import MOST_TRIES

Array = np.ndarray[Any, Any]


@kernel
def expected_utilities(
    joint: Joint,
    truths: np.ndarray,
    chosen: np.ndarray,
    shares: np.ndarray,
    boards: int,
    tries: np.ndarray,
    count: int,
    depth: int,
    memory: Search,
    board: Board,
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
        at = i8(chosen[k])
        passed = i8(joint.passed[at])
        whole_board(joint.known, truths, 1, joint.squares[at], passed)
        if passed < 0:
            passed = i8(joint.known.passed)
        utilities_on(truths[1], passed, tries, count, depth, memory, board, moves, scores, by_try, one)
        for i in range(count):
            out[i] += shares[k] * one[i]


class OwnSearch:
    """The strategic advisor by our own fixed-depth search.

    Args:
        depth: plies, the try included; captures are looked into below.
    """

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self._memory = search_memory()
        self._board = np.zeros(1, BOARD)
        self._moves, self._scores = np.zeros(MOST_MOVES, np.int32), np.zeros(MOST_MOVES, np.int32)
        self._by_try = np.zeros(TRIES, np.int32)
        self._one, self._out = np.zeros(MOST_TRIES), np.zeros(MOST_TRIES)

    @property
    def nodes(self) -> int:
        """Positions searched since `begin`."""
        return int(self._memory[0]["nodes"])

    def begin(self) -> None:
        """A new game."""
        self._memory[0]["nodes"] = 0

    def utilities(self, sample: Sample, tries: Array) -> Array:
        """f8[K]: the expected utility of each try of `tries: i2[K]`, in centipawns."""
        expected_utilities(
            *sample,
            tries,
            len(tries),
            self.depth,
            self._memory[0],
            self._board[0],
            self._moves,
            self._scores,
            self._by_try,
            self._one,
            self._out,
        )
        return self._out[: len(tries)].copy()
