"""The encoder `location`: how probable the opponent's men are on each square.

See Ciancarini and Favini (2010, §5.2).

Its memory is a LOCATION, followed in compiled code and written straight into the environment's buffers.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from ks_env.belief.encoders import check_followed, compile_loop
from ks_env.belief.location.answers import control_map
from ks_env.belief.location.follow import follow_map, open_map
from ks_env.belief.location.layout import LOCATION, RATES, SORTS, Location
from ks_env.belief.profile import shipped_drifts
from ks_env.core.jit import kernel
from ks_env.core.layout import RULES, Rules
from ks_env.core.memory import planes_of, uncounted
from ks_env.core.planes import Plane
from ks_env.core.record import Array, f4, u1
from ks_env.games.kriegspiel.layout import VIEW
from ks_env.games.opening import Opening

FOLLOWING = (  # Numba types of what a map is followed with: the rules, RATES, drifts, scratch
    numba.from_dtype(RULES),
    types.float32[::1],
    types.Array(types.float32, 4, "C", readonly=True),
    types.float32[:, ::1],
)

CHANCE_SCALE = f4(255)
CONTROL_SCALE = f4(64)  # of the expected number of men, so that it saturates at four
CONTROL = 3  # plane
HALF = f4(0.5)
MOST = f4(255)

PLANES = (
    Plane("king's chance", 255, False, "255 times the chance that the opponent's king stands there"),
    Plane("pawn's chance", 255, False, "255 times the chance that a pawn of the opponent stands there"),
    Plane("piece's chance", 255, False, "255 times the chance that another man of the opponent stands there"),
    Plane(
        "control",
        255,
        False,
        "64 times the expected number of the opponent's men that control the square, saturating",
    ),
)


@kernel
def write_chances(place: Location, maps: Array, scratch: Array, out: Array) -> None:
    """Write all planes.

    Args:
        maps: f4[3, 64], the chances to show: its own, or finer ones of the same seat.
        scratch: f4[4, 64], overwritten.
        out: u1[4, 64].
    """
    control_map(maps, place.known.own[0], scratch[0], scratch[1:3])
    for square in range(64):
        for sort in range(SORTS):
            out[sort, square] = u1(min(maps[sort, square] * CHANCE_SCALE + HALF, MOST))
        out[CONTROL, square] = u1(min(scratch[1, square] * CONTROL_SCALE + HALF, MOST))


@kernel
def observe_maps(
    views: Array,
    memory: Array,
    rules: Rules,
    rates: Array,
    drifts: Array,
    scratch: Array,
    out: Array,
) -> int:
    """`LocationEncoder.observe`; the first row whose memory lost its view's track, or -1."""
    views, memory, out = uncounted(views), uncounted(memory), uncounted(out)
    for i in range(views.shape[0]):
        record, view = memory[i], views[i]
        if not follow_map(record, view, rules, rates, drifts, scratch):
            return i
        write_chances(record, record.maps, scratch, planes_of(out, i))
    return -1


class MapEncoder:
    """What encoders with a location map as their memory have in common; `planes` are theirs.

    Args:
        name: the encoder's.
        loop: a kernel of `views`, `memory`, FOLLOWING, others, `out`.
        *others: Numba types.

    Attributes:
        memory: LOCATION.
    """

    memory: np.dtype[Any] = LOCATION

    def __init__(self, name: str, loop: Any, *others: Any) -> None:
        self._loop = loop
        compile_loop(name, loop, VIEW, LOCATION, *FOLLOWING, *others)

    def begin(self, opening: Opening) -> Any:
        """All placements that the seat deems possible, equally probable."""
        return open_map(opening.fens, opening.colour)

    def others(self) -> tuple[Any, ...]:
        """The loop's further arguments."""
        return ()

    def observe(self, views: Array, memory: Array, rules: Rules, out: npt.NDArray[np.uint8]) -> None:
        """Follow each seat's map to its view, and write its planes.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        scratch = np.empty((4, 64), np.float32)
        lost = self._loop(views, memory, rules, RATES, shipped_drifts(), scratch, *self.others(), out)
        check_followed("location map", lost)


class LocationEncoder(MapEncoder):
    """A `ks_env.belief.encoders.Encoder`: the three matrices of a map, and the control of squares.

    Attributes:
        planes: the matrices of the king, pawns and other men, and Prob_control.
    """

    planes: tuple[Plane, ...] = PLANES

    def __init__(self) -> None:
        super().__init__("location", observe_maps)
