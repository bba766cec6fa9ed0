"""Exact information sets by brute force: every position that a seat cannot tell from the true one.

A candidate is a TRUTH record. It is played on with the move that was played, or with every legal move of the
opponent, and kept if the seat's VIEW comes out byte for byte as it really did. Two candidates differ in
placement, castling rights, en passant or turn; their clocks and histories are not followed, so the games are
played without fifty moves and threefold repetition. The opponent makes legal tries only and never asks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.answers import MOVED
from ks_env.core.bits import ONE, ZERO, flip, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import TRUTH, Rules, Truth
from ks_env.core.position import (
    has_legal_move,
    insufficient_material,
    is_legal,
    legal_targets,
    play,
    refresh,
)
from ks_env.core.record import i2, i8, u1
from ks_env.core.tables import KNIGHT, PAWN, TRIES, TRY_FROM, TRY_INDEX, TRY_KIND, TRY_TO, UNDER_INDEX
from ks_env.games.kriegspiel.hearing import hear_opponent_move, hear_own_move
from ks_env.games.kriegspiel.judge import describe
from ks_env.games.kriegspiel.layout import VIEW, View
from ks_env.games.kriegspiel.tries import DENIED, FREE, OBLIGED
from tests.belief.metaposition.containment import FINE, contradiction

Array = np.ndarray[Any, Any]
TOO_MANY = -1


@kernel
def _same(a: Array, b: Array) -> bool:
    """Whether two records, as u1[1, S], are equal byte for byte."""
    different = 0
    for i in range(a.shape[1]):
        different |= a[0, i] ^ b[0, i]
    return different == 0


@kernel
def _is_new(seen: Array, key: np.uint64) -> bool:
    """Enter a key into an open hash table `seen: u8[2**n]`; False if it was there."""
    last = np.uint64(seen.shape[0] - 1)
    here = (key ^ (key >> np.uint64(32))) & last
    wanted = key | ONE  # 0 marks a free entry; one bit of 64 is given up
    while seen[np.int64(here)] != ZERO:
        if seen[np.int64(here)] == wanted:
            return False
        here = (here + ONE) & last
    seen[np.int64(here)] = wanted
    return True


@kernel
def _move(truth: Truth, start: int, end: int, under: int, action: int) -> None:
    """Play a legal move and put into `said` what the referee would."""
    truth.said.seat = truth.side
    truth.said.action = i2(action)
    truth.said.kind = u1(MOVED)
    play(truth, start, end, under)
    refresh(truth)
    describe(truth)


@kernel
def _goes_on(truth: Truth) -> bool:
    return has_legal_move(truth) and not insufficient_material(truth)


@kernel
def still_possible(truths: Array, view: View, out: Array) -> int:
    """Candidates that agree with what the seat, to move, was told in this turn: refusals and "any?"."""
    n = 0
    for i in range(truths.shape[0]):
        truth = truths[i]
        mirror = 56 * i8(truth.side)
        fits = True
        if view.asked == DENIED:
            fits = truth.tries == 0
        elif view.asked == OBLIGED or view.asked == FREE:
            fits = truth.tries > 0
        for action in range(TRIES):
            if fits and has(view.refused[action >> 6], action & 63):
                fits = not is_legal(truth, i8(TRY_FROM[action]) ^ mirror, i8(TRY_TO[action]) ^ mirror)
        if fits:
            out[n] = truths[i]
            n += 1
    return n


@kernel
def after_own_move(
    truths: Array,
    action: int,
    before: Array,
    after: Array,
    heard: Array,
    heard_bytes: Array,
    after_bytes: Array,
    rules: Rules,
    out: Array,
) -> int:
    """Candidates after the own accepted try that the referee would have answered just so.

    Args:
        truths: TRUTH[N], the seat to move.
        action: the try.
        before: VIEW[1] of the seat before it.
        after: VIEW[1] after it.
        heard: VIEW[1], overwritten.
        heard_bytes: the same memory as u1[1, S].
        after_bytes: that of `after`.
        rules: RULES record.
        out: TRUTH[at least N].
    """
    n = 0
    for i in range(truths.shape[0]):
        mirror = 56 * i8(truths[i].side)
        start, end = i8(TRY_FROM[action]) ^ mirror, i8(TRY_TO[action]) ^ mirror
        if not is_legal(truths[i], start, end):
            continue
        out[n] = truths[i]
        _move(out[n], start, end, i8(TRY_KIND[action]), action)
        heard[0] = before[0]
        hear_own_move(heard[0], out[n].said, rules)
        if _same(heard_bytes, after_bytes) and _goes_on(out[n]):
            n += 1
    return n


@kernel
def after_opponent_move(
    truths: Array,
    before: Array,
    heard: Array,
    heard_bytes: Array,
    after_bytes: Array,
    rules: Rules,
    seen: Array,
    out: Array,
) -> int:
    """Candidates after any legal move of the opponent of which the seat would have heard just this.

    As `after_own_move`, with `seen: u8[2**n]` a zeroed hash table, and `TOO_MANY` if `out` is too small.
    """
    n = 0
    for i in range(truths.shape[0]):
        side = i8(truths[i].side)
        men = truths[i].seats[side]
        while men != ZERO:
            start = lowest(men)
            men = without_lowest(men)
            targets = legal_targets(truths[i], start)
            pawn = i8(truths[i].men[start]) & 7 == PAWN
            while targets != ZERO:
                end = lowest(targets)
                targets = without_lowest(targets)
                kinds = 4 if pawn and (end >= 56 or end < 8) else 1
                for k in range(kinds):
                    if n == out.shape[0]:
                        return TOO_MANY
                    out[n] = truths[i]
                    under = 0 if k == 0 else KNIGHT + k - 1
                    _move(out[n], start, end, under, TRY_INDEX[start ^ (56 * side), end ^ (56 * side)])
                    heard[0] = before[0]
                    hear_opponent_move(heard[0], out[n].said, rules)
                    if _same(heard_bytes, after_bytes) and _goes_on(out[n]) and _is_new(seen, out[n].key):
                        n += 1
    return n


@kernel
def union_of(truths: Array, seat: int, boards: Array) -> None:
    """Where the opponent's men stand in any candidate, by kind, in the seat's frame; entry 0: empty."""
    for i in range(truths.shape[0]):
        theirs = truths[i].seats[1 - seat]
        boards[0] |= ~(truths[i].seats[0] | truths[i].seats[1])
        for kind in range(1, 7):
            boards[kind] |= truths[i].kinds[kind] & theirs
    if seat == 1:
        for kind in range(7):
            boards[kind] = flip(boards[kind])


@kernel
def first_excluded(m: Metaposition, truths: Array) -> int:
    """The first candidate that the metaposition excludes; -1 if it contains them all."""
    for i in range(truths.shape[0]):
        if contradiction(m, truths[i]) != FINE:
            return i
    return -1


@kernel
def draw_legal(truth: Truth, random: Array, draws: Array) -> int:
    """A legal try of the side to move, uniformly; `draws: i2[MOST_TRIES]` is overwritten."""
    side = i8(truth.side)
    mirror = 56 * side
    n = 0
    men = truth.seats[side]
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        targets = legal_targets(truth, start)
        pawn = i8(truth.men[start]) & 7 == PAWN
        while targets != ZERO:
            end = lowest(targets)
            targets = without_lowest(targets)
            draws[n] = TRY_INDEX[start ^ mirror, end ^ mirror]
            n += 1
            if pawn and (end >= 56 or end < 8):
                first = UNDER_INDEX[start & 7, (end & 7) - (start & 7) + 1]
                for k in range(3):
                    draws[n] = first + k
                    n += 1
    return i8(draws[i8(random[0] % np.uint64(n))])


class Followed:
    """The information set of a seat, followed through a game.

    Attributes:
        truths: TRUTH[N], the candidates.

    Args:
        truths: the candidates at the start.
        seat: whose it is.
        view: VIEW[()] of the seat at the start.
        rules: RULES[1].
        most: at most so many candidates.
    """

    def __init__(self, truths: Array, seat: int, view: View, rules: Array, most: int) -> None:
        self.seat, self.rules, self.most = seat, rules, most
        self.truths = truths.copy()
        self._view = np.zeros(1, VIEW)
        self._view[0] = view
        self._heard = np.zeros(1, VIEW)
        self._seen = np.zeros(1 << (2 * most - 1).bit_length(), np.uint64)

    def _bytes(self, record: Array) -> Array:
        return record.view(np.uint8).reshape(1, -1)

    def turn(self, view: View) -> None:
        """Take in what was told in the own turn so far."""
        out = np.zeros(len(self.truths), TRUTH)
        n = still_possible(self.truths, view, out)
        self.truths = out[:n].copy()
        self._view[0] = view

    def own_move(self, action: int, view: View) -> None:
        """The own try was accepted; `view` is the seat's after it."""
        after = np.zeros(1, VIEW)
        after[0] = view
        out = np.zeros(len(self.truths) + 1, TRUTH)
        n = after_own_move(
            self.truths,
            action,
            self._view,
            after,
            self._heard,
            self._bytes(self._heard),
            self._bytes(after),
            self.rules[0],
            out,
        )
        self.truths = out[:n].copy()
        self._view[0] = view

    def opponent_move(self, view: View) -> bool:
        """The opponent moved; False if there are too many candidates now."""
        after = np.zeros(1, VIEW)
        after[0] = view
        out = np.zeros(self.most, TRUTH)
        self._seen[:] = 0
        n = after_opponent_move(
            self.truths,
            self._view,
            self._heard,
            self._bytes(self._heard),
            self._bytes(after),
            self.rules[0],
            self._seen,
            out,
        )
        self.truths = out[: max(n, 0)].copy()
        self._view[0] = view
        return n != TOO_MANY

    def union(self) -> Array:
        """u8[7]: see `union_of`."""
        boards = np.zeros(7, np.uint64)
        union_of(self.truths, self.seat, boards)
        return boards
