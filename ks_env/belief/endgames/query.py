"""Which try to make: kernels over the winning sets of a solved ending.

`wins` is a `retrograde.WinningSets`, `places` a `placements.Placements`; `moves` are those of the placement
at hand, as `placements.moves_of` lists them. Boards of the king's squares are in the seat's frame and
are turned here to the frame of the placement that is listed.
"""

from typing import Any

import numpy as np

from ks_env.belief.endgames.geometry import steps, turned
from ks_env.core.bits import ZERO, popcount
from ks_env.core.jit import kernel
from ks_env.core.record import i8

Array = np.ndarray[Any, Any]
NEVER = 255  # moves to mate of a set without a sure win


@kernel
def depth_of(wins: Any, place: int, board: np.uint64) -> int:
    """Moves to mate from a set in the listed frame: 0 if it is empty, NEVER without a sure win."""
    if board == ZERO:
        return 0
    for i in range(wins.first[place], wins.first[place + 1]):
        if board & ~wins.sets[i] == ZERO:
            return i8(wins.depths[i])
    return NEVER


@kernel
def _cost_of(wins: Any, move: Any, king: np.uint64, within: int) -> int:
    """Moves to mate after a try, summed over the king's squares; -1 if they may be more than `within`."""
    if king & move.legal == ZERO or king & move.bad != ZERO:
        return -1
    cost = popcount(king & ~move.legal) * within
    for answer in range(move.count):
        part = king & move.answers[answer]
        if part == ZERO:
            continue
        replies = turned(steps(part) & move.full, move.turn)
        depth = depth_of(wins, move.place, replies)
        if depth >= within:
            return -1
        cost += popcount(part) * (depth + 1)
    return cost


@kernel
def best_sure(wins: Any, moves: Array, king: np.uint64, within: int) -> int:
    """The try that keeps a win in `within` moves, the quickest on average; its index, or -1."""
    best, least = -1, 0
    for i in range(moves.shape[0]):
        cost = _cost_of(wins, moves[i], king, within)
        if cost >= 0 and (best < 0 or cost < least):
            best, least = i, cost
    return best


@kernel
def promise_of(wins: Any, discounts: Array, place: int, board: np.uint64) -> float:
    """The greatest discounted number of squares that one winning set covers, for a set in the listed frame.

    `discounts: f8[256]` by moves to mate.
    """
    most = 0.0
    squares = popcount(board)
    for i in range(wins.first[place], wins.first[place + 1]):
        discount = discounts[wins.depths[i]]
        if discount * squares <= most:
            break  # those that follow are no quicker
        promise = discount * popcount(board & wins.sets[i])
        most = max(most, promise)
    return most


@kernel
def _promise_of_try(wins: Any, discounts: Array, move: Any, king: np.uint64, place: int, turn: int) -> float:
    """What a try promises, summed over the king's squares."""
    promise = promise_of(wins, discounts, place, turned(king & ~move.legal, turn))
    for answer in range(move.count):
        part = king & move.answers[answer]
        mated = part & ~steps(move.full)
        promise += discounts[1] * popcount(mated)
        replies = turned(steps(part) & move.full, move.turn)
        if replies != ZERO:
            share = popcount(part & ~mated) / popcount(replies)
            promise += discounts[1] * share * promise_of(wins, discounts, move.place, replies)
    return promise


@kernel
def best_gamble(
    wins: Any, discounts: Array, moves: Array, king: np.uint64, place: int, turn: int, out: Array
) -> int:
    """The try that promises most, the least risky of equals; its index, -1 if none can be legal.

    `out: f8[1]` takes the promise, 0 to 1.
    """
    best, most, least_risk = -1, 0.0, 0
    for i in range(moves.shape[0]):
        if king & moves[i].legal == ZERO:
            continue
        promise = _promise_of_try(wins, discounts, moves[i], king, place, turn)
        risk = popcount(king & moves[i].bad)
        if best < 0 or promise > most or (promise == most and risk < least_risk):
            best, most, least_risk = i, promise, risk
    out[0] = most / popcount(king)
    return best
