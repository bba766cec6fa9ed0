"""The encoder `belief`: where a network predicts the opponent's men, in the planes of `location`.

Its memory is a location map, followed in compiled code; the network refines the map whenever it is observed.
"""

from typing import Any

import numba
import numpy as np

from ks_env.belief.location.encoder import PLANES, MapEncoder, write_chances
from ks_env.belief.location.follow import follow_map
from ks_env.belief.location.layout import Location
from ks_env.belief.network.inputs import MEMORY_FIRST, SHARES_TOLD, write_memory
from ks_env.belief.network.network import Network, Work, judge, make_work, shipped_network, to_chances
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.memory import planes_of, uncounted
from ks_env.core.planes import Plane
from ks_env.core.record import Array, u1
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.observation import write_observation


@kernel
def predict(place: Location, view: View, network: Network, work: Work, scratch: np.ndarray) -> None:
    """The chances of king, pawns and pieces into `work.maps: f4[3, 64]`.

    Args:
        place: a LOCATION that has followed the view; not changed.
        network: one that is not told of particles.
        work: overwritten.
        scratch: f4[4, 64], overwritten.
    """
    write_observation(view, work.told)
    write_memory(place, scratch, work.told[MEMORY_FIRST:])
    work.told[SHARES_TOLD:] = u1(0)
    judge(network, work)
    to_chances(place, work)


@kernel
def observe_predicted(
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
        predict(record, view, network, work, scratch)
        write_chances(record, work.maps, scratch, planes_of(out, i))
    return -1


class BeliefEncoder(MapEncoder):
    """A `ks_env.belief.encoders.Encoder`: a network's chances of the opponent's men, and their control.

    Attributes:
        planes: those of the encoder `location`.
    """

    planes: tuple[Plane, ...] = PLANES

    def __init__(self) -> None:
        network = shipped_network()
        parts = numba.typeof(network), numba.typeof(make_work(network))
        super().__init__("belief", observe_predicted, *parts)

    def others(self) -> tuple[Any, ...]:
        """See `MapEncoder`."""
        network = shipped_network()
        return network, make_work(network)
