"""The default player's value of a move: expected losses from calibrated maps, each man by its worth.

As in approach C every message counts with its probability. But a man's danger is the chance that a pawn or a
piece that controls its square captures it, not a fixed chance spread over all men, and men differ in worth.
"""

import numpy as np

from baselines.darkboard.moves import end_of, kind_of, start_of
from baselines.mcts.worth import becomes, exchange, other_guards, promotion_gain
from ks_env.belief.location.control import king_control, pawn_control
from ks_env.core.bits import ZERO, bit, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.tables import KING, PAWN

ONE = np.float32(1.0)
NONE = np.float32(0.0)


@kernel
def chance_taken(
    maps: np.ndarray, control: np.ndarray, square: int, guards: int, eager: np.float32, c: np.void
) -> np.float32:
    """Chance that a man on the square is captured in the opponent's next turn.

    Args:
        maps: f4[3, 64].
        control: f4[2, 64], `control_map`.
        square: where it stands.
        guards: own men that protect it; the king captures no protected man.
        eager: chance that a piece that controls the square captures there.
        c: CONSTANTS.
    """
    pieces = control[1, square] + (king_control(maps, square) if guards == 0 else NONE)
    by_pawn = c.pawn_takes * min(ONE, pawn_control(maps, square))
    return ONE - (ONE - by_pawn) * (ONE - eager * min(ONE, pieces))


@kernel
def losses(
    place: np.void, control: np.ndarray, guards: np.ndarray, c: np.void, chances: np.ndarray, out: np.ndarray
) -> np.float32:
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
            chance = chance_taken(place.maps, control, square, guards[square], c.piece_takes, c)
            lost = NONE
            if chance > NONE:
                lost = exchange(c.own[kind], chance, control[0, square], guards[square], c)
            chances[square] = chance
            out[square] = lost
            total += lost
    return total


@kernel
def knowing_value(
    node: np.void,
    entry: np.void,
    control: np.ndarray,
    guards: np.ndarray,
    lost: np.ndarray,
    total: np.float32,
    c: np.void,
) -> np.float32:
    """The weighted average over the messages to a move.

    Args:
        node: NODE.
        entry: MOVE with its chances.
        control: f4[2, 64], Prob_control before the move.
        guards: i8[64], `count_guards`.
        lost: f4[64], `losses`.
        total: their sum.
        c: CONSTANTS.
    """
    move = np.int64(entry.move)
    start, end, kind = start_of(move), end_of(move), kind_of(move)
    stays = node.balance - c.fear * total
    after = stays
    captures = entry.pawn + entry.piece
    gains = c.hope * (entry.pawn * c.enemy_pawn + entry.piece * c.enemy_piece) + c.check * entry.check
    if kind != KING:
        others = other_guards(guards, move)
        value, maps = c.own[becomes(move)], node.place.maps
        gains += promotion_gain(move, c)
        after += c.fear * lost[start]
        quiet = chance_taken(maps, control, end, others, c.piece_takes, c)
        known = chance_taken(maps, control, end, others, c.retaliation, c)
        chance = (ONE - captures) * quiet + captures * known
        if chance > NONE:
            after -= c.fear * exchange(value, chance, control[0, end], others, c)
        if kind == PAWN:
            after += c.advance * np.float32((end >> 3) - (start >> 3))
    return after + gains + c.curiosity * (ONE - entry.legal)


@kernel
def draw_loss(
    node: np.void,
    entry: np.void,
    answer: int,
    luck: np.float32,
    control: np.ndarray,
    guards: np.ndarray,
    chances: np.ndarray,
    c: np.void,
) -> int:
    """The square on which the opponent captures in its turn, -1 for none: as the chances say.

    It has one move: where it could capture several men, one of them is drawn in proportion to its chance.

    Args:
        node: NODE.
        entry: MOVE.
        answer: to the move, see `messages`.
        luck: a random number in [0, 1).
        control: f4[2, 64], Prob_control before the move.
        guards: i8[64], `count_guards`.
        chances: f4[64], `losses`.
        c: CONSTANTS.
    """
    move = np.int64(entry.move)
    start, end, kind = start_of(move), end_of(move), kind_of(move)
    here = NONE
    if kind != KING:
        eager = c.retaliation if answer & 3 >= 2 else c.piece_takes
        here = chance_taken(node.place.maps, control, end, other_guards(guards, move), eager, c)
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
