"""The referee's full planes, for a privileged critic. No player may be handed these."""

from typing import Any

import numpy as np

from ks_env.core.tables import KING, PAWN

# White's men by kind, Black's men by kind, then the constant planes: Black to move, half-move clock
STATE_SHAPE = (14, 8, 8)


def write_state(truth: np.ndarray[Any, Any], out: np.ndarray[Any, Any]) -> None:
    """Write `out: u1[14, 8, 8]` from a TRUTH record, in absolute squares, rank 0 White's back rank."""
    men = truth["men"].reshape(8, 8)
    for kind in range(PAWN, KING + 1):
        out[kind - 1] = men == kind
        out[6 + kind - 1] = men == (kind | 8)
    out[12] = truth["side"]
    out[13] = min(int(truth["clock"]), 255)
