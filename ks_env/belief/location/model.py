"""The numbers of the opponent's model: how often its men move, and where to (T10 §5.2)."""

import numpy as np

from ks_env.belief.location.layout import SORTS

RATES = np.array([1.0, 1.0, 2.0], np.float32)
"""f4[3]: how often the king, a pawn, a piece moves, in units of 1 / (k1 + k2 + 1), T10's rate of all men.
Pieces count twice, as in a published implementation."""

NO_DRIFT = np.ones((SORTS, 64), np.float32)
"""f4[3, 64]: all squares attract equally, as where the profile is of no use."""
