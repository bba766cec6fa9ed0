"""What a seat decides by: the base planes with an encoder's after them, and the tries of a mask."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.core.game import Row
from ks_env.core.layout import VIEW
from ks_env.core.tries import MOST_TRIES, list_tries
from ks_env.spaces.encoders import Encoder
from ks_env.spaces.observation import observe_view
from ks_env.spaces.planes import COUNT


def plane_count(encoder: Encoder | None) -> int:
    """How many planes there are: the base planes and the encoder's."""
    return COUNT + (len(encoder.planes) if encoder else 0)


def encoder_planes(views: np.ndarray[Any, Any], encoder: Encoder) -> npt.NDArray[np.uint8]:
    """The encoder's own planes of `views: VIEW[M]`: u1[M, K, 8, 8], a fresh array."""
    out = np.zeros((len(views), len(encoder.planes), 8, 8), np.uint8)
    encoder.encode(views, out)
    return out


def seat_planes(view: Row, encoder: Encoder | None) -> npt.NDArray[np.uint8]:
    """All planes of one VIEW record: u1[C, 8, 8], a fresh array."""
    base = observe_view(view)
    if encoder is None:
        return base
    return np.concatenate([base, encoder_planes(np.array([view], VIEW), encoder)[0]])


def seat_tries(view: Row, rules: Row, level: int) -> npt.NDArray[np.int64]:
    """The tries that a mask allows the seat to move: i8[K], in growing order.

    Args:
        view: a VIEW record.
        rules: the ruleset's record.
        level: number of the mask, see `ks_env.core.game.mask_level`.
    """
    found = np.empty(MOST_TRIES, np.int16)
    count = list_tries(view, rules, level, found)
    return np.sort(found[:count]).astype(np.int64)
