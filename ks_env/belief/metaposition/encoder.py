"""The encoder `metaposition`: what a seat may still deem possible, square by square.

See Ciancarini and Favini (2007, §2).

Its memory is a METAPOSITION, followed in compiled code and written straight into the environment's buffers.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from ks_env.belief.encoders import check_followed, compile_loop
from ks_env.belief.metaposition.follow import follow, opening
from ks_env.belief.metaposition.layout import AGE_SCALE, COSTS, METAPOSITION, Metaposition
from ks_env.core.jit import kernel
from ks_env.core.layout import RULES, Rules
from ks_env.core.memory import copy_board, planes_of, spread_bits, uncounted
from ks_env.core.planes import Plane
from ks_env.core.record import Array, f4, i4, u1
from ks_env.games.kriegspiel.layout import VIEW
from ks_env.games.opening import Opening

KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
AGE, ENTROPY = 7, 8  # planes
ENTROPY_SCALE = 64  # of the square root, so that a knight's .003 and a pawn's 2 both fit into a byte

PLANES = (
    Plane("may be empty", 1, False, "the square may be empty"),
    *(Plane(f"{kind} possible", 1, False, f"an opponent's {kind} may stand there") for kind in KINDS),
    Plane("metaposition age", 255, False, "turns without information where an opponent's man may be"),
    Plane(
        "entropy",
        255,
        False,
        f"{ENTROPY_SCALE} times the square root of the square's share of the entropy, saturating",
    ),
)

SHARES = np.rint(COSTS * 200).astype(np.int32)  # entropy costs as whole numbers, i4[7, 64]
SHARE_SCALE = f4(ENTROPY_SCALE**2 / (200 * AGE_SCALE))
assert (SHARES == COSTS * 200).all(), "costs are multiples of 0.005"


@kernel
def write_planes(metaposition: Metaposition, out: np.ndarray) -> None:
    """Write all planes of a METAPOSITION to `out: u1[K, 64]`."""
    for kind in range(7):
        spread_bits(metaposition.ghosts[kind], out, kind)
    copy_board(metaposition.age, out, AGE)
    most = f4(255)
    for square in range(64):
        share = i4(0)
        for kind in range(1, 7):
            share += i4(out[kind, square]) * SHARES[kind, square]
        share *= i4(out[AGE, square])
        root = np.sqrt(f4(share) * SHARE_SCALE)
        out[ENTROPY, square] = u1(min(root, most))


@kernel
def observe_seats(views: Array, memory: Array, rules: Rules, out: Array) -> int:
    """`MetapositionEncoder.observe`; the first row whose memory lost its view's track, or -1."""
    views, memory, out = uncounted(views), uncounted(memory), uncounted(out)
    for i in range(views.shape[0]):
        record, view = memory[i], views[i]
        if not follow(record, view, rules):
            return i
        write_planes(record, planes_of(out, i))
    return -1


class MetapositionEncoder:
    """A `ks_env.belief.encoders.Encoder`: possibilities, ages and entropy of a metaposition.

    Attributes:
        planes: where each pseudo-piece may stand, the ages, the entropy of each square.
        memory: METAPOSITION.
    """

    planes: tuple[Plane, ...] = PLANES
    memory: np.dtype[Any] = METAPOSITION

    def __init__(self) -> None:
        compile_loop("metaposition", observe_seats, VIEW, METAPOSITION, numba.from_dtype(RULES))

    def begin(self, opening_: Opening) -> Any:
        """The union of the placements that the seat deems possible."""
        return opening(list(opening_.fens), opening_.colour)

    def observe(self, views: Array, memory: Array, rules: Rules, out: npt.NDArray[np.uint8]) -> None:
        """Follow each seat's metaposition to its view, and write its planes.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        check_followed("metaposition", observe_seats(views, memory, rules, out))
