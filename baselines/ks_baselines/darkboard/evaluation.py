"""The evaluation function: a metaposition after an own move, in its components.

See Ciancarini and Favini (2007, §4).

eval(before, move, after) = material safety + opponent's men + position + information + mate progress

For the default player the components of `threat` replace material safety: its kernels are made for `THREATS`,
those of Ciancarini and Favini's (2007) program for `SAFETY_ALONE`.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ks_baselines.darkboard.components import (
    advancement,
    controlled,
    ending,
    enemy_left,
    entropy,
    gathering,
    is_mating,
    king_progress,
    open_files,
    queens,
    safe_material,
    slice_ages,
    sum_ages,
)
from ks_baselines.darkboard.constants import Constants
from ks_baselines.darkboard.threat import MORE, MORE_COMPONENTS, add_more, prepare_more
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.opponent_move import simulate_meta
from ks_env.core.bits import ALL, popcount
from ks_env.core.jit import kernel
from ks_env.core.record import Array
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
# Numbers of those that are not always 0 for the default player: i8[N]
PARTS = np.array([i for i, name in enumerate(COMPONENTS) if name not in ("material safety", "mate progress")])
SAFETY, MEN, PAWNS, QUEENS, FILES, CONTROL, GATHERING, INFORMATION, PROGRESS, ENDING = range(10)


class OwnMen(NamedTuple):
    """What the own men are worth, as two kernels.

    Attributes:
        prepare: (before, boards, density): what `weigh` needs of the metaposition before the move, once a
            node.
        weigh: (before, m, start, end, captured, control, boards, c, parts, density): write `parts[MORE:]`,
            and `parts[SAFETY]` if it is not 0; all as in `evaluate`.
    """

    prepare: Callable[..., None]
    weigh: Callable[..., None]


@kernel
def _prepare_nothing(before: Metaposition, boards: Array, density: Array) -> None:
    """Safety goes by the metaposition after the move alone."""


@kernel
def _weigh_safety(
    before: Metaposition,
    m: Metaposition,
    start: int,
    end: int,
    captured: int,
    control: np.uint64,
    boards: Array,
    c: Constants,
    parts: Array,
    density: Array,
) -> None:
    """Material by its safety."""
    by, planes = boards[:7], boards[7:12]
    parts[SAFETY] = safe_material(m, end, captured, by, planes, sum_ages(planes, ALL), c)
    parts[MORE:] = 0.0


SAFETY_ALONE = OwnMen(_prepare_nothing, _weigh_safety)
THREATS = OwnMen(prepare_more, add_more)


@cache
def evaluation_of(men: OwnMen) -> Callable[..., float]:
    """The kernel `evaluate`, with what the own men are worth."""
    weigh = men.weigh

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
            captured: what it captured, `moves.NOTHING`, `A_PAWN` or `A_PIECE`.
            depth: own moves from the root, 0 for the first.
            entropy_before: `components.entropy` of `before`.
            boards: u8[17], overwritten but the last: 7 of control, 5 of ages; 5 of ages of `before`.
            parts: f8[len(COMPONENTS)], overwritten with the components.
            density: f8[28]: see `threat.add_more`.
        """
        by, planes = boards[:7], boards[7:12]
        control = controlled(m, by)
        slice_ages(m, planes)
        parts[SAFETY] = 0.0
        weigh(before, m, start, end, captured, control, boards, c, parts, density)
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

    return evaluate
