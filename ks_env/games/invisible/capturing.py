"""The player `capture` in invisible chess, where some of the opponent's men are seen."""

import numpy as np

from ks_env.core.bits import random_below
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.tries import INFORMED, keep_landing
from ks_env.games.invisible.layout import View
from ks_env.games.invisible.tries import list_tries, placed_men


@kernel
def choose_capture(view: View, rules: Rules, random: np.ndarray, stream: int, scratch: np.ndarray) -> int:
    """A try of the informed mask that lands where an opponent's man certainly stands; else any of it.

    Both are drawn uniformly; arguments as in `ks_env.players.kernel.choice_kernel`.
    """
    n = list_tries(view, rules, INFORMED, scratch)
    captures = keep_landing(scratch, n, view.theirs | placed_men(view))
    return i8(scratch[random_below(random, stream, captures if captures > 0 else n)])
