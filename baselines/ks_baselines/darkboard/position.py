"""The position terms of M07 §4.2."""

import numpy as np

from ks_baselines.darkboard.constants import Constants
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ZERO, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.tables import FILE_A, KING, PAWN, QUEEN


@kernel
def steps_apart(a: int, b: int) -> int:
    """King's steps between two squares."""
    return max(abs((a >> 3) - (b >> 3)), abs((a & 7) - (b & 7)))


@kernel
def advancement(m: Metaposition, c: Constants) -> float:
    """The pawn advancement bonus: each own pawn by its rank."""
    bonus = 0.0
    pawns = m.own[PAWN]
    while pawns != ZERO:
        bonus += c.advancement[lowest(pawns) >> 3]
        pawns = without_lowest(pawns)
    return bonus


@kernel
def queens(m: Metaposition, c: Constants) -> float:
    """The bonus for multiple queens."""
    return c.further_queen * max(0, popcount(m.own[QUEEN]) - 1)


@kernel
def open_files(m: Metaposition, c: Constants) -> float:
    """Own pawns on files where the opponent can have no pawn."""
    bonus = 0.0
    for file in range(8):
        board = FILE_A << np.uint64(file)
        if m.ghosts[PAWN] & board == ZERO and m.own[PAWN] & board != ZERO:
            bonus += c.open_file
    return bonus


@kernel
def gathering(m: Metaposition, c: Constants) -> float:
    """The own men drawn to the own king when few are left."""
    men = m.own[0] & ~m.own[KING]
    if popcount(men) >= c.gathering_men:
        return 0.0
    king = lowest(m.own[KING])
    apart = 0
    while men != ZERO:
        apart += steps_apart(king, lowest(men))
        men = without_lowest(men)
    return -c.gathering * apart
