"""Simulation (T10 §5.1): pseudo-random moves for both sides on the whole board, to the end of the game.

"Both players almost always try to capture back or exploit a pawn try when possible." Readings where T10 is
silent: capturing back is done by the least valuable man that can, "almost always" is a constant, and one of
the pawn tries is drawn among the pawns that have one. Any other move is drawn man first and then square, each
alike, so that no list of moves is made; that also has all men move about equally often, as T10 §5.2 assumes.
Pawns become queens. Refused tries of simulated players are not simulated, since they change no position.
"""

import numpy as np

from ks_baselines.mcts.approach_a.constants import Constants
from ks_baselines.mcts.approach_a.draws import random_square
from ks_baselines.mcts.approach_a.endings import GOES_ON, result, without_moves
from ks_env.core.bits import ZERO, bit, has, lowest, random_below, random_share, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import attackers, is_legal, legal_targets, play, refresh, safe_king_squares
from ks_env.core.record import i8
from ks_env.core.tables import FILE_A, KING, KING_MOVES, PAWN

NO_MOVE = -1


@kernel
def pair(start: int, end: int) -> int:
    """A move as one number."""
    return start | end << 6


@kernel
def recapture(truth: Truth, square: int) -> int:
    """A capture on the square by the least valuable man that can make it, or NO_MOVE."""
    found = attackers(truth, square, i8(truth.side), truth.seats[0] | truth.seats[1])
    if found == ZERO:
        return NO_MOVE
    for kind in range(PAWN, KING + 1):
        men = found & truth.kinds[kind]
        while men != ZERO:
            if is_legal(truth, lowest(men), square):
                return pair(lowest(men), square)
            men = without_lowest(men)
    return NO_MOVE


@kernel
def pawn_try(truth: Truth, random: np.ndarray) -> int:
    """One of the legal pawn captures; there has to be one."""
    start = random_square(random, truth.try_squares)
    targets = legal_targets(truth, start) & ~(FILE_A << np.uint64(start & 7))
    return pair(start, random_square(random, targets))


@kernel
def _some_target(truth: Truth, random: np.ndarray, start: int, own: np.uint64) -> int:
    """A square to which the man may go, or NO_MOVE; for a king that may not castle, one is looked at."""
    if has(truth.kinds[KING], start) and truth.rights == 0:
        targets = KING_MOVES[start] & ~own
        if targets != ZERO:
            targets = safe_king_squares(truth, bit(random_square(random, targets)))
    else:
        targets = legal_targets(truth, start)
    return NO_MOVE if targets == ZERO else random_square(random, targets)


@kernel
def _move_of_any(truth: Truth, random: np.ndarray, men: np.uint64) -> int:
    """A man drawn among those that can move, and one of its squares; NO_MOVE if there is none."""
    found, able = NO_MOVE, 0
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        targets = legal_targets(truth, start)
        if targets != ZERO:
            able += 1
            if random_below(random, 0, able) == 0:
                found = pair(start, random_square(random, targets))
    return found


@kernel
def random_move(truth: Truth, random: np.ndarray, rejections: int) -> int:
    """A random legal move of the side to move, or NO_MOVE."""
    own = truth.seats[i8(truth.side)]
    if truth.checkers == ZERO:
        for _ in range(rejections):
            start = random_square(random, own)
            end = _some_target(truth, random, start, own)
            if end != NO_MOVE:
                return pair(start, end)
    return _move_of_any(truth, random, own)


@kernel
def pseudo_random_move(truth: Truth, random: np.ndarray, c: Constants) -> int:
    """`getPseudoRandomMove` of T10 (Fig. 5): a legal move of the side to move, or NO_MOVE."""
    landed = i8(truth.said.landing)
    if landed >= 0 and random_share(random, 0) < c.recapture:
        move = recapture(truth, landed)
        if move != NO_MOVE:
            return move
    if truth.tries > 0 and random_share(random, 0) < c.pawn_try:
        return pawn_try(truth, random)
    return random_move(truth, random, i8(c.rejections))


@kernel
def move_on(truth: Truth, random: np.ndarray, rules: Rules, adjudicate: bool, c: Constants) -> float:
    """Play one pseudo-random move; the result for side 0, or GOES_ON."""
    move = pseudo_random_move(truth, random, c)
    if move == NO_MOVE:
        return without_moves(truth, rules)
    play(truth, move & 63, move >> 6, 0)
    refresh(truth)
    return result(truth, rules, adjudicate)


@kernel
def simulate(truth: Truth, random: np.ndarray, rules: Rules, adjudicate: bool, c: Constants) -> float:
    """Play to the end, the board being used up; the result for side 0.

    It ends: the fifty-move rule bounds the moves between captures and pawn moves, which are not many.
    """
    value = GOES_ON
    while value == GOES_ON:
        value = move_on(truth, random, rules, adjudicate, c)
    return value
