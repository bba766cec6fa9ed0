"""Components of the evaluation that M07 does not have; `darkboard:literal` gives them no weight."""

import numpy as np

from ks_baselines.darkboard.ages import slice_ages
from ks_baselines.darkboard.constants import Constants
from ks_baselines.darkboard.mate import mated_squares
from ks_baselines.darkboard.threat import (
    chance_of_a_man,
    densities,
    expected_capture,
    expected_pawns,
    expected_pieces,
    material,
    total_loss,
)
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ZERO, has, lowest, popcount
from ks_env.core.jit import kernel
from ks_env.core.record import f8, i8
from ks_env.core.tables import KING, PAWN

MATERIAL, THREAT, HOPE, KINGS_END, SHELTER, RACE = range(6)
MORE_COMPONENTS = (
    "material",
    "expected losses",
    "expected capture",
    "mates and stalemates",
    "shelter",
    "promotion",
)


@kernel
def chance_others_stuck(m: Metaposition, c: Constants) -> float:
    """Chance that no man besides its king can move: pawns are stuck where an own man stands before them."""
    men = i8(m.most[0]) - 1
    if men > i8(m.most[PAWN]):
        return c.piece_stuck
    squares = popcount(m.ghosts[PAWN])
    if men == 0 or squares == 0:
        return 1.0
    stuck = popcount(m.ghosts[PAWN] & (m.own[0] << np.uint64(8)))
    return (stuck / f8(squares)) ** men


@kernel
def kings_end(m: Metaposition, kings: np.uint64, control: np.uint64, c: Constants) -> float:
    """Worth of the mates among the squares where its king may stand, less that of the stalemates."""
    kings = kings & ~m.own[0]
    if kings == ZERO:
        return 0.0
    stuck = mated_squares(kings, control, m.own[0])
    mates, stalemates = popcount(stuck & control), popcount(stuck & ~control)
    worth = c.mate_share * mates
    if stalemates > 0:
        worth -= c.stalemate_risk * stalemates * chance_others_stuck(m, c)
    return worth / popcount(kings)


@kernel
def race(m: Metaposition, c: Constants) -> float:
    """Pawn advancement counts for more the fewer men the opponent has."""
    bonus = 0.0
    for rank in range(1, 7):
        bonus += c.promotion[rank] * popcount(m.own[PAWN] & (np.uint64(0xFF) << np.uint64(8 * rank)))
    few = (16.0 - min(16.0, f8(m.most[0]))) / 15.0
    return bonus * few * few


@kernel
def add_more(
    before: Metaposition,
    m: Metaposition,
    start: int,
    end: int,
    captured: int,
    control: np.uint64,
    boards: np.ndarray,
    c: Constants,
    parts: np.ndarray,
    density: np.ndarray,
) -> None:
    """Write the components to `parts: f8[6]`.

    Args:
        before: METAPOSITION before the move.
        m: METAPOSITION after it.
        start: where the man stood.
        end: where it stands now.
        captured: what it is assumed to have captured.
        control: squares controlled by the own men.
        boards: u8[17]: 7 of control and 5 of ages of `m`, 5 of ages of `before`.
        c: CONSTANTS.
        parts: f8[6], overwritten.
        density: f8[28]: 14 of `before`, 14 overwritten.
    """
    by, planes, planes_before = boards[:7], boards[7:12], boards[12:17]
    parts[MATERIAL] = material(m, c)
    chance = 1.0 if captured != 0 else 0.0
    parts[HOPE] = 0.0
    if captured == 0 and not has(before.own[PAWN], start):
        chance = chance_of_a_man(before, end, planes_before, density[:14])
        parts[HOPE] = c.hope * expected_capture(before, end, planes_before, density[:14], c)
    densities(m, planes, density[14:])
    parts[THREAT] = -c.threat * total_loss(m, end, chance, by, planes, density[14:], c)
    parts[KINGS_END] = kings_end(m, before.ghosts[KING], control, c)
    king = lowest(m.own[KING])
    danger = expected_pieces(m, king, True, planes, density[14:]) + expected_pawns(
        m, king, planes, density[14:]
    )
    parts[SHELTER] = -c.shelter * min(2.0, danger)
    parts[RACE] = race(m, c)


@kernel
def prepare_more(before: Metaposition, boards: np.ndarray, density: np.ndarray) -> None:
    """What `add_more` needs of the metaposition before the move, once a node."""
    slice_ages(before, boards[12:17])
    densities(before, boards[12:17], density[:14])
