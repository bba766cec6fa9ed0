"""Mate progress (M07 §4.2): "a special function represents perceived progress towards winning the game"."""

import numpy as np

from ks_baselines.darkboard.constants import Constants
from ks_env.belief.metaposition.boards import king_squares
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ZERO, bit, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.tables import FILE_A, KING_MOVES, RANK_1


def _centrality() -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """f8[64]: 0 at the corners, 6 in the centre, by steps from the nearest edges."""
    steps = np.minimum(np.arange(8), 7 - np.arange(8))
    return (steps[:, None] + steps[None, :]).reshape(64).astype(np.float64)


CENTRALITY = _centrality()


@kernel
def on_one_line(board: np.uint64) -> bool:
    """Whether all its squares are on one rank or file."""
    first = lowest(board)
    rank = RANK_1 << np.uint64(first & 56)
    file = FILE_A << np.uint64(first & 7)
    return board & ~rank == ZERO or board & ~file == ZERO


@kernel
def king_progress(kings: np.uint64, c: Constants) -> float:
    """How far the opponent's king is driven to the edge: fewer and less central squares are better."""
    if kings == ZERO:
        return 0.0
    central = 0.0
    board = kings
    while board != ZERO:
        central += 1.0 + CENTRALITY[lowest(board)]
        board = without_lowest(board)
    if on_one_line(kings):
        central *= c.one_line
    return -c.centrality * central


@kernel
def is_mating(m: Metaposition, c: Constants) -> bool:
    """Whether the program is considering mate: the opponent has few men, and not more than we."""
    return m.most[0] < c.mating_men and m.most[0] <= popcount(m.own[0])


@kernel
def mated_squares(kings: np.uint64, control: np.uint64, own: np.uint64) -> np.uint64:
    """King squares without a flight: attacked ones are mate, the others stalemate."""
    stuck = ZERO
    while kings != ZERO:
        square = lowest(kings)
        kings = without_lowest(kings)
        if KING_MOVES[square] & ~control == ZERO:
            stuck |= bit(square)
    return stuck & ~own


@kernel
def left_to_the_king(m: Metaposition, control: np.uint64) -> bool:
    """Whether its king may capture a man that nothing protects."""
    loose = m.own[0] & ~control
    return loose & king_squares(m.ghosts[6]) != ZERO


@kernel
def ending(m: Metaposition, before: np.uint64, control: np.uint64, depth: int, c: Constants) -> float:
    """A possible mate, the risk of stalemate, a man left to the king; for when the opponent has few men.

    Args:
        m: METAPOSITION after the own move.
        before: where the king may have stood, before the answer to that move was assumed.
        control: squares controlled by the own men.
        depth: own moves from the root, 0 for the first.
        c: CONSTANTS.
    """
    worth = 0.0
    stuck = mated_squares(before & ~m.own[0], control, m.own[0])
    if stuck & control != ZERO:
        worth += c.mate - c.mate_delay * depth
    if stuck & ~control != ZERO:
        worth += c.stalemate
    if left_to_the_king(m, control):
        worth += c.feeding
    return worth
