"""The encoder `particles`: how likely men of each kind are on each square, by a particle filter.

Its memory is a population of `BOARDS` boards, which takes 33 KB a seat. All legal tries of the opponent
are taken to be equally likely.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.belief.encoders import check_followed
from ks_env.belief.particles.follow import Care, Following, begin_particles, follow_particles
from ks_env.belief.particles.layout import KINDS, make_work, particles_dtype
from ks_env.belief.particles.marginals import write_kinds
from ks_env.belief.particles.models import uniform_model
from ks_env.belief.particles.population import effective_size
from ks_env.core.layout import Rules
from ks_env.core.planes import Plane
from ks_env.core.record import Array
from ks_env.games.opening import Opening

BOARDS = 256
NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")
SIZE = len(NAMES)  # plane of the effective sample size

PLANES = (
    *(
        Plane(
            f"{name}'s share", 255, False, f"255 times the weight of boards with an opponent's {name} there"
        )
        for name in NAMES
    ),
    Plane("boards", 255, True, "255 times the effective sample size over the room; 255 while it is exact"),
)


def size_of(record: Any) -> float:
    """The effective sample size of a population over its room; 1 while it is exact."""
    if record["exact"]:
        return 1.0
    return min(float(effective_size(record["weight"], int(record["count"]))) / len(record["weight"]), 1.0)


def write_planes(record: Any, chances: Array, out: npt.NDArray[np.uint8]) -> None:
    """Write all planes of a population.

    Args:
        record: of `particles_dtype`.
        chances: f8[KINDS, 64], overwritten.
        out: u1[7, 8, 8].
    """
    write_kinds(record["men"], record["weight"], int(record["count"]), chances)
    out[:SIZE] = np.minimum(chances[1:] * 255 + 0.5, 255).reshape(-1, 8, 8)
    out[SIZE] = int(size_of(record) * 255 + 0.5)


class ParticlesEncoder:
    """A `ks_env.belief.encoders.Encoder`: chances by kind, and how many boards they rest on.

    Attributes:
        planes: chances of pawns, knights, bishops, rooks, queens and the king; the effective sample size.
        memory: `particles_dtype(256)`.
    """

    planes: tuple[Plane, ...] = PLANES
    memory: np.dtype[Any] = particles_dtype(BOARDS)

    def __init__(self) -> None:
        self._model, self._care = uniform_model(), Care()

    def begin(self, opening: Opening) -> Any:
        """All placements that the seat deems possible, equally probable."""
        record = np.zeros(1, self.memory)
        begin_particles(record[0], opening)
        return record[0]

    def observe(self, views: Array, memory: Array, rules: Rules, out: npt.NDArray[np.uint8]) -> None:
        """Follow each seat's boards to its view, and write its planes.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        boards = memory.dtype["weight"].shape[0]
        following = Following(rules, self._model, self._care, make_work(boards))
        chances = np.empty((KINDS, 64))
        for i in range(len(views)):
            check_followed("particle filter", -1 if follow_particles(memory[i], views[i], following) else i)
            write_planes(memory[i], chances, out[i])
