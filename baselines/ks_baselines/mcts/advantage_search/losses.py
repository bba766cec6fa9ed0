"""The value of a move in `advantage-search`: expected losses from calibrated maps, each man by its worth.

It is the value if the move is accepted: a refused try costs nothing. Men differ in worth, and a man's danger
is not a fixed chance spread over all men, but what became of men in its situation in real games
(`research.danger`): those that stood still are hardly ever captured, as the opponent does
not know of them.
"""

import numpy as np

from ks_baselines.darkboard.moves import end_of, kind_of, start_of
from ks_baselines.mcts.advantage_search.constants import AdvantageConstants
from ks_baselines.mcts.messages import set_captures
from ks_baselines.mcts.tree import Move, Node, Tree
from ks_baselines.mcts.worth import becomes, exchange, other_guards, promotion_gain
from ks_env.belief.location.answers import chance_legal, king_control, pawn_control
from ks_env.belief.location.layout import NONE, ONE, Location
from ks_env.core.bits import ZERO, bit, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import KING, PAWN

LEAST = f4(0.003)  # of what a logarithm is taken
STOOD, MOVED, TOOK = range(3)
TERMS = 7  # of the regression of `chance_taken`


@kernel
def chance_taken(
    maps: np.ndarray, control: np.ndarray, square: int, guards: int, doing: int, c: AdvantageConstants
) -> float:
    """Chance that a man on the square is captured in the opponent's next turn: a logistic regression.

    Its terms are a constant, the expected number of pawns and of pieces that control the square, each also as
    its logarithm, the king's control of a man that nothing protects, and the number of own guards.

    Args:
        maps: f4[3, 64].
        control: f4[2, 64], `control_map`.
        square: where it stands.
        guards: own men that protect it.
        doing: what it has done in the own turn: STOOD, MOVED or TOOK.
    """
    w = c.danger[TERMS * doing : TERMS * (doing + 1)]
    pawns, pieces = pawn_control(maps, square), control[1, square]
    odds = w[0] + w[1] * min(ONE, pawns) + w[2] * np.log(max(LEAST, pawns))
    odds += w[3] * min(f4(2.0), pieces) + w[4] * np.log(max(LEAST, pieces))
    if guards == 0:
        odds += w[5] * min(ONE, king_control(maps, square))
    odds += w[6] * f4(min(3, guards))
    return ONE / (ONE + np.exp(-odds))


@kernel
def set_chances(tree: Tree, node: Node, entry: Move) -> None:
    """The chances of the answers to a move; `tree.empty` has to be the node's."""
    start, end = start_of(entry.move), end_of(entry.move)
    set_captures(node, entry, chance_legal(node.place.known, node.place.maps, tree.empty, start, end))


@kernel
def losses(
    place: Location,
    control: np.ndarray,
    guards: np.ndarray,
    c: AdvantageConstants,
    chances: np.ndarray,
    out: np.ndarray,
) -> float:
    """What the opponent is expected to capture of the own men but the king.

    Into `chances: f4[64]` the chance that the man on the square is captured next, into `out: f4[64]` what
    that costs on average; the sum of the costs.
    """
    total = NONE
    for kind in range(PAWN, KING):
        men = place.known.own[kind]
        while men != ZERO:
            square = lowest(men)
            men = without_lowest(men)
            chance = chance_taken(place.maps, control, square, guards[square], STOOD, c)
            lost = NONE
            if chance > NONE:
                lost = exchange(c.own[kind], chance, control[0, square], guards[square], c)
            chances[square] = chance
            out[square] = lost
            total += lost
    return total


@kernel
def accepted_value(
    node: Node,
    entry: Move,
    control: np.ndarray,
    guards: np.ndarray,
    lost: np.ndarray,
    total: float,
    c: AdvantageConstants,
) -> float:
    """The value of a move if it is accepted, over the messages that it may bring.

    Args:
        entry: MOVE with its chances.
        control: f4[2, 64], Prob_control before the move.
        guards: i8[64], `count_guards`.
        lost: f4[64], `losses`.
        total: their sum.
    """
    move = i8(entry.move)
    start, end, kind = start_of(move), end_of(move), kind_of(move)
    after = node.balance - c.fear * total
    captures = entry.pawn + entry.piece
    gains = c.hope * (entry.pawn * c.enemy_pawn + entry.piece * c.enemy_piece) + c.check * entry.check
    if kind != KING:
        others = other_guards(guards, move)
        value, maps = c.own[becomes(move)], node.place.maps
        gains += promotion_gain(move, c)
        after += c.fear * lost[start]
        quiet = chance_taken(maps, control, end, others, MOVED, c)
        known = chance_taken(maps, control, end, others, TOOK, c)
        chance = (ONE - captures) * quiet + captures * known
        if chance > NONE:
            after -= c.fear * exchange(value, chance, control[0, end], others, c)
        if kind == PAWN:
            after += c.advance * f4((end >> 3) - (start >> 3))
    return after + gains + c.curiosity * (ONE - entry.legal)


@kernel
def draw_loss(
    node: Node,
    entry: Move,
    answer: int,
    luck: float,
    control: np.ndarray,
    guards: np.ndarray,
    chances: np.ndarray,
    c: AdvantageConstants,
) -> int:
    """The square on which the opponent captures in its turn, -1 for none: as the chances say.

    It has one move: where it could capture several men, one of them is drawn in proportion to its chance.

    Args:
        answer: to the move, see `messages`.
        luck: a random number in [0, 1).
        control: f4[2, 64], Prob_control before the move.
        guards: i8[64], `count_guards`.
        chances: f4[64], `losses`.
    """
    move = i8(entry.move)
    start, end, kind = start_of(move), end_of(move), kind_of(move)
    here = NONE
    if kind != KING:
        doing = TOOK if answer & 3 >= 2 else MOVED
        here = chance_taken(node.place.maps, control, end, other_guards(guards, move), doing, c)
    spared, total = ONE - here, here
    others = node.place.known.own[0] & ~node.place.known.own[KING] & ~bit(start)
    men = others
    while men != ZERO:
        square = lowest(men)
        men = without_lowest(men)
        spared *= ONE - chances[square]
        total += chances[square]
    if luck >= ONE - spared or total <= NONE:
        return -1
    aim = luck / (ONE - spared) * total - here
    if aim < NONE:
        return end
    while others != ZERO:
        square = lowest(others)
        others = without_lowest(others)
        aim -= chances[square]
        if aim < NONE:
            return square
    return -1
