"""The value of a move at once: approach C's weighted average over its messages (T10 §5.3, Fig. 9).

"Since the percentages for each referee message are known in the model, it is easy to calculate the results
for each and obtain a weighed average value." The messages are: illegal; silent; a capture of a pawn or a
piece; a check; and then the opponent's: a retaliation, a capture elsewhere, the capture of the checking man,
silence. Strings of captures on one square are followed to their end ("the algorithm also accounts for
quiescence").
"""

import numpy as np

from ks_baselines.darkboard.moves import end_of, kind_of, start_of, under_of
from ks_baselines.mcts.constants import Constants
from ks_baselines.mcts.tree import Move, Node
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import KING, PAWN, QUEEN

ONE = f4(1.0)
NONE = f4(0.0)
MOST_CAPTURES = 6  # of a string on one square


@kernel
def exchange(value: float, first: float, control: float, guards: int, c: Constants) -> float:
    """Expected loss where a man worth `value` stands, the opponent to move, from a string of captures.

    The opponent captures first with chance `first`, later with the chance that Prob_control leaves for so
    many men ("for the second and subsequent captures, the program uses Prob_control"). Each side stops where
    going on would lose. Its men are taken to be pieces, ours after the first as well.

    Args:
        value: of the man that stands there.
        first: chance of the first capture.
        control: Prob_control of the square.
        guards: own men that may take back.
        c: CONSTANTS.
    """
    gain = NONE  # of the own recapture at the depth in hand, worked out from the end
    for step in range(min(MOST_CAPTURES, guards), 0, -1):
        again = min(ONE, max(NONE, control - f4(step)))
        gain = max(NONE, c.enemy_piece - again * max(NONE, c.own[3] - gain))
    return first * max(NONE, value - gain)


@kernel
def becomes(move: int) -> int:
    """Kind of the man after the move."""
    if kind_of(move) == PAWN and end_of(move) >= 56:
        return under_of(move) if under_of(move) != 0 else QUEEN
    return kind_of(move)


@kernel
def promotion_gain(move: int, c: Constants) -> float:
    """What a man is worth more after the move."""
    return c.own[becomes(move)] - c.own[kind_of(move)]


@kernel
def other_guards(guards: np.ndarray, move: int) -> int:
    """Own men that guard the square to which a move goes, the one that moves apart."""
    return without_mover(i8(guards[end_of(move)]), move)


@kernel
def without_mover(number: int, move: int) -> int:
    """The number of men that guard the square to which a move goes, less the one that moves.

    A pawn that steps and a king that castles did not attack the square they go to.
    """
    start, end = start_of(move), end_of(move)
    attacks = (start ^ end) & 7 != 0 if kind_of(move) == PAWN else True
    if kind_of(move) == KING and abs(start - end) == 2:
        attacks = False
    return max(0, number - (1 if attacks else 0))


@kernel
def exposed(known: Metaposition, control: np.ndarray) -> float:
    """Sum of Prob_control over the own men but the king: what the victim of a capture is drawn by."""
    total = NONE
    men = known.own[0] & ~known.own[KING]
    while men != ZERO:
        total += control[lowest(men)]
        men = without_lowest(men)
    return total


@kernel
def mean_suffered(known: Metaposition, control: np.ndarray, guards: np.ndarray, c: Constants) -> float:
    """Sum over own men of Prob_control times the loss if that man is captured."""
    total = NONE
    for kind in range(1, KING):
        men = known.own[kind]
        while men != ZERO:
            square = lowest(men)
            men = without_lowest(men)
            loss = exchange(c.own[kind], ONE, control[square], guards[square], c)
            total += control[square] * loss
    return total


@kernel
def static_value(
    node: Node,
    entry: Move,
    control: np.ndarray,
    guards: np.ndarray,
    exposure: float,
    suffered: float,
    c: Constants,
) -> float:
    """The weighted average over the messages to a move.

    Args:
        node: NODE.
        entry: MOVE with its chances.
        control: f4[64], Prob_control before the move.
        guards: i8[64], `count_guards`.
        exposure: `exposed`.
        suffered: `mean_suffered`.
        c: CONSTANTS.
    """
    move = i8(entry.move)
    start, end, kind = start_of(move), end_of(move), kind_of(move)
    value = c.own[becomes(move)]
    others = other_guards(guards, move)
    taken = exchange(value, ONE, control[end], others, c)
    captures = entry.pawn + entry.piece
    balance = node.balance
    threatened = control[end] > NONE
    total = max(NONE, exposure + (control[end] - control[start] if kind != KING else NONE))
    quiet = NONE
    if total > NONE:
        lost = suffered
        if kind != KING:
            before = exchange(value, ONE, control[start], guards[start], c)
            lost += control[end] * taken - control[start] * before
        quiet = c.suffering * max(NONE, lost) / total
    retaliation = c.retaliation if threatened and kind != KING else NONE
    after_capture = entry.pawn * c.enemy_pawn + entry.piece * c.enemy_piece
    after_capture -= captures * (retaliation * taken + (ONE - retaliation) * quiet)
    checked = entry.check if threatened and kind != KING else NONE
    silent = (ONE - captures) * ((ONE - checked) * quiet + checked * c.checker_taken * taken)
    legal = balance + promotion_gain(move, c) + after_capture - max(NONE, silent)
    return entry.legal * legal + (ONE - entry.legal) * balance
