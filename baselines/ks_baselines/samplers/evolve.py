"""A pool of boards from one own turn to the next: what was heard filters it, the opponent's moves renew it.

While all boards that fit have room, the pool holds all of them. When they have not, children are drawn: the
boards in order from a random one on, again and again, each with one of its fitting moves at random, until the
pool is full. Every board that fits has a child before any has two.
"""

from typing import NamedTuple

import numpy as np

from ks_baselines.samplers.refusals import refusals_fit
from ks_env.belief.particles.layout import MOST_MOVES
from ks_env.belief.particles.turns import (
    list_moves,
    may_fit,
    own_move_fits,
    own_turn_fits,
    their_move_fits,
)
from ks_env.core.bits import ONE, ZERO, random_below
from ks_env.core.jit import kernel
from ks_env.core.layout import TRUTH, Rules, Truth
from ks_env.core.record import Array, i8
from ks_env.games.kriegspiel.layout import View

ROUNDS = 64  # of drawing children, at most
# of a board: it has no child that fits; that child was there before; it was not
BARREN, KNOWN, NEW = range(3)
EARLY = 255  # boards between two looks at how many children there are


class Memory(NamedTuple):
    """A pool's memory.

    Attributes:
        boards: TRUTH[N], in the seat's own frame.
        next: TRUTH[N], the pool of the next turn.
        seen: u8[2**n], a hash table of boards.
        fertile: i4[N], the boards that may have a child.
        moves: i2[MOST_MOVES].
        random: u8[1], the stream.
    """

    boards: Array
    next: Array
    seen: Array
    fertile: Array
    moves: Array
    random: Array


def new_memory(size: int) -> Memory:
    """Memory for a pool of so many boards at most."""
    return Memory(
        boards=np.zeros(size, TRUTH),
        next=np.zeros(size, TRUTH),
        seen=np.zeros(1 << (2 * size - 1).bit_length(), np.uint64),
        fertile=np.zeros(size, np.int32),
        moves=np.zeros(MOST_MOVES, np.int16),
        random=np.zeros(1, np.uint64),
    )


@kernel
def is_new(seen: Array, key: np.uint64) -> bool:
    """Enter a board's key into the hash table; False if it was there."""
    last = np.uint64(seen.shape[0] - 1)
    here = (key ^ (key >> np.uint64(32))) & last
    wanted = key | ONE  # 0 marks a free entry
    while seen[i8(here)] != ZERO:
        if seen[i8(here)] == wanted:
            return False
        here = (here + ONE) & last
    seen[i8(here)] = wanted
    return True


@kernel
def forget_seen(seen: Array) -> None:
    """Empty the hash table."""
    for i in range(seen.shape[0]):
        seen[i] = ZERO


@kernel
def filter_turn(memory: Memory, n: int, view: View) -> int:
    """Drop those of the first n boards that the answers of this turn speak against; how many are left."""
    boards = memory.boards
    kept = 0
    for i in range(n):
        if own_turn_fits(boards[i], view):
            if kept != i:
                boards[kept] = boards[i]
            kept += 1
    return kept


@kernel
def filter_own_move(memory: Memory, n: int, view: View, rules: Rules) -> int:
    """Play the own accepted try on the first n boards and drop those that would have been answered otherwise.

    Args:
        memory: its `boards` have the seat to move, and the opponent afterwards.
        view: VIEW after the opponent's turn.

    Returns:
        How many boards are left.
    """
    boards = memory.boards
    kept = 0
    for i in range(n):
        if own_move_fits(boards[i], view, rules):
            if kept != i:
                boards[kept] = boards[i]
            kept += 1
    return kept


@kernel
def list_capturing(truth: Truth, view: View, rules: Rules, out: Array) -> int:
    """The opponent's legal tries that capture just what was announced, if anything; how many.

    Args:
        truth: TRUTH, the opponent to move.
        view: VIEW after its turn.
        out: i2[MOST_MOVES], filled.
    """
    kept = 0
    for k in range(list_moves(truth, view, rules, out)):
        if may_fit(truth, i8(out[k]), view):
            out[kept] = out[k]
            kept += 1
    return kept


@kernel
def _all_children(memory: Memory, n: int, view: View, rules: Rules) -> int:
    """All boards after any fitting move into `memory.next`; how many, or -1 if they have no room.

    It is given up early where the first boards have so many that all would need a quarter more than the room.
    """
    found = 0
    moves, out = memory.moves, memory.next
    for i in range(n):
        if i & EARLY == EARLY and 4 * found * n > 5 * out.shape[0] * i:
            return -1
        count = list_capturing(memory.boards[i], view, rules, moves)
        for k in range(count):
            if found == out.shape[0]:
                return -1
            out[found] = memory.boards[i]
            if their_move_fits(out[found], i8(moves[k]), view, rules) and is_new(memory.seen, out[found].key):
                found += 1
    return found


@kernel
def _draw_child(memory: Memory, i: int, at: int, view: View, rules: Rules) -> int:
    """Board i after one of its fitting moves, at random, into `memory.next[at]`: BARREN, KNOWN or NEW."""
    moves, out = memory.moves, memory.next
    count = list_capturing(memory.boards[i], view, rules, moves)
    while count > 0:
        k = random_below(memory.random, 0, count)
        out[at] = memory.boards[i]
        if their_move_fits(out[at], i8(moves[k]), view, rules):
            return NEW if is_new(memory.seen, out[at].key) else KNOWN
        count -= 1
        moves[k] = moves[count]
    return BARREN


@kernel
def _draw_children(memory: Memory, n: int, view: View, rules: Rules) -> int:
    found = 0
    fertile = memory.fertile
    first = random_below(memory.random, 0, n)
    for i in range(n):
        fertile[i] = (first + i) % n
    for _ in range(ROUNDS):
        left = 0
        for i in range(n):
            if found == memory.next.shape[0]:
                return found
            child = _draw_child(memory, i8(fertile[i]), found, view, rules)
            if child != BARREN:
                fertile[left] = fertile[i]
                left += 1
            if child == NEW:
                found += 1
        n = left
    return found


@kernel
def opponents_turn(memory: Memory, n: int, view: View, rules: Rules) -> int:
    """Renew the first n boards by the opponent's turn.

    Args:
        memory: its `boards` have the opponent to move; those with the seat to move are in `next` afterwards.
        view: VIEW after the opponent's turn.

    Returns:
        How many boards there are; less than 0: so many were drawn, since not all had room.
    """
    kept = 0
    for i in range(n):
        if refusals_fit(memory.boards[i], view, rules):
            if kept != i:
                memory.boards[kept] = memory.boards[i]
            kept += 1
    forget_seen(memory.seen)
    found = _all_children(memory, kept, view, rules)
    if found >= 0:
        return found
    forget_seen(memory.seen)
    return -_draw_children(memory, kept, view, rules)
