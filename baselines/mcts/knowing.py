"""The default player's value of a move: expected losses from calibrated maps, each man by its worth.

As in approach C every message counts with its probability. But a man's danger is the chance that a pawn or a
piece that controls its square captures it, not a fixed chance spread over all men, and men differ in worth.
"""

import numpy as np

from baselines.darkboard.moves import end_of, kind_of, start_of
from baselines.mcts.worth import becomes, exchange, other_guards, promotion_gain
from ks_env.belief.location.control import king_control, pawn_control
from ks_env.core.bits import ZERO, lowest, without_lowest
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
    place: np.void, control: np.ndarray, guards: np.ndarray, c: np.void, out: np.ndarray
) -> np.float32:
    """Expected loss of each own man but the king into `out: f4[64]` by square, and their sum."""
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
    stays = node.balance - total
    after = stays
    captures = entry.pawn + entry.piece
    gains = entry.pawn * c.enemy_pawn + entry.piece * c.enemy_piece
    if kind != KING:
        others = other_guards(guards, move)
        value, maps = c.own[becomes(move)], node.place.maps
        gains += promotion_gain(move, c)
        after += lost[start]
        quiet = chance_taken(maps, control, end, others, c.piece_takes, c)
        known = chance_taken(maps, control, end, others, c.retaliation, c)
        chance = (ONE - captures) * quiet + captures * known
        if chance > NONE:
            after -= exchange(value, chance, control[0, end], others, c)
        if kind == PAWN:
            after += c.advance * np.float32((end >> 3) - (start >> 3))
    return entry.legal * (after + gains) + (ONE - entry.legal) * (stays + c.curiosity)
