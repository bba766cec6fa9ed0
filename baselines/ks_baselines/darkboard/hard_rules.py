"""What is done before any search: hard rules (figures of a published implementation).

Ciancarini and Favini (2007) have none.

Each of `ask_first`, `take_first` and `answer_first` does what the one before it does, and more; the program
of Ciancarini and Favini (2007) have the first alone, which moves nothing.

After a capture, a check or the announcement of pawn tries, the first answer is a capture by the cheapest man
that can make it. And a loop breaker keeps the player from shuffling the same men to and fro: a position of
the whole board can only come again if the own men stand as before, the player knows where these stood, and
avoids to go back.
"""

from typing import NamedTuple

import numpy as np

from ks_baselines.darkboard.constants import Constants
from ks_env.belief.metaposition.boards import knight_squares
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.own_move import kind_at
from ks_env.belief.terms.placements import key_after, placement_key
from ks_env.core.answers import FILE, LEAP, RANK
from ks_env.core.bits import ZERO, has, popcount
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.ruleset import NO_QUESTION
from ks_env.core.tables import (
    ANY,
    BISHOP,
    KING,
    KNIGHT,
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
        return knight_squares(m.own[KING]) & m.ghosts[KNIGHT]
    line = checked_line(view)
    straight = view.checks & (RANK | FILE) != 0
    men = m.ghosts[QUEEN] | (m.ghosts[ROOK] if straight else m.ghosts[BISHOP] | m.ghosts[PAWN])
    return line & men


@kernel
def ask_first(m: Metaposition, view: View, rules: Rules, tries: np.ndarray, n: int, c: Constants) -> int:
    """The question "any?" where the ruleset has it and some pawn may capture, or -1.

    The referee of Ciancarini and Favini (2007) announces pawn tries unasked; where the question stands for
    that, it is put.
    """
    if rules.ask_any != NO_QUESTION and view.asked == NOT_ASKED and tries[n - 1] == ANY:
        action = pawn_capture(m, view, tries, n)
        if action >= 0 and pawn_target_rank(m, view, i8(TRY_TO[action])) > 0:
            return ANY
    return NO_RULE


@kernel
def take_first(m: Metaposition, view: View, rules: Rules, tries: np.ndarray, n: int, c: Constants) -> int:
    """As `ask_first`, and a pawn try or a capture is answered by a capture, or -1."""
    if ask_first(m, view, rules, tries, n, c) != NO_RULE:
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
    return NO_RULE


@kernel
def answer_first(m: Metaposition, view: View, rules: Rules, tries: np.ndarray, n: int, c: Constants) -> int:
    """As `take_first`, and a check is answered by the capture of the man that gives it.

    The default player, which does not go by this, answers checks only after thinking.
    """
    action = take_first(m, view, rules, tries, n, c)
    if action == NO_RULE and view.checkers != 0:
        return cheapest_landing(m, view, checker_squares(m, view), QUEEN, tries, n)
    return action


MOST_KEPT = 4096
FORBIDDEN = 10_000.0  # a placement that has stood twice


class Past(NamedTuple):
    """Placements at the beginning of own turns since the last move that cannot be undone.

    Attributes:
        keys: u8[MOST_KEPT], one a turn, the oldest first.
        state: u8[4]: how many keys, men of both sides, own pawns, half-moves told (see `stamp`).
    """

    keys: np.ndarray
    state: np.ndarray


def new_past() -> Past:
    """An empty history."""
    return Past(np.zeros(MOST_KEPT, np.uint64), np.zeros(4, np.uint64))


@kernel
def note_turn(past: Past, m: Metaposition, view: View) -> None:
    """An own turn begins: note the placement, once; forget all before a capture or an own pawn move."""
    if past.state[3] == m.stamp and past.state[0] != 0:
        return
    men = np.uint64(i8(m.most[0]) + 32 * popcount(m.own[0]))
    if men != past.state[1] or m.own[PAWN] != past.state[2] or past.state[0] == MOST_KEPT:
        past.state[0] = ZERO
    past.state[1], past.state[2], past.state[3] = men, m.own[PAWN], np.uint64(m.stamp)
    past.keys[past.state[0]] = placement_key(view)
    past.state[0] += np.uint64(1)


@kernel
def times_before(past: Past, key: np.uint64, back: int) -> int:
    """How often the placement stood among the last `back` turns."""
    n = i8(past.state[0])
    times = 0
    for i in range(n):
        if i >= n - back and past.keys[i] == key:
            times += 1
    return times


@kernel
def repetition_bias(
    past: Past,
    view: View,
    tries: np.ndarray,
    n: int,
    back: int,
    free: int,
    cost: float,
    bias: np.ndarray,
) -> None:
    """Take `cost` off a try for each time that its placement stood among the last turns beyond `free` times.

    A placement that has stood twice might complete a threefold repetition: it is left out of account.
    """
    key = placement_key(view)
    for i in range(n):
        times = times_before(past, key_after(key, view, i8(tries[i])), back)
        bias[i] -= cost * max(0, times - free)
        if times >= 2:
            bias[i] -= FORBIDDEN
