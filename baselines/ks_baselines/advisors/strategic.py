"""The strategic advisor: expected utility over boards (I01 §4, equation 1).

EU(A) is the sum over boards X of Utility(A | X) Prob(X).
"""

from typing import Any

import numpy as np

from ks_baselines.advisors.chess.board import BOARD, Board, from_truth, pass_turn
from ks_baselines.advisors.chess.moves import MOST_MOVES, end_of, promotion_of, start_of
from ks_baselines.advisors.chess.search import MATE, Search, score_moves, score_position, search_memory
from ks_baselines.advisors.outcomes import Sample, answer_to, lay_out
from ks_env.belief.joint.layout import Joint
from ks_env.core.answers import ILLEGAL, MOVED
from ks_env.core.bits import ZERO
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.record import f8, i8
from ks_env.core.tables import QUEEN, TRIES
from ks_env.core.tries import MOST_TRIES, number_of


@kernel
def _action_of(move: int) -> int:
    kind = promotion_of(move)
    return number_of(start_of(move), end_of(move), kind if kind != QUEEN else 0)


@kernel
def utilities_on(
    truth: Truth,
    passed: int,
    tries: np.ndarray,
    count: int,
    depth: int,
    memory: Search,
    board: Board,
    moves: np.ndarray,
    scores: np.ndarray,
    by_try: np.ndarray,
    out: np.ndarray,
) -> None:
    """The strategic utility of each try on one board, in centipawns for the mover.

    A legal try is worth what the search says; a lost turn what the position is worth with the other side to
    move; an illegal one what the best legal move is worth, since another try follows.

    Args:
        truth: TRUTH of the board.
        passed: square that a pawn has just passed over; -1.
        tries: i2[count].
        count: how many.
        depth: of the search, in plies, the try included.
        memory: SEARCH.
        board: BOARD, overwritten.
        moves: i4[MOST_MOVES], overwritten.
        scores: i4[MOST_MOVES], overwritten.
        by_try: i4[TRIES], overwritten.
        out: f8[count], filled.
    """
    from_truth(truth, board)
    legal = score_moves(board, depth, memory, moves, scores)
    best = -MATE if truth.checkers != ZERO else 0  # where there is no legal move
    if legal > 0:
        best = i8(scores[0])
    for i in range(legal):
        by_try[_action_of(i8(moves[i]))] = scores[i]
        best = max(best, i8(scores[i]))
    passing = 0
    known = False
    for i in range(count):
        answer = answer_to(truth, passed, i8(tries[i]))
        if answer == MOVED:
            out[i] = f8(by_try[tries[i]])
        elif answer == ILLEGAL:
            out[i] = f8(best)
        else:
            if not known:
                pass_turn(board)
                passing = -score_position(board, depth - 1, memory)
                known = True
            out[i] = f8(passing)


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
        depth: see `utilities_on`, as are the remaining arguments.
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
        passed = lay_out(joint, i8(chosen[k]), truths)
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
