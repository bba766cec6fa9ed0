"""Hard rules: what is tried before any search (figures of a published implementation; M07 has none).

After a capture, a check or the announcement of pawn tries, the first answer is a capture by the cheapest man
that can make it. And a loop breaker keeps the player from shuffling the same men to and fro.
"""

import numpy as np

from ks_baselines.darkboard.constants import Constants
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.own_move import kind_at
from ks_env.core.answers import FILE, LEAP, RANK
from ks_env.core.bits import ZERO, has
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.tables import (
    ANY,
    BISHOP,
    KING,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    QUEEN,
    ROOK,
    TRY_FROM,
    TRY_KIND,
    TRY_TO,
)
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import FREE, NOT_ASKED, OBLIGED, checked_line, is_pawn_capture

NO_RULE = -1


@kernel
def knows_of_pawn_tries(view: View) -> bool:
    """Whether the referee has announced that some pawn capture is legal."""
    return view.tries > 0 or view.try_squares != ZERO or view.asked == OBLIGED or view.asked == FREE


@kernel
def pawn_target_rank(m: Metaposition, view: View, square: int) -> int:
    """How promising a square is for a pawn's capture; 0 where no man of the opponent may be."""
    if square == view.enemy:
        return 10_000
    if not has(m.ghosts[0] | m.own[0], square):
        return 5_000 + i8(m.age[square])
    for kind in range(1, KING):
        if has(m.ghosts[kind], square):
            return 1 + i8(m.age[square])
    return 0


@kernel
def pawn_capture(m: Metaposition, view: View, tries: np.ndarray, n: int) -> int:
    """The most promising pawn capture among the tries, or -1. Promotions to less than a queen are left."""
    found, best = NO_RULE, 0
    for i in range(n):
        action = i8(tries[i])
        if action == ANY or TRY_KIND[action] != 0 or not is_pawn_capture(view, action):
            continue
        rank = 1 + pawn_target_rank(m, view, i8(TRY_TO[action]))
        if rank > best:
            found, best = action, rank
    return found


@kernel
def cheapest_landing(
    m: Metaposition, view: View, targets: np.uint64, most: int, tries: np.ndarray, n: int
) -> int:
    """The try of the least valuable man, of kind `most` at most, that lands on one of the squares, or -1.

    Straight pawn moves capture nothing.
    """
    found, least = NO_RULE, most + 1
    for i in range(n):
        action = i8(tries[i])
        if action == ANY or TRY_KIND[action] != 0 or not has(targets, i8(TRY_TO[action])):
            continue
        kind = kind_at(m, i8(TRY_FROM[action]))
        if kind == PAWN and not is_pawn_capture(view, action):
            continue
        if kind < least:
            found, least = action, kind
    return found


@kernel
def checker_squares(m: Metaposition, view: View) -> np.uint64:
    """Where the man that gives the single announced check may stand."""
    if view.checkers != 1:
        return ZERO
    if view.checks & LEAP:
        king = m.own[KING]
        squares = ZERO
        for square in range(64):
            if has(king, square):
                squares |= KNIGHT_MOVES[square]
        return squares & m.ghosts[KNIGHT]
    line = checked_line(view)
    straight = view.checks & (RANK | FILE) != 0
    men = m.ghosts[QUEEN] | (m.ghosts[ROOK] if straight else m.ghosts[BISHOP] | m.ghosts[PAWN])
    return line & men


@kernel
def answer_first(m: Metaposition, view: View, rules: Rules, tries: np.ndarray, n: int, c: Constants) -> int:
    """The try by which a pawn try, a capture or a check is answered before all else, or -1.

    The default player answers checks only after thinking. Where the ruleset has
    the question "any?", it is asked first if some pawn may capture.
    """
    if rules.ask_any != 0 and view.asked == NOT_ASKED and tries[n - 1] == ANY:
        action = pawn_capture(m, view, tries, n)
        if action >= 0 and pawn_target_rank(m, view, i8(TRY_TO[action])) > 0:
            return ANY
    if knows_of_pawn_tries(view):
        action = pawn_capture(m, view, tries, n)
        if action >= 0:
            return action
    if view.enemy >= 0:
        square = np.uint64(1) << np.uint64(view.enemy)
        action = cheapest_landing(m, view, square, i8(c.retake), tries, n)
        if action >= 0:
            return action
    if view.checkers != 0 and c.beyond == 0.0:
        return cheapest_landing(m, view, checker_squares(m, view), QUEEN, tries, n)
    return NO_RULE
