"""From a view of dark chess to observation planes. The kernels are handed a view and nothing else."""

import numpy as np

from ks_env.core.jit import kernel
from ks_env.core.memory import copy_board, spread_bits
from ks_env.core.planes import one_square, spread_rights, spread_value
from ks_env.core.record import i8
from ks_env.games.dark.layout import View
from ks_env.games.dark.planes import TABLE

SHAPE = (TABLE.count, 8, 8)

OWN = TABLE.channel("own pawns")  # a row of planes by kind begins here, and so on
SEEN = TABLE.channel("seen")
THEIRS = TABLE.channel("their pawns")
RECALLED = TABLE.channel("recalled pawns")
AGE = TABLE.channel("age")
PASSED = TABLE.channel("passed")
LOST = TABLE.channel("lost")
TOOK = TABLE.channel("took")
REFUSED_FROM = TABLE.channel("refused from")
REFUSED_TO = TABLE.channel("refused to")
VALUES = TABLE.channel("king side right")  # from here on one value a plane, in the order of `_values`


@kernel
def _values(view: View, out: np.ndarray) -> None:
    at = VALUES
    spread_rights(i8(view.rights), out, at)
    spread_value(i8(view.pawns_taken), out, at + 2)
    spread_value(i8(view.pieces_taken), out, at + 3)
    spread_value(i8(view.answer), out, at + 4)
    spread_value(i8(view.moves), out, at + 5)
    spread_value(i8(view.fifty), out, at + 6)
    spread_value(i8(view.seat), out, at + 7)
    spread_value(i8(view.turn), out, at + 8)


@kernel
def write_observation(view: View, out: np.ndarray) -> None:
    """Write the planes of one seat to `out: u1[C, 64]`, every byte of it."""
    for kind in range(1, 7):
        spread_bits(view.kinds[kind], out, OWN + kind - 1)
        spread_bits(view.their_kinds[kind], out, THEIRS + kind - 1)
        spread_bits(view.recalled[kind] & ~view.seen, out, RECALLED + kind - 1)
    spread_bits(view.seen, out, SEEN)
    copy_board(view.age, out, AGE)
    one_square(i8(view.passed), 1, out, PASSED)
    one_square(i8(view.lost), i8(view.lost_kind), out, LOST)
    one_square(i8(view.took), i8(view.took_kind), out, TOOK)
    copy_board(view.refused_from, out, REFUSED_FROM)
    copy_board(view.refused_to, out, REFUSED_TO)
    _values(view, out)
