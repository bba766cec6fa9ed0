"""How games end: repetition, the reasons of an end, and how it is announced."""

from typing import Any

import numpy as np

from ks_env.core.answers import CHECKMATE, FIFTY_MOVES, MATERIAL, PLIES, REPETITION, STALEMATE, UNDER_WAY
from ks_env.core.hearing import hear_end
from ks_env.core.jit import kernel
from ks_env.core.layout import AnyRow, Rules, Truth
from ks_env.core.position import (
    has_legal_move,
    insufficient_material,
)
from ks_env.core.record import i1, i4, i8, u1


@kernel
def remember(truth: Truth, history: np.ndarray, irreversible: bool) -> int:
    """Add the position to `history: u8[H]`; how often it has now occurred."""
    n = 0 if irreversible else i8(truth.past)
    history[n] = truth.key
    truth.past = i4(n + 1)
    times = 1
    i = n - 2
    while i >= 0:
        if history[i] == truth.key:
            times += 1
        i -= 2
    return times


@kernel
def draw_or_limit(truth: Truth, times: int, rules: Rules) -> int:
    """Why the game is over in a position that has occurred so often, whatever the men; or UNDER_WAY."""
    if times >= 3:
        return REPETITION
    if rules.fifty_moves and truth.clock >= 100:
        return FIFTY_MOVES
    return PLIES if truth.plies >= rules.max_plies else UNDER_WAY


@kernel
def end_of_game(truth: Truth, history: np.ndarray, rules: Rules, irreversible: bool) -> int:
    """The reason why the game is over after an accepted move, or UNDER_WAY."""
    times = remember(truth, history, irreversible) if rules.threefold else 1
    if not has_legal_move(truth):
        return CHECKMATE if truth.checkers != 0 else STALEMATE
    if insufficient_material(truth):
        return MATERIAL
    return draw_or_limit(truth, times, rules)


@kernel
def finish(game: AnyRow, said: Any, reason: int, winner: int) -> None:
    """The game is over: for the referee, in the latest answer and for both seats."""
    game.truth.reason = u1(reason)
    game.truth.winner = i1(winner)
    said.reason = u1(reason)
    said.winner = i1(winner)
    hear_end(game.views[0], winner)
    hear_end(game.views[1], winner)
