"""The solver: winning sets of all placements, move by move from mate backwards.

Level n holds for every placement the maximal sets of the bare king's squares from which mate within n
moves is certain. Level 0 is the empty set: nothing is left of the king but a mate. Each level is made from
the one before; the levels grow until none changes, and then hold every set that wins at all.

A winning set stays winning when squares are taken out of it, so that a family of winning sets is given by
its maximal members, and a set wins exactly if one of them contains it. The same monotony settles the order
of tries: a try that keeps the win on every legal answer never hurts, because its refusal only takes squares
out of the set. So the maximal sets that win in n moves within a board U of squares are found by recursion,

    wins(U) = maximal sets of { b | g : b in wins(U less the legal squares of m), g good for m within U }

over all tries m that are legal somewhere in U, where g is good if for each answer the king's replies from
the part of g with that answer lie in a set that wins in n - 1. For one answer these parts are

    answer & ~king_squares(full & ~W),  one for each maximal set W that wins in n - 1 after m,

and a good g takes one of them for each answer. The boards U that occur are few (the full board less the
legal squares of some tries), so that they are listed and worked off from the smallest up.

The kernels work in caller-owned buffers, `work: u8[ROWS, CAPACITY]`, and return -1 when one is too small.
"""

import sys
import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ks_env.belief.endgames.ending import Ending
from ks_env.belief.endgames.placements import (
    BACK,
    MOST_ANSWERS,
    MOST_MOVES,
    Placements,
    all_moves,
    copy_to,
    list_placements,
    turned,
)
from ks_env.belief.metaposition.boards import king_squares
from ks_env.core.bits import ZERO, popcount
from ks_env.core.jit import kernel
from ks_env.core.record import Array

CAPACITY = 1 << 20
MOST_BOARDS = 128
# Rows of `work`
PARTS, FAMILIES, BASE, PRODUCT, WITHIN, REPLIES = range(6)
ROWS = 6
SPARE = 1 << 18  # room that must be left in a buffer when a family is begun

SAY_EVERY = 10.0  # seconds
MOST_SETS = 8 * CAPACITY  # of one level


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
        count = insert(out, count, ~king_squares(full & ~wins[i]))
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


class WinningSets(NamedTuple):
    """Every maximal winning set of an ending's placements, with the moves it takes.

    Attributes:
        first: i8[P + 1], where the sets of each placement begin.
        sets: u8[S], of one placement by depth.
        depths: u1[S], moves to mate in the worst case. A set has every smaller depth ruled out, and is in no
            larger one of the same depth.
        levels: levels computed until none changed.
    """

    first: npt.NDArray[np.int64]
    sets: npt.NDArray[np.uint64]
    depths: npt.NDArray[np.uint8]
    levels: int


class Level(NamedTuple):
    """Sets of squares by placement: u8[S], and i8[P + 1], where those of each placement begin."""

    sets: npt.NDArray[np.uint64]
    first: npt.NDArray[np.int64]


class Problem(NamedTuple):
    """What is to be solved: tries MOVE[T] by placement, where those of each begin, full sets u8[P]."""

    moves: Array
    first_move: npt.NDArray[np.int64]
    full: npt.NDArray[np.uint64]


class Next(NamedTuple):
    """Where the next level goes: all its maximal sets, those that are new in it, and who changed, b1[P]."""

    all: Level
    new: Level
    changed: npt.NDArray[np.bool_]


@kernel
def _all_replies(level: Any, full: Array, out: Any) -> None:
    """The reply families (`reply_family`) of all placements into the level `out`."""
    for place in range(full.shape[0]):
        top = out.first[place]
        wins = level.sets[level.first[place] : level.first[place + 1]]
        out.first[place + 1] = top + reply_family(wins, full[place], out.sets[top:])


@kernel
def _may_change(moves: Array, changed: Array) -> bool:
    """Whether a placement that a move leads to has changed."""
    found = False
    for i in range(moves.shape[0]):
        found |= changed[moves[i].place]
    return found


@kernel
def _list_new(old: Array, now: Array, out: Array) -> int:
    """Sets of `now` that are not in `old`, both in order, into `out`; how many."""
    count, i = 0, 0
    for board in now:
        while i < old.shape[0] and old[i] < board:
            i += 1
        if i == old.shape[0] or old[i] != board:
            out[count] = board
            count += 1
    return count


@kernel
def _solve_placement(
    place: int, problem: Any, known: Array, replies: Any, changed: Array, work: Array, out: Array
) -> int:
    """The maximal sets of one placement at the next level into `out`, in order; how many, -1 overflow."""
    moves = problem.moves[problem.first_move[place] : problem.first_move[place + 1]]
    full, used = problem.full[place], 0
    spans = np.zeros((MOST_MOVES, MOST_ANSWERS, 2), np.int32)
    legal, counts = np.zeros(MOST_MOVES, np.uint64), np.zeros(MOST_MOVES, np.int32)
    if known[0] != full and _may_change(moves, changed):
        used = all_parts(moves, replies.sets, replies.first, spans, legal, counts, work)
    if used != 0:
        return win_family(full, legal, used, counts, spans, work, out) if used > 0 else -1
    if known.shape[0] > out.shape[0]:
        return -1
    copy_to(out, known)
    return known.shape[0]


@kernel
def _next_level(problem: Any, old: Any, replies: Any, changed: Array, work: Array, out: Any) -> bool:
    """One level from the last into the `Next` `out`; False if a buffer is too small."""
    for place in range(problem.full.shape[0]):
        top, new = out.all.first[place], out.new.first[place]
        known = old.sets[old.first[place] : old.first[place + 1]]
        size = _solve_placement(place, problem, known, replies, changed, work, out.all.sets[top:])
        if size < 0:
            return False
        fresh = _list_new(known, out.all.sets[top : top + size], out.new.sets[new:])
        out.changed[place] = fresh > 0
        out.all.first[place + 1] = top + size
        out.new.first[place + 1] = new + fresh
    return True


class _Solver:
    """Levels of one ending, one after the other."""

    def __init__(self, places: Placements) -> None:
        first_move, moves = all_moves(places)
        n = len(places.full)
        self.problem = Problem(moves, first_move, places.full)
        self.level = Level(np.zeros(n, np.uint64), np.arange(n + 1))
        self.changed = np.ones(n, np.bool_)
        self._work = np.zeros((ROWS, CAPACITY), np.uint64)
        self._sets = np.zeros((2, MOST_SETS), np.uint64)

    def advance(self) -> Level:
        """Compute the next level; the sets that are new in it."""
        n = len(self.problem.full)
        firsts = np.zeros((3, n + 1), np.int64)
        replies = Level(np.zeros_like(self.level.sets), firsts[0])
        _all_replies(self.level, self.problem.full, replies)
        found = Level(self._sets[0], firsts[1]), Level(self._sets[1], firsts[2])
        out = Next(*found, np.zeros(n, np.bool_))
        if not _next_level(self.problem, self.level, replies, self.changed, self._work, out):
            raise MemoryError("the winning sets of this ending are more than the solver has room for")
        now, new = (Level(level.sets[: level.first[-1]].copy(), level.first) for level in found)
        self.level, self.changed = now, out.changed
        return new


def _gather(levels: list[Level], places: int) -> WinningSets:
    """All new sets of all levels, by placement, and of one placement by depth."""
    owners = [np.repeat(np.arange(places, dtype=np.int32), np.diff(level.first)) for level in levels]
    owner = np.concatenate(owners)
    depths = np.repeat(np.arange(1, len(levels) + 1), [len(level.sets) for level in levels]).astype(np.uint8)
    order = np.argsort(owner, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=places))]).astype(np.int64)
    sets = np.concatenate([level.sets for level in levels])[order]
    return WinningSets(first, sets, depths[order], len(levels))


def solve_sets(ending: Ending, places: Placements | None = None) -> WinningSets:
    """Solve an ending from scratch: seconds for KQK, KRK and KBBK, about a minute for KBNK.

    The endings that its promotions lead to are solved along with it, level by level.

    Raises:
        MemoryError: its families do not fit the solver's buffers.
    """
    solver = _Solver(places or list_placements(ending))
    levels = [solver.advance()]
    said = time.perf_counter()
    while solver.changed.any():
        levels.append(solver.advance())
        if time.perf_counter() - said > SAY_EVERY:
            said = time.perf_counter()
            print(f"ks_env: {ending.name}: mates in {len(levels)} moves", file=sys.stderr, flush=True)
    return _gather(levels[:-1], len(solver.problem.full))
