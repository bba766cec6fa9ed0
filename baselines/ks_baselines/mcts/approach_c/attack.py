"""What a try does to the opponent's king, as the default player weighs it at the root: by the king's map."""

import numpy as np

from ks_baselines.darkboard.control import controlled
from ks_baselines.darkboard.moves import end_of, start_of, under_of
from ks_baselines.darkboard.position import steps_apart
from ks_env.belief.location.layout import KINGS, Location
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.own_move import simulate_pseudo
from ks_env.core.bits import popcount
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import KING_MOVES

NONE = f4(0.0)
PRESSURE, NEARNESS = range(2)


@kernel
def expected_steps(kings: np.ndarray, square: int) -> float:
    """Expected distance of the opponent's king from the square."""
    total = NONE
    for there in range(64):
        if kings[there] > NONE:
            total += kings[there] * f4(steps_apart(there, square))
    return total


@kernel
def pressure(known: Metaposition, kings: np.ndarray, by: np.ndarray) -> float:
    """Expected number of squares around the opponent's king, its own included, that own men control."""
    control = controlled(known, by)
    total = NONE
    for there in range(64):
        if kings[there] > NONE:
            around = KING_MOVES[there] | (np.uint64(1) << np.uint64(there))
            total += kings[there] * f4(popcount(control & around))
    return total


@kernel
def attack(
    place: Location, later: np.ndarray, moves: np.ndarray, n: int, by: np.ndarray, out: np.ndarray
) -> None:
    """Pressure after each move, and the steps by which it brings the man nearer to the king.

    Args:
        place: LOCATION.
        later: METAPOSITION[1], overwritten.
        moves: i4[n], packed.
        n: how many.
        by: u8[7], overwritten.
        out: f4[n, 2], PRESSURE and NEARNESS.
    """
    kings = place.maps[KINGS]
    for i in range(n):
        move = i8(moves[i])
        start, end = start_of(move), end_of(move)
        later[0] = place.known
        simulate_pseudo(later[0], start, end, under_of(move), 0)
        out[i, PRESSURE] = pressure(later[0], kings, by)
        out[i, NEARNESS] = expected_steps(kings, start) - expected_steps(kings, end)
