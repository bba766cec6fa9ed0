"""The encoder `joint`: how probable the opponent's hidden men are on each square.

See Bud et al. (2001, §3.1, §6.1).

Its memory is a joint distribution, followed in compiled code. It is exact up to `BOARDS` boards, which two
hidden men rarely exceed; see `gather` for what comes after. To its entropy, boards that differ in a pawn's
last step alone are two.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from ks_env.belief.encoders import check_followed, compile_loop
from ks_env.belief.joint.follow import begin_joint, follow_joint
from ks_env.belief.joint.layout import Joint, Work, entropy_of, joint_dtype, make_work, write_marginals
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.memory import planes_of, uncounted
from ks_env.core.planes import Plane
from ks_env.core.record import Array, i8, u1
from ks_env.core.tables import PAWN, QUEEN
from ks_env.games.invisible.layout import NUMBERS, VIEW
from ks_env.games.opening import Opening

BOARDS = 1024
ANY_MAN, ENTROPY = QUEEN, QUEEN + 1  # planes after those of the kinds
SCALE, ENTROPY_SCALE, HALF, MOST = 255.0, 16.0, 0.5, 255.0

PLANES = (
    *(
        Plane(
            f"hidden {kind}'s chance", 255, False, f"255 times the chance that a hidden {kind} stands there"
        )
        for kind in ("pawn", "knight", "bishop", "rook", "queen")
    ),
    Plane("hidden man's chance", 255, False, "255 times the chance that any hidden man stands there"),
    Plane("entropy", 255, True, "16 times the bits of uncertainty about the hidden men, saturating"),
)


@kernel
def write_joint(joint: Joint, chances: np.ndarray, kinds: np.ndarray, out: np.ndarray) -> None:
    """Write all planes of a distribution to `out: u1[7, 64]`.

    Args:
        chances: f8[NUMBERS, 64], overwritten.
        kinds: f8[QUEEN + 1, 64], overwritten: the chances by kind, and in entry 0 of any man.
        out: see above.
    """
    write_marginals(joint, chances)
    kinds[:, :] = 0.0
    for n in range(1, NUMBERS):
        kind = i8(joint.known.unseen[n])
        if kind != 0:
            for square in range(64):
                kinds[kind, square] += chances[n, square]
                kinds[0, square] += chances[n, square]
    for square in range(64):
        for kind in range(PAWN, QUEEN + 1):
            out[kind - 1, square] = u1(min(kinds[kind, square] * SCALE + HALF, MOST))
        out[ANY_MAN, square] = u1(min(kinds[0, square] * SCALE + HALF, MOST))
    bits = u1(min(entropy_of(joint.weight, joint.count) * ENTROPY_SCALE + HALF, MOST))
    for square in range(64):
        out[ENTROPY, square] = bits


@kernel
def observe_joints(views: Array, memory: Array, work: Work, chances: Array, kinds: Array, out: Array) -> int:
    """`JointEncoder.observe`; the first row whose memory lost its view's track, or -1."""
    views, memory, out = uncounted(views), uncounted(memory), uncounted(out)
    for i in range(views.shape[0]):
        record = memory[i]
        if not follow_joint(record, views[i], work):
            return i
        write_joint(record, chances, kinds, planes_of(out, i))
    return -1


class JointEncoder:
    """A `ks_env.belief.encoders.Encoder`: the marginals of the joint distribution, by kind, and its entropy.

    Attributes:
        games: invisible chess alone.
        planes: chances by kind, of any man, and the entropy.
        memory: `joint_dtype(1024)`.
    """

    games: tuple[str, ...] = ("InvisibleChess",)
    planes: tuple[Plane, ...] = PLANES
    memory: np.dtype[Any] = joint_dtype(BOARDS)

    def __init__(self) -> None:
        work = numba.typeof(make_work(1))
        matrix = types.float64[:, ::1]
        compile_loop("joint", observe_joints, VIEW, self.memory, work, matrix, matrix)

    def begin(self, opening: Opening) -> Any:
        """The distribution at the start, whose position is public."""
        record = np.zeros(1, self.memory)
        begin_joint(record[0], opening.view)
        return record[0]

    def observe(self, views: Array, memory: Array, rules: Rules, out: npt.NDArray[np.uint8]) -> None:
        """Follow each seat's distribution to its view, and write its planes.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        chances, kinds = np.empty((NUMBERS, 64)), np.empty((QUEEN + 1, 64))
        lost = observe_joints(views, memory, make_work(BOARDS), chances, kinds, out)
        check_followed("joint distribution", lost)
