"""The encoder `belief`: where a network foretells the opponent's men, in the planes of `location`.

Its memory is a location map, followed in compiled code; the network refines the map whenever it is observed.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from ks_env.belief.encoders import check_followed, compile_loop
from ks_env.belief.location.answers import control_map
from ks_env.belief.location.encoder import CHANCE_SCALE, CONTROL, CONTROL_SCALE, HALF, MOST
from ks_env.belief.location.encoder import PLANES as LOCATION_PLANES
from ks_env.belief.location.follow import follow_map, open_map
from ks_env.belief.location.layout import LOCATION, RATES, SORTS, Location
from ks_env.belief.network.inputs import FOLLOWING, MEMORY_FIRST, write_memory
from ks_env.belief.network.network import Network, Work, judge, make_work, shipped_network, to_chances
from ks_env.belief.profile import shipped_drifts
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.memory import planes_of, uncounted
from ks_env.core.planes import Plane
from ks_env.core.record import u1
from ks_env.games.kriegspiel.layout import VIEW, View
from ks_env.games.kriegspiel.observation import write_observation
from ks_env.games.opening import Opening

Array = np.ndarray[Any, Any]


@kernel
def foretell(place: Location, view: View, network: Network, work: Work, scratch: np.ndarray) -> None:
    """The chances of king, pawns and pieces into `work.maps: f4[3, 64]`.

    Args:
        place: a LOCATION that has followed the view; not changed.
        view: VIEW of the same seat.
        network: the weights.
        work: overwritten.
        scratch: f4[4, 64], overwritten.
    """
    write_observation(view, work.told)
    write_memory(place, scratch, work.told[MEMORY_FIRST:])
    judge(network, work)
    to_chances(place, work)


@kernel
def write_foretold(place: Location, work: Work, scratch: np.ndarray, out: np.ndarray) -> None:
    """Write all planes to `out: u1[4, 64]`; `scratch: f4[4, 64]` is overwritten."""
    control_map(work.maps, place.known.own[0], scratch[0], scratch[1:3])
    for square in range(64):
        for sort in range(SORTS):
            out[sort, square] = u1(min(work.maps[sort, square] * CHANCE_SCALE + HALF, MOST))
        out[CONTROL, square] = u1(min(scratch[1, square] * CONTROL_SCALE + HALF, MOST))


@kernel
def observe_foretold(
    views: Array,
    memory: Array,
    rules: Rules,
    rates: Array,
    drifts: Array,
    scratch: Array,
    network: Network,
    work: Work,
    out: Array,
) -> int:
    """`BeliefEncoder.observe`; the first row whose memory lost its view's track, or -1."""
    views, memory, out = uncounted(views), uncounted(memory), uncounted(out)
    network, work = uncounted(network), uncounted(work)
    for i in range(views.shape[0]):
        record, view = memory[i], views[i]
        if not follow_map(record, view, rules, rates, drifts, scratch):
            return i
        foretell(record, view, network, work, scratch)
        write_foretold(record, work, scratch, planes_of(out, i))
    return -1


class BeliefEncoder:
    """A `ks_env.belief.encoders.Encoder`: a network's chances of the opponent's men, and their control.

    Attributes:
        planes: those of the encoder `location`.
        memory: LOCATION.
    """

    planes: tuple[Plane, ...] = LOCATION_PLANES
    memory: np.dtype[Any] = LOCATION

    def __init__(self) -> None:
        network = shipped_network()
        parts = numba.typeof(network), numba.typeof(make_work(network))
        compile_loop("belief", observe_foretold, VIEW, LOCATION, *FOLLOWING, *parts)

    def begin(self, opening: Opening) -> Any:
        """All placements that the seat deems possible, equally probable."""
        return open_map(opening.fens, opening.colour)

    def observe(self, views: Array, memory: Array, rules: Rules, out: npt.NDArray[np.uint8]) -> None:
        """Follow each seat's map to its view, foretell, and write its planes.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        network = shipped_network()
        scratch, work = np.empty((4, 64), np.float32), make_work(network)
        drifts = shipped_drifts()
        lost = observe_foretold(views, memory, rules, RATES, drifts, scratch, network, work, out)
        check_followed("location map", lost)
