"""A pool of boards from one own turn to the next: what was heard filters it, the opponent's moves renew it.

While all boards that fit have room, the pool holds all of them. When they have not, but are at most `MANY`
times the room by the first boards looked at, the pool is a uniform sample of all. When they are more,
children are drawn: the boards in order from a random one on, again and again, each with one of its fitting
moves at random, until the pool is full or less than an eighth of a round is new. Every board that fits then
has a child before any has two.
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

MANY = 4  # times the room; so many children are sampled, more are drawn
ROUNDS = 64  # of drawing children, at most
STRIDES = (7_919, 7_927)  # primes: boards beside each other are alike, so the first looked at lie apart
BARREN, KNOWN, NEW = range(3)  # a board has no child that fits; the child was there before; it was not
EARLY = 255  # boards between two looks at how many children there are


class Memory(NamedTuple):
    """A pool's memory.

    Attributes:
        boards: TRUTH[N], in the seat's own frame.
        next: TRUTH[N], the pool of the next turn.
        child: TRUTH[1], a board that may be taken in.
        seen: u8[2**n], a hash table of boards.
        fertile: i4[N], the boards that may have a child.
        moves: i2[MOST_MOVES].
        random: u8[1], the stream.
    """

    boards: Array
    next: Array
    child: Array
    seen: Array
    fertile: Array
    moves: Array
    random: Array


def new_memory(size: int) -> Memory:
    """Memory for a pool of so many boards at most."""
    keys = MANY * size + MOST_MOVES  # of the last board that is looked at as well
    return Memory(
        boards=np.zeros(size, TRUTH),
        next=np.zeros(size, TRUTH),
        child=np.zeros(1, TRUTH),
        seen=np.zeros(1 << (keys * 5 // 4).bit_length(), np.uint64),
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
def _take_in(memory: Memory, found: int) -> None:
    """Put `memory.child`, a new board after `found` others, into `memory.next`; all have the same chance."""
    out = memory.next
    slot = found if found < out.shape[0] else random_below(memory.random, 0, found + 1)
    if slot < out.shape[0]:
        out[slot] = memory.child[0]


@kernel
def _all_children(memory: Memory, n: int, view: View, rules: Rules) -> int:
    """All boards after any fitting move into `memory.next`, or a uniform sample of them; how many there are.

    Returns:
        -1 where there are more than `MANY` times the room, by the boards that were looked at.
    """
    found = 0
    moves, child = memory.moves, memory.child
    most = MANY * memory.next.shape[0]
    stride = STRIDES[0] if n % STRIDES[0] != 0 else STRIDES[1]
    for i in range(n):
        if found > most or (i & EARLY == EARLY and found * n > most * i):
            return -1
        board = memory.boards[i * stride % n]
        count = list_capturing(board, view, rules, moves)
        for k in range(count):
            child[0] = board
            if their_move_fits(child[0], i8(moves[k]), view, rules) and is_new(memory.seen, child[0].key):
                _take_in(memory, found)
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
        left, before = 0, found
        for i in range(n):
            if found == memory.next.shape[0]:
                return found
            child = _draw_child(memory, i8(fertile[i]), found, view, rules)
            if child != BARREN:
                fertile[left] = fertile[i]
                left += 1
            if child == NEW:
                found += 1
        if found - before < n >> 3:
            return found
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
    room = memory.next.shape[0]
    if found >= 0:
        return found if found <= room else -room
    forget_seen(memory.seen)
    return -_draw_children(memory, kept, view, rules)
