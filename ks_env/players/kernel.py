"""The two players that are kernels, in every game: `random` and `capture`.

`random` tries uniformly among the tries of its informed mask, and never asks "any?" (the answer would
not change what it does). `capture` captures whenever it can, as each game says (`capturing` in its folder).
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, SeatView
from ks_env.core.tries import INFORMED, draw_try
from ks_env.games.definition import GameKernels

RANDOM, CAPTURE = 0, 1


@cache
def choice_kernel(game: GameKernels) -> Callable[..., int]:
    """A kernel (player, view, rules, random, stream, scratch): a try by the kernel player of that number.

    `random: u8[n]` holds the stream; `scratch: i2[MOST_TRIES]` is overwritten.
    """
    list_tries, capture = game.list_tries, game.capture

    @kernel
    def choose(
        player: int, view: SeatView, rules: Rules, random: np.ndarray, stream: int, scratch: np.ndarray
    ) -> int:
        if player == CAPTURE:
            return capture(view, rules, random, stream, scratch)
        return draw_try(scratch, list_tries(view, rules, INFORMED, scratch), random, stream)

    return choose
