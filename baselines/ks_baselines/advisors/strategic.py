"""The strategic advisor: expected utility over boards (Bud et al. 2001, §4, equation 1).

EU(A) is the sum over boards X of Utility(A | X) Prob(X).
"""

import numpy as np

from ks_baselines.advisors.chess.board import pass_turn
from ks_baselines.advisors.chess.search import MATE, Scoring, new_scoring, score_position, score_tries
from ks_baselines.advisors.outcomes import Sample, answer_to, lay_out
from ks_env.belief.joint.layout import Joint
from ks_env.core.answers import ILLEGAL, MOVED
from ks_env.core.bits import ZERO
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.record import Array, f8, i8


@kernel
def _lost_turn(scoring: Scoring, depth: int) -> int:
    """What a lost turn is worth on `scoring.board`, which is overwritten; see `utilities_on`."""
    pass_turn(scoring.board[0])
    return -score_position(scoring.board[0], depth - 1, scoring.search[0])


@kernel
def utilities_on(truth: Truth, passed: int, tries: Array, depth: int, scoring: Scoring, out: Array) -> None:
    """The strategic utility of each try on one board, in centipawns for the mover.

    A legal try is worth what the search says; an illegal one what the best legal move is worth, since another
    try follows; a lost turn what the position is worth with the other side to move.

    Args:
        truth: TRUTH of the board.
        passed: square that a pawn has just passed over; -1.
        tries: i2[K].
        depth: of the search, in plies, the try included.
        scoring: overwritten.
        out: f8[K], filled.
    """
    legal = score_tries(scoring, truth, depth)
    best = -MATE if truth.checkers != ZERO else 0  # where there is no legal move
    if legal > 0:
        best = i8(scoring.scores[:legal].max())
    passing = 0
    known = False
    for i in range(tries.shape[0]):
        answer = answer_to(truth, passed, i8(tries[i]))
        if answer == MOVED:
            out[i] = f8(scoring.by_try[tries[i]])
        elif answer == ILLEGAL:
            out[i] = f8(best)
        else:
            if not known:
                passing = _lost_turn(scoring, depth)
                known = True
            out[i] = f8(passing)


@kernel
def expected_utilities(
    joint: Joint,
    truths: Array,
    chosen: Array,
    shares: Array,
    boards: int,
    tries: Array,
    depth: int,
    scoring: Scoring,
    one: Array,
    out: Array,
) -> None:
    """Fill `out: f8[K]` with the expected utility of each try over a `Sample`, in centipawns.

    Args:
        joint, truths, chosen, shares, boards: a `Sample`.
        tries: i2[K].
        depth: see `utilities_on`.
        scoring: overwritten.
        one: f8[K], overwritten.
        out: f8[K].
    """
    out[:] = 0.0
    for k in range(boards):
        passed = lay_out(joint, i8(chosen[k]), truths)
        utilities_on(truths[1], passed, tries, depth, scoring, one)
        for i in range(tries.shape[0]):
            out[i] += shares[k] * one[i]


class OwnSearch:
    """The strategic advisor by our own fixed-depth search.

    Args:
        depth: plies, the try included; captures are looked into below.
    """

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self._scoring = new_scoring()

    @property
    def nodes(self) -> int:
        """Positions searched since `begin`."""
        return int(self._scoring.search[0]["nodes"])

    def begin(self) -> None:
        """A new game."""
        self._scoring.search[0]["nodes"] = 0

    def utilities(self, sample: Sample, tries: Array) -> Array:
        """f8[K]: the expected utility of each try of `tries: i2[K]`, in centipawns."""
        one, out = np.zeros(len(tries)), np.zeros(len(tries))
        expected_utilities(*sample, tries, self.depth, self._scoring, one, out)
        return out
