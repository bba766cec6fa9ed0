"""The player `capture` in Kriegspiel: the second opponent of Ciancarini and Favini (2007, §5).

"A player which will always capture when possible but otherwise move randomly" knows what any seat is told,
and does, at every try:

1. When it knows of pawn tries (their number, yes, or the pawns' squares were announced, or "any?" was
   answered yes): a pawn capture of its informed mask, at random.
2. Else, when the opponent has just captured: a try of its informed mask that lands on the square announced,
   at random. This is the only square on which it can be certain of an enemy man.
3. Else a random try of its informed mask.

Where the ruleset has "any?" and its informed mask has a pawn capture, it asks first, once a turn.

A refused try leaves its mask, so 1 and 2 go on until they succeed or run out. It does not know where
other men stand and captures them by chance only.
"""

import numpy as np

from ks_env.core.bits import bit, random_below
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.ruleset import NO_QUESTION
from ks_env.core.tables import ANY
from ks_env.core.tries import INFORMED, draw_try, keep_landing
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import FREE, NOT_ASKED, OBLIGED, is_pawn_capture, list_tries


@kernel
def _keep_pawn_captures(view: View, scratch: np.ndarray, n: int) -> int:
    kept = 0
    for i in range(n):
        if scratch[i] != ANY and is_pawn_capture(view, scratch[i]):
            scratch[kept] = scratch[i]
            kept += 1
    return kept


@kernel
def choose_capture(view: View, rules: Rules, random: np.ndarray, stream: int, scratch: np.ndarray) -> int:
    """A try for the seat to move in Kriegspiel by the rules of `capture`; arguments as in `choice_kernel`."""
    n = list_tries(view, rules, INFORMED, scratch)
    told = view.tries > 0 or view.try_squares != 0 or view.asked == OBLIGED or view.asked == FREE
    asks = rules.ask_any != NO_QUESTION and view.asked == NOT_ASKED
    if told or asks:
        kept = _keep_pawn_captures(view, scratch, n)
        if kept > 0:
            return ANY if asks else i8(scratch[random_below(random, stream, kept)])
    if view.lost >= 0:
        kept = keep_landing(scratch, n, bit(i8(view.lost)))
        if kept > 0:
            return i8(scratch[random_below(random, stream, kept)])
    return draw_try(scratch, n, random, stream)
