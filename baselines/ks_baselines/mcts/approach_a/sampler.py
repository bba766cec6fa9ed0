"""`generateRandomBoard` of Ciancarini and Favini (2010, Fig. 5): the opponent's men filled in at random.

"We fill the entire board before we even start Selection." A pool of boards is made for each decision (100 in
the published figures), and each iteration of the search takes one of them. A board is drawn anew up to
`attempts` times until nothing of the last message contradicts it; otherwise the one with the fewest
contradictions is taken. What is not a legal position or leaves none of the turn's tries legal is never taken.

Contradictions that are counted: each check type announced and not given, or given and not announced; a wrong
number of checkers; the difference in pawn tries (where only yes or no is said, 1); each try refused this turn
that would be legal. Not checked again is what the metaposition holds of earlier messages, the results of the
own last move among them, since every man is placed within it.

Reading: the opponent's last move is not part of a board. A capture en passant is open on it only if pawn
tries were announced for which it has no other reason.
"""

import numpy as np

from ks_baselines.mcts.approach_a.constants import Constants
from ks_baselines.mcts.approach_a.place import (
    allow_en_passant,
    count_men,
    set_certain_men,
    set_checkers,
    set_king,
    set_pawn_tries,
    set_pawns,
    set_pieces,
    settle_king,
)
from ks_baselines.mcts.approach_a.pool import Pool
from ks_env.belief.location.layout import Location
from ks_env.belief.metaposition.announcements import SAID_YES, own_tries_said
from ks_env.belief.particles.boards import add_their_rights, shared_board
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
    said = own_tries_said(view)
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
    """Whether one of the turn's tries is legal: else the game would be over, or the board is impossible."""
    for i in range(n):
        action = i8(tries[i])
        if is_legal(truth, i8(TRY_FROM[action]), i8(TRY_TO[action])):
            return True
    return False


LATEST = 98  # of the half-move clock, where a quiet move does not end the game


@kernel
def set_own_men(pool: Pool, view: View) -> None:
    """The part that all boards of the turn have in common, into `pool.base`.

    The half-move clock is half of the bound that the seat can compute (reading): a silent move of the
    opponent's pawns is not heard, so that the bound often passes the end of the clock while the game goes on.
    """
    base = pool.base[0]
    shared_board(view.men, i8(view.rights), 0, base)
    base.clock = i8(min(i8(view.fifty), i8(LATEST))) // 2
    base.move_number = view.moves


@kernel
def fill(pool: Pool, place: Location, view: View, rules: Rules, n: int) -> bool:
    """Draw one board into `pool.trial`; False if it is impossible, or leaves no try legal."""
    known = place.known
    pool.trial[0] = pool.base[0]
    pool.closed[0] = ZERO
    count_men(pool, place)
    if not set_certain_men(pool, known, view.checkers == 0):
        return False
    set_checkers(pool, known, view)
    set_pawn_tries(pool, known, view, rules)
    if not (set_king(pool, known) and set_pawns(pool, known) and set_pieces(pool, known)):
        return False
    if not settle_king(pool, known):
        return False
    trial = pool.trial[0]
    add_their_rights(trial, i8(known.their_rights))
    refresh(trial)
    if popcount(trial.checkers) > 2:
        return False
    try_en_passant(trial, view, rules)
    return has_a_try(trial, pool.tries, n)


@kernel
def generate_random_board(
    pool: Pool, slot: int, place: Location, view: View, rules: Rules, n: int, attempts: int
) -> bool:
    """Draw `pool.boards[slot]`; False if no attempt made a legal position."""
    least = -1
    for _ in range(attempts):
        if not fill(pool, place, view, rules, n):
            continue
        faults = contradictions(pool.trial[0], view, rules)
        if least < 0 or faults < least:
            least = faults
            pool.boards[slot] = pool.trial[0]
            if faults == 0:
                break
    return least >= 0


@kernel
def fill_pool(pool: Pool, size: int, place: Location, view: View, rules: Rules, n: int, c: Constants) -> int:
    """Draw the boards of a decision; how many there are.

    Args:
        pool: its `weights`, `begun`, `random` and first n `tries` are set.
        size: boards to draw at most.
        place: LOCATION of the seat, which is to move.
        n: tries of the turn, without "any?".
    """
    set_own_men(pool, view)
    pool.used[0] = 0
    for _ in range(size):
        slot = pool.used[0]
        if generate_random_board(pool, slot, place, view, rules, n, i8(c.attempts)):
            pool.used[0] += 1
    return pool.used[0]
