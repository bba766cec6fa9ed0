"""The weight of each man of the opponent on each square: D(p, t) times age.

T10 §5: "approach A uses absolute probabilities (the unmodified values of D_w and D_b) in order to reconstruct
realistic boards". The published figures multiply them by the age of the square: the longer nothing was heard
of it, the likelier something is there. Readings where T10 is silent:

- t is how many moves the opponent has made, from the move number; later than the profile tells of, it is the
  last time that enough games reached.
- A profile is of games from the usual start. From another start all squares weigh the same but for their age.
- An age of 0 counts as 1: at the start nothing has an age, and everything has its place.
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.belief.profile import FEWEST, MOVES, SHIPPED, Profile

Weights = npt.NDArray[np.float32]


@cache
def shipped_profile() -> Profile:
    """The profile that comes with the package, its values as they are."""
    return Profile.load(SHIPPED)


def last_useful(profile: Profile, side: int) -> int:
    """The last time of which the profile tells something of that side (White 0, Black 1)."""
    reached = np.flatnonzero(profile.games[side] >= FEWEST)
    return int(reached[-1]) if len(reached) else 0


def moves_made(view: Any) -> int:
    """How many moves the opponent has made when the seat is to move, in a game from move 1."""
    return int(view["moves"]) - (0 if view["seat"] else 1)


def board_weights(view: Any, usual: bool, floor: float, profile: Profile | None = None) -> Weights:
    """The weights for the boards of one decision.

    Args:
        view: VIEW of the seat, which is to move.
        usual: whether the game began from the usual start.
        floor: added to the profile's values.
        profile: the opponent's; None for the one that comes with the package.

    Returns:
        f4[7, 64] by kind of man (entry 0 unused) and square, in the seat's own frame.
    """
    weights = np.zeros((7, 64), np.float32)
    weights[1:] = 1.0
    if usual:
        profile = profile or shipped_profile()
        side = 1 - int(view["seat"])
        time = min(moves_made(view), last_useful(profile, side), MOVES)
        squares = np.arange(64) if side else np.arange(64) ^ 56
        weights[1:] = profile.places[side, time][:, squares] + np.float32(floor)
    ages = np.maximum(view["age"], 1).astype(np.float32)
    return weights * ages
