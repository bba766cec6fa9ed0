"""The encoder `belief-particles`: the network's chances where it is told of particles, too.

A location map takes men one by one; whole boards know besides how men stand together and what they have
explained since the game began. The network weighs the two. Its memory is a location map and a population of
`ROOM` boards, which takes 500 KB a seat.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.belief.encoders import check_followed
from ks_env.belief.location.encoder import PLANES, write_chances
from ks_env.belief.location.follow import follow_map, open_map
from ks_env.belief.location.layout import LOCATION, RATES, Location
from ks_env.belief.network.inputs import MEMORY_FIRST, MEMORY_PLANES, write_memory, write_shares
from ks_env.belief.network.network import Network, Work, judge, make_work, shipped_network, to_chances
from ks_env.belief.particles.encoder import size_of
from ks_env.belief.particles.follow import Care, Following, begin_particles, follow_particles
from ks_env.belief.particles.layout import KINDS, particles_dtype
from ks_env.belief.particles.layout import make_work as make_particle_work
from ks_env.belief.particles.marginals import write_kinds
from ks_env.belief.particles.models import uniform_model
from ks_env.belief.profile import shipped_drifts
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.planes import Plane
from ks_env.core.record import Array
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.observation import write_observation
from ks_env.games.opening import Opening

ROOM = 4000


@kernel
def predict_sampled(
    place: Location,
    view: View,
    shares: np.ndarray,
    size: float,
    network: Network,
    work: Work,
    scratch: np.ndarray,
) -> None:
    """The chances of king, pawns and pieces into `work.maps: f4[3, 64]`.

    Args:
        place: a LOCATION that has followed the view; not changed.
        view: VIEW of the same seat.
        shares: f8[KINDS, 64], chances of particles that have followed it, by kind.
        size: their effective number over the room.
        network: one that is told of particles.
        work: overwritten.
        scratch: f4[4, 64], overwritten.
    """
    write_observation(view, work.told)
    write_memory(place, scratch, work.told[MEMORY_FIRST:])
    write_shares(shares, size, work.told[MEMORY_FIRST:])
    judge(network, work)
    to_chances(place, work)


class SampledEncoder:
    """What encoders that remember a location map and particles have in common; `observe` is theirs.

    Attributes:
        memory: a LOCATION `place` and a population `boards`.
    """

    def __init__(self, boards: int = ROOM) -> None:
        self.memory: np.dtype[Any] = np.dtype(
            [("place", LOCATION), ("boards", particles_dtype(boards))], align=True
        )
        self._room, self._model, self._care = boards, uniform_model(), Care()

    def begin(self, opening: Opening) -> Any:
        """All placements that the seat deems possible, equally probable."""
        record = np.zeros(1, self.memory)
        record[0]["place"] = open_map(opening.fens, opening.colour)
        begin_particles(record[0]["boards"], opening)
        return record[0]

    def followed(
        self, views: Array, memory: Array, rules: Rules, scratch: Array
    ) -> Iterator[tuple[Any, Array, float]]:
        """Each row's place, followed to its view, with the shares of its boards and their size.

        Args:
            views: VIEW[M].
            memory: `memory[M]`, changed in place.
            rules: RULES[()].
            scratch: f4[4, 64], overwritten.

        Yields:
            a LOCATION; f8[KINDS, 64], overwritten by the next; the boards' effective number over the room.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        following = Following(rules, self._model, self._care, make_particle_work(self._room))
        shares, drifts = np.empty((KINDS, 64)), shipped_drifts()
        for i in range(len(views)):
            place, boards, view = memory[i]["place"], memory[i]["boards"], views[i]
            kept = follow_map(place, view, rules, RATES, drifts, scratch)
            kept = follow_particles(boards, view, following) and kept
            check_followed("map and particles", -1 if kept else i)
            write_kinds(boards["men"], boards["weight"], int(boards["count"]), shares)
            yield place, shares, size_of(boards)


class BeliefParticlesEncoder(SampledEncoder):
    """A `ks_env.belief.encoders.Encoder`: a network's chances of the opponent's men, and their control.

    Attributes:
        planes: those of the encoder `location`.
    """

    planes: tuple[Plane, ...] = PLANES

    def observe(self, views: Array, memory: Array, rules: Rules, out: npt.NDArray[np.uint8]) -> None:
        """Follow each seat's map and boards to its view, predict, and write its planes.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        network, scratch = shipped_network(particles=True), np.empty((4, 64), np.float32)
        work, rows = make_work(network), self.followed(views, memory, rules, scratch)
        for view, planes, (place, shares, size) in zip(views, out, rows, strict=True):
            predict_sampled(place, view, shares, size, network, work, scratch)
            write_chances(place, work.maps, scratch, planes.reshape(-1, 64))


class SampledInputsEncoder(SampledEncoder):
    """A `ks_env.belief.encoders.Encoder` of MEMORY_PLANES, to gather what such a network learns from.

    Args:
        boards: room for so many.

    Attributes:
        planes: MEMORY_PLANES.
    """

    planes: tuple[Plane, ...] = MEMORY_PLANES

    def observe(self, views: Array, memory: Array, rules: Rules, out: npt.NDArray[np.uint8]) -> None:
        """Follow each seat's map and boards to its view, and write its planes.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        scratch = np.empty((4, 64), np.float32)
        rows = self.followed(views, memory, rules, scratch)
        for planes, (place, shares, size) in zip(out.reshape(len(out), -1, 64), rows, strict=True):
            write_memory(place, scratch, planes)
            write_shares(shares, size, planes)
