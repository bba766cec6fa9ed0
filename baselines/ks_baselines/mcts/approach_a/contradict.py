"""What the referee's last message, and this turn's refusals, have against a board.

Counted are: each check type announced and not given, or given and not announced; a wrong number of checkers;
the difference in pawn tries (where only yes or no is said, 1); each try refused this turn that would be
legal. Not checked again is what the metaposition holds of earlier messages, the results of the own last move
among them, since every man is placed within it.

Reading: the opponent's last move is not part of a board. A capture en passant is open on it only if pawn
tries were announced for which it has no other reason.
"""

import numpy as np

from ks_baselines.mcts.approach_a.evidence import allow_en_passant
from ks_env.belief.metaposition.announcements import SAID_YES, own_tries_said
from ks_env.core.bits import ZERO, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import check_types, is_legal, refresh
from ks_env.core.record import i1, i8
from ks_env.core.ruleset import COUNT, SQUARES
from ks_env.core.tables import TRY_FROM, TRY_TO, TRY_WORDS
from ks_env.games.kriegspiel.layout import View


@kernel
def check_faults(truth: Truth, view: View) -> int:
    """Check types and checkers other than announced."""
    types = i8(check_types(truth)) ^ i8(view.checks)
    return popcount(np.uint64(types)) + abs(popcount(truth.checkers) - i8(view.checkers))


@kernel
def tries_faults(truth: Truth, view: View, rules: Rules) -> int:
    """Pawn tries other than announced."""
    if rules.pawn_tries == SQUARES:
        return popcount(truth.try_squares ^ view.try_squares)
    said = own_tries_said(view, rules)
    if said < 0:
        return 0
    there = i8(truth.tries)
    if rules.pawn_tries == COUNT and said != SAID_YES:
        return abs(there - said)
    return 1 if (there > 0) != (said > 0) else 0


@kernel
def refusal_faults(truth: Truth, view: View) -> int:
    """Tries refused this turn that would be legal."""
    faults = 0
    if view.refusals == 0:
        return faults
    for word in range(TRY_WORDS):
        left = view.refused[word]
        while left != ZERO:
            action = word * 64 + lowest(left)
            left = without_lowest(left)
            if is_legal(truth, i8(TRY_FROM[action]), i8(TRY_TO[action])):
                faults += 1
    return faults


@kernel
def contradictions(truth: Truth, view: View, rules: Rules) -> int:
    """All that speaks against a board; 0 for one that fits. The board has to be refreshed."""
    return check_faults(truth, view) + tries_faults(truth, view, rules) + refusal_faults(truth, view)


@kernel
def try_en_passant(truth: Truth, view: View, rules: Rules) -> None:
    """If pawn tries are missing, let the opponent's last move be a double step that explains them."""
    faults = tries_faults(truth, view, rules)
    if faults == 0 or view.lost >= 0:
        return
    for square in range(32, 40):
        if allow_en_passant(truth, square):
            truth.ep = i1(square + 8)
            refresh(truth)
            if tries_faults(truth, view, rules) < faults:
                return
            truth.ep = i1(-1)
            refresh(truth)


@kernel
def has_a_try(truth: Truth, tries: np.ndarray, n: int) -> bool:
    """Whether one of the turn's tries is legal: else the game would be over, or the board is none."""
    for i in range(n):
        action = i8(tries[i])
        if is_legal(truth, i8(TRY_FROM[action]), i8(TRY_TO[action])):
            return True
    return False
