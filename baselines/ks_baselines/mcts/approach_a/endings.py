"""When a simulated game is over, or decided.

T10 §5.1: simulated players play "until they draw by the fifty move rule or they reach a standard endgame
position with a clear winner (such as king and rook versus king), in which case the game is adjudicated".
Reading: a bare king has lost to a queen, a rook, or two bishops on squares of different colours, whatever
else is there. Bishop and knight are not counted: without seeing the king that ending is far from clear.
Lack of mating material is a draw at once, as under the rules; threefold repetition is left out.
"""

from ks_env.core.bits import ZERO, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import has_legal_move, insufficient_material
from ks_env.core.record import f4
from ks_env.core.tables import BISHOP, DARK, QUEEN, ROOK

GOES_ON = f4(2.0)  # no result; those are 1, 0 and −1 for side 0
WIN, DRAW, LOSS = f4(1.0), f4(0.0), f4(-1.0)
FIFTY = 100  # half-moves


@kernel
def _bare(truth: Truth, side: int) -> bool:
    return without_lowest(truth.seats[side]) == ZERO


@kernel
def _beats_a_bare_king(truth: Truth, side: int) -> bool:
    men = truth.seats[side]
    if (truth.kinds[QUEEN] | truth.kinds[ROOK]) & men != ZERO:
        return True
    bishops = truth.kinds[BISHOP] & men
    return bishops & DARK != ZERO and bishops & ~DARK != ZERO


@kernel
def clear_winner(truth: Truth) -> float:
    """WIN or LOSS if one side has a bare king and the other mates it easily, else GOES_ON."""
    if _bare(truth, 1) and _beats_a_bare_king(truth, 0):
        return WIN
    if _bare(truth, 0) and _beats_a_bare_king(truth, 1):
        return LOSS
    return GOES_ON


@kernel
def without_moves(truth: Truth, rules: Rules) -> float:
    """The result when the side to move has no legal move."""
    if truth.checkers == ZERO and not rules.stalemate_loses:
        return DRAW
    return WIN if truth.side == 1 else LOSS


@kernel
def result(truth: Truth, rules: Rules, adjudicate: bool) -> float:
    """The result after a move, the board refreshed; mate and stalemate are found when a move is looked for.

    Args:
        truth: TRUTH record after `play` and `refresh`.
        rules: RULES record.
        adjudicate: whether standard endings with a clear winner count as won.
    """
    if truth.said.captured != 0 or truth.said.promoted != 0:
        if insufficient_material(truth):
            return DRAW if has_legal_move(truth) else without_moves(truth, rules)
        if adjudicate:
            winner = clear_winner(truth)
            if winner != GOES_ON:
                return winner if has_legal_move(truth) else without_moves(truth, rules)
    if truth.clock >= FIFTY:
        return DRAW if has_legal_move(truth) else without_moves(truth, rules)
    return GOES_ON
