"""The evaluation function of M07 §4: a metaposition after an own move, in its components.

eval(before, move, after) = material safety + opponent's men + position + information + mate progress

For the default player the components of `threat` replace material safety. Which of the two is
compiled into the search is told by the record of constants that it is given.
"""

from collections.abc import Callable
from typing import Any

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
from ks_baselines.darkboard.constants import Constants, MoreConstants
from ks_baselines.darkboard.threat import MORE_COMPONENTS, add_more, prepare_more
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.opponent_move import simulate_meta
from ks_env.core.bits import ALL, popcount
from ks_env.core.jit import kernel, serves
from ks_env.core.tables import KING

Array = np.ndarray[Any, Any]

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
def weigh_safety(m: Metaposition, end: int, captured: int, c: Constants, boards: Array, parts: Array) -> None:
    """M07's view of the own men: material by its safety."""
    by, planes = boards[:7], boards[7:12]
    parts[SAFETY] = safe_material(m, end, captured, by, planes, sum_ages(planes, ALL), c)
    parts[MORE:] = 0.0


@kernel
def weigh_threats(
    before: Metaposition,
    m: Metaposition,
    move: tuple[int, int, int],
    control: np.uint64,
    boards: Array,
    c: MoreConstants,
    parts: Array,
    density: Array,
) -> None:
    """The default player's: material and what is expected to be lost, `move` as in `_weigh_men`."""
    start, end, captured = move
    parts[SAFETY] = 0.0
    add_more(before, m, start, end, captured, control, boards, c, parts[MORE:], density)


def _weigh_men(
    before: Metaposition,
    m: Metaposition,
    move: tuple[int, int, int],
    control: np.uint64,
    boards: Array,
    c: Constants,
    parts: Array,
    density: Array,
) -> None:
    """Stands in kernels for what the own men are worth, `move` being start, end and what was captured."""
    raise NotImplementedError


@serves(_weigh_men)
def _which_men(
    before: Any, m: Any, move: Any, control: Any, boards: Any, c: Any, parts: Any, density: Any
) -> Callable[..., None]:
    if "scarcity" in c.fields:
        return lambda before, m, move, control, boards, c, parts, density: weigh_threats(
            before, m, move, control, boards, c, parts, density
        )
    return lambda before, m, move, control, boards, c, parts, density: weigh_safety(
        m, move[1], move[2], c, boards, parts
    )


def prepare(before: Metaposition, boards: Array, c: Constants, density: Array) -> None:
    """Stands in kernels for what `evaluate` needs of the metaposition before the move, once a node."""
    raise NotImplementedError


@serves(prepare)
def _which_preparation(before: Any, boards: Any, c: Any, density: Any) -> Callable[..., None]:
    if "scarcity" in c.fields:
        return lambda before, boards, c, density: prepare_more(before, boards, density)
    return lambda before, boards, c, density: None


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
        density: f8[28]: see `threat.add_more`.
    """
    by, planes = boards[:7], boards[7:12]
    control = controlled(m, by)
    slice_ages(m, planes)
    _weigh_men(before, m, (start, end, captured), control, boards, c, parts, density)
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
