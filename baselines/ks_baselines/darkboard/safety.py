"""Material and its safety (M07 §4.1).

The safety of a man is 1 where it cannot be captured in the opponent's next move, and falls to 0 where it is
left to it. It is no probability. Its danger begins as the share that the squares from which it could be
captured have of all age on the board: the longer the seat has known nothing of a square, the likelier it
holds a man. The published figures name sliders, pawns and the king; knights are counted too, since M07 wants
1 to mean that no capture is possible.
"""

import numpy as np

from ks_baselines.darkboard.ages import sum_ages
from ks_baselines.darkboard.constants import Constants
from ks_baselines.darkboard.umpire import gives_pawn_try
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ZERO, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f8, i8
from ks_env.core.tables import (
    BISHOP,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
)


@kernel
def attackers(m: Metaposition, square: int, protected: bool) -> np.uint64:
    """Squares from which the opponent may capture there; its king captures no protected man."""
    occupied = ~m.ghosts[0]
    found = rook_attacks(square, occupied) & (m.ghosts[ROOK] | m.ghosts[QUEEN])
    found |= bishop_attacks(square, occupied) & (m.ghosts[BISHOP] | m.ghosts[QUEEN])
    found |= KNIGHT_MOVES[square] & m.ghosts[KNIGHT]
    found |= PAWN_ATTACKS[0, square] & m.ghosts[PAWN]
    if not protected:
        found |= KING_MOVES[square] & m.ghosts[KING]
    return found


@kernel
def least_protector(by: np.ndarray, square: int) -> int:
    """Kind of the least valuable man that protects the square, 0 for none."""
    for kind in range(1, 7):
        if has(by[kind], square):
            return kind
    return 0


@kernel
def safety(
    m: Metaposition, square: int, moved: bool, by: np.ndarray, planes: np.ndarray, total: int, c: Constants
) -> float:
    """Safety of the own man on the square, in [0, 1].

    Args:
        m: METAPOSITION.
        square: where it stands.
        moved: whether it has just moved.
        by: u8[7], `control.controlled`.
        planes: u8[5], `ages.slice_ages`.
        total: sum of all ages.
        c: CONSTANTS.
    """
    protector = least_protector(by, square)
    from_where = attackers(m, square, protector != 0)
    if from_where == ZERO:
        return 1.0
    danger = sum_ages(planes, from_where) / max(1.0, f8(total))
    if moved:
        danger *= c.moved_danger
        if gives_pawn_try(m, square):
            danger = max(danger, c.pawn_try_danger)
    if protector == 0:
        danger = max(danger, c.bare_danger)
    else:
        danger -= c.protection[protector]
    return 1.0 - min(1.0, max(0.0, danger))


@kernel
def can_be_retaken(m: Metaposition, square: int, by: np.ndarray) -> bool:
    """Whether the opponent may capture there."""
    return attackers(m, square, has(by[0], square)) != ZERO


@kernel
def can_mate(m: Metaposition) -> bool:
    """Whether the own men suffice to mate a bare king: a queen, a rook, two bishops, bishop and knight."""
    if m.own[QUEEN] | m.own[ROOK] != ZERO:
        return True
    bishops, knights = popcount(m.own[BISHOP]), popcount(m.own[KNIGHT])
    return bishops >= 2 or (bishops >= 1 and knights >= 1)


@kernel
def man_value(m: Metaposition, kind: int, c: Constants) -> float:
    """Material of one own man; pawns are worth more when mating material is lacking (M07 §4.2).

    The default player holds each man dearer the fewer it has.
    """
    value = c.material[kind] * (1.0 + c.scarcity / max(1.0, f8(popcount(m.own[0]))))
    if kind == PAWN and not can_mate(m):
        value *= c.needed_pawn
    return value


@kernel
def safe_material(
    m: Metaposition, moved: int, captured: int, by: np.ndarray, planes: np.ndarray, total: int, c: Constants
) -> float:
    """Own material, each man by its safety; 0 for a man that has captured and can be retaken.

    `moved` is the square of the man that has just moved, `captured` what it captured.
    """
    worth = 0.0
    for kind in range(1, KING + 1):
        value = man_value(m, kind, c)
        men = m.own[kind]
        while men != ZERO:
            square = lowest(men)
            men = without_lowest(men)
            if square == moved and captured != 0 and can_be_retaken(m, square, by):
                continue
            worth += value * safety(m, square, square == moved, by, planes, total, c)
    return worth


@kernel
def enemy_left(m: Metaposition, c: Constants) -> float:
    """What the opponent has left: pawns and pieces, as far as announced captures tell."""
    men = i8(m.most[0]) - 1
    pawns = min(men, i8(m.most[PAWN]))
    return c.enemy_pawn * pawns + c.enemy_piece * (men - pawns)
