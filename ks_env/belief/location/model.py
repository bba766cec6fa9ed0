"""The numbers of the opponent's model: how often its men move, and where to (T10 §5.2)."""

import numpy as np

from ks_env.belief.location.layout import SORTS

RATES = np.array([1.0, 1.0, 2.0], np.float32)
"""f4[3]: how often the king, a pawn and a piece move, in relation to each other; exactly one man moves in a
turn. T10 has them all alike; pieces count twice, as in a published implementation."""

NO_DRIFT = np.ones((2, 1, SORTS, 64), np.float32)
"""f4[2, T, 3, 64], see `profile.Profile.drifts`: all squares attract equally, as without a profile."""
