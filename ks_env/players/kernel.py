"""The two players that are kernels: `random` and `capture`.

`random` tries uniformly among the tries of its informed mask, and never asks "any?" (the answer would
not change what it does).

`capture` is the second opponent of M07 §5, "a player which will always capture when possible but
otherwise move randomly". It knows what any seat is told, and does, at every try:

1. When it knows of pawn tries (their number, yes, or the pawns' squares were announced, or "any?" was
   answered yes): a pawn capture of its informed mask, at random.
2. Else, when the opponent has just captured: a try of its informed mask that lands on the square announced,
   at random. This is the only square on which it can be certain of an enemy man.
3. Else a random try of its informed mask.

Where the ruleset has "any?" and its informed mask has a pawn capture, it asks first, once a turn.

A refused try leaves its mask, so 1 and 2 go on until they succeed or run out. It does not know where
other men stand and captures them by chance only.

Both also play invisible chess, by the type of the view they are given: `random` in the same way, `capture`
as `ks_env.players.invisible_kernel` says.
"""

from typing import Any

import numpy as np

from ks_env.core.bits import random_below
from ks_env.core.jit import kernel, serves
from ks_env.core.layout import Rules, SeatView
from ks_env.core.record import i8
from ks_env.core.tables import ANY, TRY_TO
from ks_env.core.tries import INFORMED
from ks_env.games.by_game import Implementation, is_invisible, list_tries
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import FREE, NOT_ASKED, OBLIGED, is_pawn_capture
from ks_env.players.invisible_kernel import choose_certain_capture

RANDOM, CAPTURE = 0, 1


@kernel
def _draw(scratch: np.ndarray, n: int, random: np.ndarray, stream: int) -> int:
    """One of the first n tries, but "any?" (which is listed last) only when there is no other."""
    if n > 1 and scratch[n - 1] == ANY:
        n -= 1
    return i8(scratch[random_below(random, stream, n)])


@kernel
def choose_random(view: SeatView, rules: Rules, random: np.ndarray, stream: int, scratch: np.ndarray) -> int:
    """A try for the seat to move, uniform over the informed mask less "any?".

    `random: u8[n]` holds the stream; `scratch: i2[MOST_TRIES]` is overwritten.
    """
    return _draw(scratch, list_tries(view, rules, INFORMED, scratch), random, stream)


@kernel
def _keep_pawn_captures(view: View, scratch: np.ndarray, n: int) -> int:
    kept = 0
    for i in range(n):
        if scratch[i] != ANY and is_pawn_capture(view, scratch[i]):
            scratch[kept] = scratch[i]
            kept += 1
    return kept


@kernel
def _keep_recaptures(view: View, scratch: np.ndarray, n: int) -> int:
    kept = 0
    for i in range(n):
        if scratch[i] != ANY and TRY_TO[scratch[i]] == view.lost:
            scratch[kept] = scratch[i]
            kept += 1
    return kept


@kernel
def choose_capture(view: View, rules: Rules, random: np.ndarray, stream: int, scratch: np.ndarray) -> int:
    """A try for the seat to move in Kriegspiel by the rules of `capture`; arguments as in `choose_random`."""
    n = list_tries(view, rules, INFORMED, scratch)
    told = view.tries > 0 or view.try_squares != 0 or view.asked == OBLIGED or view.asked == FREE
    asks = rules.ask_any != 0 and view.asked == NOT_ASKED
    if told or asks:
        kept = _keep_pawn_captures(view, scratch, n)
        if kept > 0:
            return ANY if asks else i8(scratch[random_below(random, stream, kept)])
    if view.lost >= 0:
        kept = _keep_recaptures(view, scratch, n)
        if kept > 0:
            return i8(scratch[random_below(random, stream, kept)])
    return _draw(scratch, n, random, stream)


def _capture(view: SeatView, rules: Rules, random: np.ndarray, stream: int, scratch: np.ndarray) -> int:
    """Stands in kernels for `capture` of the game."""
    raise NotImplementedError


@serves(_capture)
def _which_capture(view: Any, rules: Any, random: Any, stream: Any, scratch: Any) -> Implementation:
    if is_invisible(view):
        return lambda view, rules, random, stream, scratch: choose_certain_capture(
            view, random, stream, scratch
        )
    return lambda view, rules, random, stream, scratch: choose_capture(view, rules, random, stream, scratch)


@kernel
def choose(
    player: int, view: SeatView, rules: Rules, random: np.ndarray, stream: int, scratch: np.ndarray
) -> int:
    """A try by the kernel player of that number, in the game that the view is of."""
    if player == CAPTURE:
        return _capture(view, rules, random, stream, scratch)
    return choose_random(view, rules, random, stream, scratch)
