"""The strategic advisor (Bud et al. 2001, §4) by any UCI engine."""

from typing import Any

import chess
import numpy as np

from ks_baselines.advisors.outcomes import Sample, answer_to, lay_out
from ks_baselines.uci import MATE, UNPLAYABLE, UciScores
from ks_env.core.actions import move_to_action
from ks_env.core.answers import ILLEGAL, LOST, MOVED
from ks_env.core.record import Array
from ks_env.core.start import to_board


class UciSearch:
    """As `strategic.OwnSearch`, by an engine.

    Args:
        command: of the engine.
        depth: of its searches, in plies.

    Raises:
        UciError: it is not installed or cannot be started.
    """

    def __init__(self, command: str, depth: int) -> None:
        self._engine = UciScores(command, depth)
        self.nodes = 0  # positions given to the engine since `begin`

    def begin(self) -> None:
        """A new game."""
        self.nodes = 0

    def utilities(self, sample: Sample, tries: Array) -> Array:
        """f8[K]: the expected utility of each try of `tries: i2[K]`, in centipawns.

        Raises:
            UciError: the engine died twice.
        """
        out = np.zeros(len(tries))
        for number, share in zip(sample.chosen[: sample.boards], sample.shares, strict=False):
            passed = int(lay_out(sample.joint, int(number), sample.truths))
            out += share * self._on_board(sample.truths[1], passed, tries)
        return out

    def _scores(self, board: chess.Board) -> dict[chess.Move, int]:
        self.nodes += 1
        return self._engine.scores(board)

    def _best(self, scores: dict[chess.Move, int], board: chess.Board) -> int:
        """The value of a position by those of its moves; of one without moves, a mate or a stalemate."""
        return max(scores.values(), default=-MATE if board.is_check() else 0)

    def _on_board(self, truth: Any, passed: int, tries: Array) -> Array:
        """The utilities on one board; see `strategic.utilities_on`."""
        board = to_board(truth)
        if board.status() & UNPLAYABLE:  # one that was drawn when all others had been contradicted
            return np.zeros(len(tries))
        scores = self._scores(board)
        best = self._best(scores, board)
        by_try = {move_to_action(move, chess.WHITE): score for move, score in scores.items()}
        answers = [answer_to(truth, passed, int(action)) for action in tries]
        passing = 0
        if LOST in answers:
            board.push(chess.Move.null())
            board.clear_stack()  # an engine is told no lost turns
            passing = -self._best(self._scores(board), board)
        others = {ILLEGAL: best, LOST: passing}
        return np.array(
            [
                by_try[int(action)] if kind == MOVED else others[kind]
                for kind, action in zip(answers, tries, strict=True)
            ],
            np.float64,
        )
