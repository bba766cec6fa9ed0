"""The evaluation function of M07 §4: a metaposition after an own move, in its components.

eval(before, move, after) = material safety + opponent's men + position + information + mate progress
"""

import numpy as np

from ks_baselines.darkboard.ages import slice_ages, sum_ages
from ks_baselines.darkboard.constants import Constants
from ks_baselines.darkboard.control import controlled
from ks_baselines.darkboard.information import entropy
from ks_baselines.darkboard.mate import ending, is_mating, king_progress
from ks_baselines.darkboard.more import MORE_COMPONENTS, add_more
from ks_baselines.darkboard.position import advancement, gathering, open_files, queens
from ks_baselines.darkboard.safety import enemy_left, safe_material
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.opponent_move import simulate_meta
from ks_env.core.bits import ALL, popcount
from ks_env.core.jit import kernel
from ks_env.core.tables import KING

COMPONENTS = (
    "material safety",
    "opponent's men",
    "pawn advancement",
    "several queens",
    "open files",
    "controlled squares",
    "gathering",
    "information",
    "mate progress",
    "ending",
    *MORE_COMPONENTS,
)
SAFETY, MEN, PAWNS, QUEENS, FILES, CONTROL, GATHERING, INFORMATION, PROGRESS, ENDING = range(10)
MORE = 10  # the first of the components beyond M07


@kernel
def evaluate(
    before: Metaposition,
    m: Metaposition,
    later: Metaposition,
    start: int,
    end: int,
    captured: int,
    depth: int,
    entropy_before: float,
    c: Constants,
    boards: np.ndarray,
    parts: np.ndarray,
    density: np.ndarray,
) -> float:
    """The static value of a move.

    Args:
        before: METAPOSITION before the move.
        m: METAPOSITION after it (`simulate_pseudo`).
        later: METAPOSITION, a copy of `m`; overwritten by the opponent's turn (`simulate_meta`).
        start: where the man stood.
        end: where it stands now.
        captured: what it captured, `umpire.NOTHING`, `A_PAWN` or `A_PIECE`.
        depth: own moves from the root, 0 for the first.
        entropy_before: `information.entropy` of `before`.
        c: CONSTANTS.
        boards: u8[17], overwritten but the last: 7 of control, 5 of ages; 5 of ages of `before`.
        parts: f8[len(COMPONENTS)], overwritten with the components.
        density: f8[28]: see `more.add_more`.
    """
    by, planes = boards[:7], boards[7:12]
    control = controlled(m, by)
    slice_ages(m, planes)
    if c.beyond != 0.0:
        parts[SAFETY] = 0.0
        add_more(before, m, start, end, captured, control, boards, c, parts[MORE:], density)
    else:
        parts[SAFETY] = safe_material(m, end, captured, by, planes, sum_ages(planes, ALL), c)
        parts[MORE:] = 0.0
    parts[MEN] = enemy_left(m, c)
    parts[PAWNS] = advancement(m, c)
    parts[QUEENS] = queens(m, c)
    parts[FILES] = open_files(m, c)
    parts[CONTROL] = c.control * popcount(control)
    parts[GATHERING] = gathering(m, c)
    parts[PROGRESS] = 0.0
    parts[ENDING] = 0.0
    if is_mating(m, c):
        parts[PROGRESS] = king_progress(m.ghosts[KING], c)
        parts[ENDING] = ending(m, before.ghosts[KING], control, depth, c)
    simulate_meta(later)
    parts[INFORMATION] = -c.information * (entropy(later, planes, c) - entropy_before)
    value = 0.0
    for i in range(parts.shape[0]):
        value += parts[i]
    return value
