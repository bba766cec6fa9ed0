"""How games end: repetition, the reasons of an end, and what both seats are told of it."""

import numpy as np

from ks_env.core.answers import CHECKMATE, FIFTY_MOVES, MATERIAL, PLIES, REPETITION, STALEMATE
from ks_env.core.bits import ZERO
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, SeatView, Truth
from ks_env.core.position import (
    has_legal_move,
    insufficient_material,
)
from ks_env.core.record import i1, i4, i8, u1, u2
from ks_env.core.tables import TRY_WORDS


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
def end_of_game(truth: Truth, history: np.ndarray, rules: Rules, irreversible: bool) -> int:
    """The reason why the game is over after an accepted move, or 0."""
    times = remember(truth, history, irreversible) if rules.threefold else 1
    if not has_legal_move(truth):
        return CHECKMATE if truth.checkers != 0 else STALEMATE
    if insufficient_material(truth):
        return MATERIAL
    if times >= 3:
        return REPETITION
    if rules.fifty_moves and truth.clock >= 100:
        return FIFTY_MOVES
    return PLIES if truth.plies >= rules.max_plies else 0


@kernel
def forget_refusals(view: SeatView) -> None:
    """A new turn: nothing has been refused."""
    if view.refusals != 0:
        view.refusals = u2(0)
        for i in range(TRY_WORDS):
            view.refused[i] = ZERO
        for i in range(64):
            view.refused_from[i] = u1(0)
            view.refused_to[i] = u1(0)


@kernel
def hear_end(view: SeatView, winner: int) -> None:
    """The end of the game is announced to both."""
    view.over = u1(1)
    view.turn = u1(0)
    view.result = i1(0)
    if winner >= 0:
        view.result = i1(1 if winner == view.seat else -1)
