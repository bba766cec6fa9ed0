"""The player `capture` in invisible chess, where some of the opponent's men are seen."""

import numpy as np

from ks_env.core.bits import has, random_below
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.tables import TRY_TO
from ks_env.core.tries import INFORMED
from ks_env.games.invisible.layout import View
from ks_env.games.invisible.tries import list_tries, placed_men


@kernel
def choose_capture(view: View, rules: Rules, random: np.ndarray, stream: int, scratch: np.ndarray) -> int:
    """A try of the informed mask that lands where an opponent's man certainly stands; else any of it.

    Both are drawn uniformly; arguments as in `ks_env.players.kernel.choice_kernel`.
    """
    n = list_tries(view, rules, INFORMED, scratch)
    men = view.theirs | placed_men(view)
    captures = 0
    for i in range(n):
        if has(men, i8(TRY_TO[scratch[i]])):
            captures += 1
    if captures == 0:
        return i8(scratch[random_below(random, stream, n)])
    left = random_below(random, stream, captures)
    for i in range(n):
        if has(men, i8(TRY_TO[scratch[i]])):
            if left == 0:
                return i8(scratch[i])
            left -= 1
    return i8(scratch[0])  # never reached
