"""From a view to observation planes and masks. The kernels here are handed a view and nothing else."""

import numpy as np

from ks_env.core.jit import kernel
from ks_env.core.memory import copy_board, spread_bits
from ks_env.core.planes import one_square, spread_rights, spread_value
from ks_env.core.record import i8
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.planes import CHANNEL, COUNT

SHAPE = (COUNT, 8, 8)

AGE = CHANNEL["age"]
LOST = CHANNEL["lost"]
TOOK = CHANNEL["took"]
OWN_TRY_SQUARES = CHANNEL["own pawns with a try"]
THEIR_TRY_SQUARES = CHANNEL["their pawns with a try"]
REFUSED_FROM = CHANNEL["refused from"]
REFUSED_TO = CHANNEL["refused to"]
CHECKS = CHANNEL["rank check"]
GAVE = CHANNEL["gave rank check"]
VALUES = CHANNEL["pawn tries"]  # from here on one value a plane, in the order of `_values`


@kernel
def _values(view: View, out: np.ndarray) -> None:
    at = VALUES
    spread_value(max(i8(view.tries), 0), out, at)
    spread_value(max(i8(view.left), 0), out, at + 1)
    spread_rights(i8(view.rights), out, at + 2)
    spread_value(i8(view.pawns_taken), out, at + 4)
    spread_value(i8(view.pieces_taken), out, at + 5)
    spread_value(i8(view.men_taken), out, at + 6)
    spread_value(i8(view.moves), out, at + 7)
    spread_value(i8(view.fifty), out, at + 8)
    spread_value(i8(view.heard), out, at + 9)
    spread_value(i8(view.promotion), out, at + 10)
    spread_value(i8(view.answer), out, at + 11)
    spread_value(i8(view.asked), out, at + 12)
    spread_value(i8(view.their_any), out, at + 13)
    spread_value(i8(view.seat), out, at + 14)
    spread_value(i8(view.turn), out, at + 15)


@kernel
def write_observation(view: View, out: np.ndarray) -> None:
    """Write the planes of one seat to `out: u1[COUNT, 64]`, every byte of it."""
    for kind in range(1, 7):
        spread_bits(view.kinds[kind], out, kind - 1)
    copy_board(view.age, out, AGE)
    one_square(i8(view.lost), i8(view.lost_kind), out, LOST)
    one_square(i8(view.took), i8(view.took_kind), out, TOOK)
    spread_bits(view.try_squares, out, OWN_TRY_SQUARES)
    spread_bits(view.left_squares, out, THEIR_TRY_SQUARES)
    copy_board(view.refused_from, out, REFUSED_FROM)
    copy_board(view.refused_to, out, REFUSED_TO)
    for i in range(5):
        spread_value((i8(view.checks) >> i) & 1, out, CHECKS + i)
        spread_value((i8(view.gave) >> i) & 1, out, GAVE + i)
    _values(view, out)
