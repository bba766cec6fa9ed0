"""The player `capture` in dark chess: it captures whenever it can."""

import numpy as np

from ks_env.core.bits import has, random_below
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.tables import PAWN, TRY_FROM, TRY_TO
from ks_env.core.tries import INFORMED
from ks_env.games.dark.layout import View
from ks_env.games.dark.tries import list_tries


@kernel
def takes_something(view: View, action: int) -> bool:
    """Whether the legal try captures: an enemy man in sight, or a pawn en passant."""
    end = i8(TRY_TO[action])
    return has(view.theirs, end) or (end == view.passed and view.men[TRY_FROM[action]] == PAWN)


@kernel
def choose_capture(view: View, rules: Rules, random: np.ndarray, stream: int, scratch: np.ndarray) -> int:
    """A capture, uniformly among all of them, the king's no likelier than a pawn's; else any legal try.

    Arguments as in `ks_env.players.kernel.choice_kernel`.
    """
    n = list_tries(view, rules, INFORMED, scratch)
    captures = 0
    for i in range(n):
        if takes_something(view, i8(scratch[i])):
            scratch[captures], scratch[i] = scratch[i], scratch[captures]
            captures += 1
    return i8(scratch[random_below(random, stream, captures if captures > 0 else n)])
