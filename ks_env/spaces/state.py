"""The referee's full planes, for a privileged critic. No player may be handed these."""

from typing import Any

import numpy as np

from ks_env.core.tables import KING, PAWN

Array = np.ndarray[Any, Any]
Row = Any  # a record: np.void

# White's men by kind, Black's men by kind, then the constant planes: Black to move, half-move clock
STATE_SHAPE = (14, 8, 8)
# The same, then White's hidden men, Black's hidden men
INVISIBLE_STATE_SHAPE = (16, 8, 8)


def write_state(truth: Row, out: Array) -> None:
    """Write `out: u1[14, 8, 8]` from a TRUTH record, in absolute squares, rank 0 White's back rank."""
    men = truth["men"].reshape(8, 8)
    for kind in range(PAWN, KING + 1):
        out[kind - 1] = men == kind
        out[6 + kind - 1] = men == (kind | 8)
    out[12] = truth["side"]
    out[13] = min(int(truth["clock"]), 255)


def write_invisible_state(game: Row, out: Array) -> None:
    """Write `out: u1[16, 8, 8]` from a GAME record of invisible chess; see `write_state`."""
    write_state(game["truth"], out)
    men, hidden = game["truth"]["men"].reshape(8, 8), game["ids"].reshape(8, 8) != 0
    out[14] = hidden & (men & 8 == 0)
    out[15] = hidden & (men & 8 != 0)
