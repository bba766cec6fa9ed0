"""Simulation: pseudo-random moves for both sides on the whole board, to the end of the game.

See Ciancarini and Favini (2010, §5.1).

"Both players almost always try to capture back or exploit a pawn try when possible." Readings where
Ciancarini and Favini (2010) are silent: capturing back is done by the least valuable man that can, "almost
always" is a constant, and one of the pawn tries is drawn among the pawns that have one. Any other move is
drawn man first and then square, each alike, so that no list of moves is made; that also has all men move
about equally often, as Ciancarini and Favini (2010, §5.2) assume. Pawns become queens. Refused tries of
simulated players are not simulated, since they change no position.

Simulated players play "until they draw by the fifty move rule or they reach a standard endgame position with
a clear winner (such as king and rook versus king), in which case the game is adjudicated". Reading: a bare
king has lost to a queen, a rook, or two bishops on squares of different colours, whatever else is there.
Bishop and knight are not counted: without seeing the king that ending is far from clear. Lack of mating
material is a draw at once, as under the rules; threefold repetition is left out.
"""

import numpy as np

from ks_baselines.darkboard.moves import end_of, pack, start_of
from ks_baselines.mcts.approach_a.constants import Constants
from ks_env.belief.particles.rejuvenation import any_of
from ks_env.core.bits import ZERO, bit, has, lowest, random_below, random_share, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import (
    attackers,
    has_legal_move,
    insufficient_material,
    is_legal,
    legal_targets,
    play,
    refresh,
    safe_king_squares,
)
from ks_env.core.record import f4, i8
from ks_env.core.tables import BISHOP, DARK, FILE_A, KING, KING_MOVES, PAWN, QUEEN, ROOK

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


NO_MOVE = -1


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
                return pack(lowest(men), square, 0, 0)
            men = without_lowest(men)
    return NO_MOVE


@kernel
def pawn_try(truth: Truth, random: np.ndarray) -> int:
    """One of the legal pawn captures; there has to be one."""
    start = any_of(truth.try_squares, random)
    targets = legal_targets(truth, start) & ~(FILE_A << np.uint64(start & 7))
    return pack(start, any_of(targets, random), 0, 0)


@kernel
def _some_target(truth: Truth, random: np.ndarray, start: int, own: np.uint64) -> int:
    """A square to which the man may go, or NO_MOVE; for a king that may not castle, one is looked at."""
    if has(truth.kinds[KING], start) and truth.rights == 0:
        targets = KING_MOVES[start] & ~own
        if targets != ZERO:
            targets = safe_king_squares(truth, bit(any_of(targets, random)))
    else:
        targets = legal_targets(truth, start)
    return NO_MOVE if targets == ZERO else any_of(targets, random)


@kernel
def _move_of_any(truth: Truth, random: np.ndarray, men: np.uint64) -> int:
    """A man drawn among those that can move, and one of its squares; NO_MOVE if all are stuck."""
    found, able = NO_MOVE, 0
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        targets = legal_targets(truth, start)
        if targets != ZERO:
            able += 1
            if random_below(random, 0, able) == 0:
                found = pack(start, any_of(targets, random), 0, 0)
    return found


@kernel
def random_move(truth: Truth, random: np.ndarray, rejections: int) -> int:
    """A random legal move of the side to move, or NO_MOVE."""
    own = truth.seats[i8(truth.side)]
    if truth.checkers == ZERO:
        for _ in range(rejections):
            start = any_of(own, random)
            end = _some_target(truth, random, start, own)
            if end != NO_MOVE:
                return pack(start, end, 0, 0)
    return _move_of_any(truth, random, own)


@kernel
def pseudo_random_move(truth: Truth, random: np.ndarray, c: Constants) -> int:
    """`getPseudoRandomMove` of Ciancarini and Favini (2010, Fig. 5): a legal move, or NO_MOVE."""
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
    play(truth, start_of(move), end_of(move), 0)
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
