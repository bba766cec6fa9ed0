"""Entropy over moves, simulated and real: the two inequalities of Ciancarini and Favini (2007, §4.3)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ks_env.belief.metaposition import entropy, follow, simulate_meta, simulate_pseudo
from ks_env.belief.metaposition.boards import own_pawn_targets
from ks_env.belief.metaposition.layout import Metaposition, possible_but_king
from ks_env.belief.metaposition.own_move import kind_at
from ks_env.core.answers import ILLEGAL, MOVED
from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, random_below, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.tables import BETWEEN, KING, KNIGHT, PAWN
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.kriegspiel.judge import judge
from ks_env.games.kriegspiel.layout import GameRow
from ks_env.players.kernel import choice_kernel

Array = np.ndarray[Any, Any]
choose = choice_kernel(KRIEGSPIEL.kernels)
LEAST = 1e-9  # rounding of the sum
# What is counted: moves, and those that break the inequality
OWN, OWN_ROSE, REFUSED, REFUSED_ROSE, THEIRS, THEIRS_FELL = range(6)
SIMULATED, SIMULATED_BREAKS = 6, 7
COUNTS: Final = 8


@kernel
def own_targets(m: Metaposition, start: int) -> np.uint64:
    """Where the own man may go in some position: not past squares that are certainly occupied."""
    kind = kind_at(m, start)
    own, empty = m.own[0], m.ghosts[0]
    if kind == PAWN:
        one = (bit(start) << np.uint64(8)) & empty & ~own
        two = ZERO
        if start < 16:
            two = (one << np.uint64(8)) & empty & ~own
        steps: np.uint64 = one | two | (own_pawn_targets(bit(start)) & possible_but_king(m))
        return steps
    reach: np.uint64 = man_attacks(kind, start, own | ~empty) & ~own & (empty | possible_but_king(m))
    if kind == KING and m.rights & 1 and BETWEEN[4, 7] & ~empty == ZERO:
        reach |= bit(6)
    if kind == KING and m.rights & 2 and BETWEEN[4, 0] & ~empty == ZERO:
        reach |= bit(2)
    return reach


@kernel
def _nth(board: np.uint64, n: int) -> int:
    for _ in range(n):
        board = without_lowest(board)
    return i8(lowest(board))


@kernel
def simulate_own(m: Metaposition, random: Array) -> bool:
    """A random own move, simulated; False if none was found."""
    for _ in range(40):
        start = _nth(m.own[0], random_below(random, 0, popcount(m.own[0])))
        targets = own_targets(m, start)
        if targets == ZERO:
            continue
        end = _nth(targets, random_below(random, 0, popcount(targets)))
        may, must = has(possible_but_king(m), end), not has(m.ghosts[0], end)
        pawn = has(m.own[PAWN], start)
        if pawn:
            must = (end - start) & 7 != 0
            may = may and must
        captures = must or (may and random_below(random, 0, 2) == 1)
        under = (
            KNIGHT + random_below(random, 0, 3) if pawn and end >= 56 and random_below(random, 0, 2) else 0
        )
        simulate_pseudo(m, start, end, under, i8(captures))
        return True
    return False


@kernel
def simulate_chain(records: Array, moves: int, random: Array, counts: Array) -> None:
    """Simulate so many own moves and answers on `records[0]`, and count where entropy goes the wrong way."""
    m = records[0]
    for _ in range(moves):
        before = entropy(m)
        if not simulate_own(m, random):
            return
        between = entropy(m)
        simulate_meta(m)
        after = entropy(m)
        counts[SIMULATED] += 2
        counts[SIMULATED_BREAKS] += i8(between > before + LEAST) + i8(after < between - LEAST)


@kernel
def play_and_count(
    game: GameRow, history: Array, rules: Rules, players: Array, records: Array, chain: int,
    scratch: Array, counts: Array, copies: Array,
) -> None:  # fmt: skip
    """Play a game and count where entropy goes the wrong way, for both seats.

    Args:
        game: GAME, begun.
        history: u8[H].
        rules: RULES.
        players: i8[2].
        records: METAPOSITION[2], the openings.
        chain: own moves simulated from every own turn.
        scratch: i2[MOST_TRIES].
        counts: i8[COUNTS], added to.
        copies: METAPOSITION[1], overwritten.
    """
    truth = game.truth
    for seat in range(2):
        follow(records[seat], game.views[seat], rules)
    while truth.reason == 0:
        mover = i8(truth.side)
        copies[0] = records[mover]
        simulate_chain(copies, chain, truth.random[2:], counts)
        action = choose(players[mover], game.views[mover], rules, truth.random, mover, scratch)
        answer = judge(game, history, rules, action)
        if truth.reason != 0:
            return
        for seat in range(2):
            before = entropy(records[seat])
            follow(records[seat], game.views[seat], rules)
            change = entropy(records[seat]) - before
            if seat == mover and answer == MOVED:
                counts[OWN] += 1
                counts[OWN_ROSE] += change > LEAST
            elif seat == mover and answer == ILLEGAL:
                counts[REFUSED] += 1
                counts[REFUSED_ROSE] += change > LEAST
            elif seat != mover and answer == MOVED:
                counts[THEIRS] += 1
                counts[THEIRS_FELL] += change < -LEAST
