"""What the opponent's refused tries say of a board, where they are heard."""

import numpy as np

from ks_env.belief.particles.turns import their_answer_fits
from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, bit, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import legal_targets
from ks_env.core.record import i8
from ks_env.core.tables import (
    BETWEEN,
    BOTH_SIDES,
    KING,
    KING_MOVES,
    KING_SIDE,
    PAWN,
    PAWN_ATTACKS,
    QUEEN_SIDE,
    RANK_3,
    RANK_6,
)
from ks_env.games.kriegspiel.layout import View


@kernel
def _blind_targets(truth: Truth, start: int) -> np.uint64:
    """Where a man of the side to move might go as far as that side's own men tell."""
    side = i8(truth.side)
    own = truth.seats[side]
    kind = i8(truth.men[start]) & 7
    if kind == PAWN:
        if side == 0:
            ahead = (bit(start) << np.uint64(8)) & ~own
            ahead |= ((ahead & RANK_3) << np.uint64(8)) & ~own
        else:
            ahead = (bit(start) >> np.uint64(8)) & ~own
            ahead |= ((ahead & RANK_6) >> np.uint64(8)) & ~own
        return ahead | (PAWN_ATTACKS[side, start] & ~own)
    if kind != KING:
        return man_attacks(kind, start, own) & ~own
    targets = KING_MOVES[start] & ~own
    rights = (i8(truth.rights) >> (2 * side)) & BOTH_SIDES
    if rights & KING_SIDE and own & BETWEEN[start, start + 3] == ZERO:
        targets |= bit(start + 2)
    if rights & QUEEN_SIDE and own & BETWEEN[start, start - 4] == ZERO:
        targets |= bit(start - 2)
    return targets


@kernel
def _refusable(truth: Truth, enough: int) -> bool:
    """Whether the side to move has so many different tries that the referee would call illegal."""
    men = truth.seats[i8(truth.side)]
    found = 0
    while men != ZERO and found < enough:
        start = lowest(men)
        men = without_lowest(men)
        refused = _blind_targets(truth, start) & ~legal_targets(truth, start)
        last = np.uint64(0xFF000000000000FF)
        each = 4 if truth.men[start] & 7 == PAWN else 1
        found += popcount(refused & ~last) + each * popcount(refused & last)
    return found >= enough


@kernel
def refusals_fit(truth: Truth, view: View, rules: Rules) -> bool:
    """Whether what was heard of the opponent's refused tries and of its "any?" could have been said.

    A refused try that is heard says something only where nonsense is not heard: no try is then refused twice.

    Args:
        truth: TRUTH, the opponent to move.
        view: VIEW after its turn.
    """
    if not their_answer_fits(truth, view):
        return False
    if view.heard == 0 or rules.nonsense_heard:
        return True
    return _refusable(truth, i8(view.heard))
