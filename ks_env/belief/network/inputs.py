"""What the belief network is told: the base planes, the metaposition's, and the location map in finer steps.

A network that is told of particles, too, has their shares in planes of their own, which are 0 for others.

They are bytes, as in any observation, so that the network learns from a replay just what it reads when it
predicts. What a byte of a plane counts as is in `VALUES`.
"""

import numpy as np
import numpy.typing as npt

from ks_env.belief.location.answers import control_map
from ks_env.belief.location.encoder import CONTROL_SCALE, HALF, MOST, MapEncoder
from ks_env.belief.location.follow import follow_map
from ks_env.belief.location.layout import KINGS, PAWNS, PIECES, SORTS, Location
from ks_env.belief.metaposition.encoder import PLANES as METAPOSITION_PLANES
from ks_env.belief.metaposition.encoder import write_planes
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.memory import planes_of, uncounted
from ks_env.core.planes import Plane, spread_rights, spread_value
from ks_env.core.record import Array, f4, i8, u1
from ks_env.core.tables import KING, KNIGHT, PAWN
from ks_env.games.kriegspiel.planes import PLANES as BASE_PLANES

COUNT_SCALE = f4(16)

MEMORY_PLANES = (
    *METAPOSITION_PLANES,
    *(
        Plane(f"root of a {sort}'s chance", 255, False, "255 times the root of the location map's chance")
        for sort in ("king", "pawn", "piece")
    ),
    Plane("control", 255, False, "64 times the expected number of men that control the square"),
    Plane("most pawns on the file", 6, False, "most pawns that the opponent can have on this file"),
    Plane("least pawns on the file", 6, False, "pawns that it certainly has there"),
    Plane("pawns left", 255, True, "16 times the expected number of the opponent's pawns"),
    Plane("pieces left", 255, True, "16 times that of its other men but the king"),
    Plane("king side right left", 1, True, "the opponent may still have the right to castle king side"),
    Plane("queen side right left", 1, True, "likewise queen side"),
    *(
        Plane(f"root of a {name}'s share", 255, False, "255 times the root of the share of particles")
        for name in ("king", "pawn", "piece", "knight", "bishop", "rook", "queen")
    ),
    Plane("particles", 255, True, "255 times their effective number over the room; 255 while they are exact"),
)
PLANES = (*BASE_PLANES, *MEMORY_PLANES)
BOARDS = np.flatnonzero([not plane.constant for plane in PLANES])  # what differs from square to square
TERMS = np.flatnonzero([plane.constant for plane in PLANES])

CHANNEL = {plane.name: number for number, plane in enumerate(MEMORY_PLANES)}
ROOTS = CHANNEL["root of a king's chance"]
CONTROL = CHANNEL["control"]
FILES = CHANNEL["most pawns on the file"]
COUNTS = CHANNEL["pawns left"]
RIGHTS = CHANNEL["king side right left"]
SHARES = CHANNEL["root of a king's share"]
SHARES_OF_KINDS = CHANNEL["root of a knight's share"]
SIZE = CHANNEL["particles"]
MEMORY_FIRST = len(BASE_PLANES)  # among PLANES
ROOTS_TOLD = MEMORY_FIRST + ROOTS
SHARES_TOLD = MEMORY_FIRST + SHARES


def _values() -> npt.NDArray[np.float32]:
    """f4[len(PLANES), 256]: roots, so that small numbers differ more; chances are roots already."""
    high = np.array([plane.high for plane in PLANES])
    values = np.sqrt(np.minimum(np.arange(256) / high[:, None], 1))
    values[ROOTS_TOLD : ROOTS_TOLD + SORTS] = np.arange(256) / 255
    values[SHARES_TOLD : SHARES_TOLD + SIZE - SHARES] = np.arange(256) / 255
    return values.astype(np.float32)


VALUES = _values()


@kernel
def write_memory(place: Location, scratch: np.ndarray, out: np.ndarray) -> None:
    """Write MEMORY_PLANES of a LOCATION, those before the shares, to `out: u1[K, 64]`.

    `scratch: f4[4, 64]` is overwritten.
    """
    known = place.known
    write_planes(known, out)
    control_map(place.maps, known.own[0], scratch[0], scratch[1:3])
    for square in range(64):
        for sort in range(SORTS):
            out[ROOTS + sort, square] = u1(np.sqrt(min(place.maps[sort, square], f4(1))) * MOST + HALF)
        out[CONTROL, square] = u1(min(scratch[1, square] * CONTROL_SCALE + HALF, MOST))
        out[FILES, square] = known.file_pawns[square & 7]
        out[FILES + 1, square] = known.file_least[square & 7]
    spread_value(i8(place.left[PAWNS] * COUNT_SCALE + HALF), out, COUNTS)
    spread_value(i8(place.left[PIECES] * COUNT_SCALE + HALF), out, COUNTS + 1)
    spread_rights(i8(known.their_rights), out, RIGHTS)


@kernel
def _root(share: float) -> int:
    return u1(np.sqrt(min(share, 1.0)) * 255 + 0.5)


@kernel
def write_shares(shares: np.ndarray, size: float, out: np.ndarray) -> None:
    """Write the other MEMORY_PLANES.

    Args:
        shares: f8[KINDS, 64], the particles' chances by kind.
        size: their effective number over the room.
        out: u1[K, 64].
    """
    for square in range(64):
        pieces = 0.0
        for kind in range(KNIGHT, KING):
            pieces += shares[kind, square]
            out[SHARES_OF_KINDS + kind - KNIGHT, square] = _root(shares[kind, square])
        out[SHARES + KINGS, square] = _root(shares[KING, square])
        out[SHARES + PAWNS, square] = _root(shares[PAWN, square])
        out[SHARES + PIECES, square] = _root(pieces)
    spread_value(i8(min(size, 1.0) * 255 + 0.5), out, SIZE)


@kernel
def observe_inputs(
    views: Array, memory: Array, rules: Rules, rates: Array, drifts: Array, scratch: Array, out: Array
) -> int:
    """`InputsEncoder.observe`; the first row whose memory lost its view's track, or -1."""
    views, memory, out = uncounted(views), uncounted(memory), uncounted(out)
    for i in range(views.shape[0]):
        record, planes = memory[i], planes_of(out, i)
        if not follow_map(record, views[i], rules, rates, drifts, scratch):
            return i
        write_memory(record, scratch, planes)
        planes[SHARES:] = u1(0)
    return -1


class InputsEncoder(MapEncoder):
    """A `ks_env.belief.encoders.Encoder` of MEMORY_PLANES, to gather what the network learns from.

    Attributes:
        planes: MEMORY_PLANES.
    """

    planes: tuple[Plane, ...] = MEMORY_PLANES

    def __init__(self) -> None:
        super().__init__("inputs of the belief network", observe_inputs)
