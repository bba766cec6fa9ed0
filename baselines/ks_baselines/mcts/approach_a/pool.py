"""The boards of a turn: memory for them, the weight of each man on each square, and draws by it.

Boards are in the seat's own frame, the seat being side 0 and to move. The rules are the same for both colours
but for the way of the pawns, which the frame turns, so that a Black seat's board is White's to the kernels.

The weight of a man of the opponent on a square is D(p, t) times age. Ciancarini and Favini (2010, §5):
"approach A uses absolute probabilities (the unmodified values of D_w and D_b) in order to reconstruct
realistic boards". The published figures multiply them by the age of the square: the longer nothing was heard
of it, the likelier something is there. Readings where Ciancarini and Favini (2010) are silent:

- t is how many moves the opponent has made, from the move number; later than the profile covers, it is the
  last time that enough games reached.
- A profile is of games from the usual start. From another start all squares weigh the same but for their age.
- An age of 0 counts as 1: at the start nothing has an age, and everything has its place.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ks_env.belief.location.layout import mass_on
from ks_env.belief.profile import FEWEST, MOVES, SHIPPED, Profile
from ks_env.core.bits import ZERO, lowest, random_share, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import TRUTH
from ks_env.core.record import Array, f4
from ks_env.core.tries import MOST_TRIES

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


class Pool(NamedTuple):
    """The boards, and what the sampler works with.

    Attributes:
        boards: TRUTH[N], the opponent's men filled in.
        used: i8[1], boards in the pool.
        base: TRUTH[1], the seat's own men alone.
        trial: TRUTH[1], the board that is being filled.
        weights: f4[7, 64], see `board_weights`.
        begun: i8[7], men of each kind with which the opponent began, at most; entry 0: 1 for the usual start.
        left: i8[7], men of each kind that may still be placed; entry 0: pieces, of whichever kind.
        most: i8[7], the same before any was placed.
        files: i8[2, 8], pawns that each file may still take; that it has to get.
        closed: u8[1], squares on which nothing more is placed.
        where: u8[7], squares by kind among which a man is drawn.
        random: u8[1], the stream.
        tries: i2[MOST_TRIES], those of the turn.
    """

    boards: Array
    used: Array
    base: Array
    trial: Array
    weights: Array
    begun: Array
    left: Array
    most: Array
    files: Array
    closed: Array
    where: Array
    random: Array
    tries: Array


def new_pool(size: int) -> Pool:
    """Memory for one player."""
    return Pool(
        boards=np.zeros(size, TRUTH),
        used=np.zeros(1, np.int64),
        base=np.zeros(1, TRUTH),
        trial=np.zeros(1, TRUTH),
        weights=np.zeros((7, 64), np.float32),
        begun=np.zeros(7, np.int64),
        left=np.zeros(7, np.int64),
        most=np.zeros(7, np.int64),
        files=np.zeros((2, 8), np.int64),
        closed=np.zeros(1, np.uint64),
        where=np.zeros(7, np.uint64),
        random=np.zeros(1, np.uint64),
        tries=np.zeros(MOST_TRIES, np.int16),
    )


NONE = f4(0.0)


@kernel
def _share(pool: Pool, kind: int) -> float:
    """Part of the men of a kind that are not placed yet."""
    if pool.left[kind] <= 0:
        return NONE
    return f4(pool.left[kind]) / f4(pool.most[kind])


@kernel
def draw_square(pool: Pool, kind: int) -> int:
    """A square of `pool.where[kind]` in proportion to the weights, or -1."""
    board = pool.where[kind]
    if board == ZERO:
        return -1
    aim = random_share(pool.random, 0) * mass_on(pool.weights, kind, pool.where[kind])
    square = lowest(board)
    while board != ZERO:
        square = lowest(board)
        board = without_lowest(board)
        aim -= pool.weights[kind, square]
        if aim < NONE:
            break
    return square


@kernel
def draw_kind(pool: Pool) -> int:
    """A kind in proportion to its weights on `pool.where` and to what is left of it, or 0."""
    total = NONE
    for kind in range(1, 7):
        total += mass_on(pool.weights, kind, pool.where[kind]) * _share(pool, kind)
    aim = random_share(pool.random, 0) * total
    found = 0
    for kind in range(1, 7):
        weight = mass_on(pool.weights, kind, pool.where[kind]) * _share(pool, kind)
        if weight > NONE:
            found = kind
            aim -= weight
            if aim < NONE:
                break
    return found
