"""Families of winning sets, one level of depth from the one before: kernels.

A winning set stays winning when squares are taken out of it, so that a family of winning sets is given by
its maximal members, and a set wins exactly if one of them contains it. The same monotony settles the order
of tries: a try that keeps the win on every legal answer never hurts, because its refusal only takes squares
out of the set. So the maximal sets that win in n moves within a board U of squares are found by recursion,

    wins(U) = maximal sets of { b | g : b in wins(U less the legal squares of m), g good for m within U }

over all tries m that are legal somewhere in U, where g is good if for each answer the king's replies from
the part of g with that answer lie in a set that wins in n - 1. For one answer these parts are

    answer & ~steps(full & ~W),  one for each maximal set W that wins in n - 1 after m,

and a good g takes one of them for each answer. The boards U that occur are few (the full board less the
legal squares of some tries), so that they are listed and worked off from the smallest up.

All functions work in caller-owned buffers, `work: u8[ROWS, CAPACITY]`, and return -1 when one is too small.
"""

from typing import Any

import numpy as np

from ks_env.belief.endgames.geometry import BACK, MOST_ANSWERS, MOST_MOVES, copy_to, steps, turned
from ks_env.core.bits import ZERO, popcount
from ks_env.core.jit import kernel

Array = np.ndarray[Any, Any]

CAPACITY = 1 << 20
MOST_BOARDS = 128
# Rows of `work`
PARTS, FAMILIES, BASE, PRODUCT, WITHIN, REPLIES = range(6)
ROWS = 6
SPARE = 1 << 18  # room that must be left in a buffer when a family is begun


@kernel
def insert(family: Array, count: int, board: np.uint64) -> int:
    """Add a set to a family of maximal sets, `family[:count]`; the new count."""
    for i in range(count):
        if board & ~family[i] == ZERO:
            return count
    kept = 0
    for i in range(count):
        if family[i] & ~board != ZERO:
            family[kept] = family[i]
            kept += 1
    family[kept] = board
    return kept + 1


@kernel
def reply_family(wins: Array, full: np.uint64, out: Array) -> int:
    """For each set in `wins` the squares all of whose replies lie in it: their maximal sets; how many."""
    count = 0
    for i in range(wins.shape[0]):
        count = insert(out, count, ~steps(full & ~wins[i]))
    return count


@kernel
def _parts_of(move: Any, replies: Array, spans: Array, work: Array, top: int) -> int:
    """The good parts of each answer of a move, from `top` in row PARTS on; the new top, or `top` if none.

    `spans: i4[MOST_ANSWERS, 2]` takes where each answer's family begins and ends; `replies` are those of
    the placement after the move.
    """
    here = work[REPLIES]
    for i in range(replies.shape[0]):
        here[i] = turned(replies[i], BACK[move.turn])
    end, useful = top, False
    for answer in range(move.count):
        count = 0
        for i in range(replies.shape[0]):
            count = insert(work[PARTS, end:], count, move.answers[answer] & here[i])
        useful |= work[PARTS, end] != ZERO
        spans[answer, 0], spans[answer, 1] = end, end + count
        end += count
    return end if useful else top


@kernel
def all_parts(
    moves: Array, replies: Array, first: Array, spans: Array, legal: Array, counts: Array, work: Array
) -> int:
    """The good parts of all moves of a placement; the number of moves that are good anywhere, -1 overflow.

    Args:
        moves: MOVE[N] of the placement.
        replies: u8[R], the reply families of all placements one behind another.
        first: i8[P + 1], where those of each begin.
        spans: i4[MOST_MOVES, MOST_ANSWERS, 2] out, by useful move.
        legal: u8[MOST_MOVES] out, by useful move.
        counts: i4[MOST_MOVES] out, answers of each useful move.
        work: buffers.
    """
    used, top = 0, 0
    for i in range(moves.shape[0]):
        move = moves[i]
        mine = replies[first[move.place] : first[move.place + 1]]
        if top + SPARE > CAPACITY or mine.shape[0] * MOST_ANSWERS > SPARE:
            return -1
        end = _parts_of(move, mine, spans[used], work, top)
        if end > top:
            legal[used], counts[used] = move.legal, move.count
            used, top = used + 1, end
    return used


@kernel
def _find(boards: Array, count: int, board: np.uint64) -> int:
    for i in range(count):
        if boards[i] == board:
            return i
    return -1


@kernel
def list_boards(full: np.uint64, legal: Array, used: int, boards: Array) -> int:
    """The boards U to solve, the smallest first, into `boards: u8[MOST_BOARDS]`; -1 if too many."""
    boards[0], count, next_one = full, 1, 0
    while next_one < count:
        for i in range(used):
            rest = boards[next_one] & ~legal[i]
            if _find(boards, count, rest) < 0:
                if count == MOST_BOARDS:
                    return -1
                boards[count] = rest
                count += 1
        next_one += 1
    for i in range(1, count):
        board, j = boards[i], i
        while j > 0 and popcount(boards[j - 1]) > popcount(board):
            boards[j] = boards[j - 1]
            j -= 1
        boards[j] = board
    return count


@kernel
def _joined(base: Array, parts: Array, board: np.uint64, within: Array, out: Array) -> int:
    """Maximal sets of { b | p & board : b in base, p in parts } into `out`; -1 overflow."""
    narrow = 0
    for i in range(parts.shape[0]):
        narrow = insert(within, narrow, parts[i] & board)
    count = 0
    for i in range(base.shape[0]):
        if count + narrow > CAPACITY:
            return -1
        for j in range(narrow):
            count = insert(out, count, base[i] | within[j])
    return count


@kernel
def _with_move(board: np.uint64, rest: Array, spans: Array, answers: int, work: Array) -> int:
    """Sets within the board that win by one move first, then as in `rest`: into row BASE; -1 overflow."""
    base, product = work[BASE], work[PRODUCT]
    size = rest.shape[0]
    copy_to(base, rest)
    for answer in range(answers):
        parts = work[PARTS, spans[answer, 0] : spans[answer, 1]]
        count = _joined(base[:size], parts, board, work[WITHIN], product)
        if count < 0:
            return -1
        copy_to(base, product[:count])
        size = count
    return size


@kernel
def _family_within(
    which: int,
    boards: Array,
    family: Array,
    legal: Array,
    used: int,
    counts: Array,
    spans: Array,
    work: Array,
) -> int:
    """wins(boards[which]), appended to row FAMILIES at `family[which, 0]`; its size, -1 overflow."""
    board, start = boards[which], family[which, 0]
    out = work[FAMILIES, start:]
    out[0], size = ZERO, 1
    for i in range(used):
        if legal[i] & board == ZERO:
            continue
        rest = _find(boards, which, board & ~legal[i])
        known = work[FAMILIES, family[rest, 0] : family[rest, 1]]
        found = _with_move(board, known, spans[i], counts[i], work)
        if found < 0 or start + size + found > CAPACITY:
            return -1
        for j in range(found):
            size = insert(out, size, work[BASE, j])
        if out[0] == board:
            break
    return size


@kernel
def sort(family: Array) -> None:
    """Sort in place, the least number first (Shell's sort; a library's takes seconds to compile)."""
    gap = 1
    while gap < family.shape[0]:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, family.shape[0]):
            board, j = family[i], i
            while j >= gap and family[j - gap] > board:
                family[j] = family[j - gap]
                j -= gap
            family[j] = board
        gap //= 3


@kernel
def win_family(
    full: np.uint64, legal: Array, used: int, counts: Array, spans: Array, work: Array, out: Array
) -> int:
    """The maximal winning sets of a placement into `out`, the least number first; how many, -1 overflow."""
    boards = np.zeros(MOST_BOARDS, np.uint64)
    family = np.zeros((MOST_BOARDS, 2), np.int64)
    n = list_boards(full, legal, used, boards)
    top, size = 0, 0
    for which in range(n):
        if top + SPARE > CAPACITY:
            return -1
        family[which, 0] = top
        size = _family_within(which, boards, family, legal, used, counts, spans, work)
        if size < 0:
            return -1
        top += size
        family[which, 1] = top
    if n < 0 or size > out.shape[0]:
        return -1
    copy_to(out, work[FAMILIES, top - size : top])
    sort(out[:size])
    return size


__all__ = ["CAPACITY", "MOST_MOVES", "ROWS", "all_parts", "insert", "reply_family", "win_family"]
