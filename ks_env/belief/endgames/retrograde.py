"""The solver: winning sets of all placements, move by move from mate backwards.

Level n holds for every placement the maximal sets of the bare king's squares from which mate within n
moves is certain. Level 0 is the empty set: nothing is left of the king but a mate. `families` makes each
level from the one before; the levels grow until none changes, and then hold every set that wins at all.
"""

import sys
import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ks_env.belief.endgames.ending import Ending
from ks_env.belief.endgames.families import CAPACITY, ROWS, all_parts, reply_family, win_family
from ks_env.belief.endgames.geometry import MOST_ANSWERS, MOST_MOVES, copy_to
from ks_env.belief.endgames.placements import Placements, all_moves, list_placements
from ks_env.core.jit import kernel

Array = np.ndarray[Any, Any]
SAY_EVERY = 10.0  # seconds
MOST_SETS = 8 * CAPACITY  # of one level


class WinningSets(NamedTuple):
    """Every maximal winning set of an ending, with the moves it takes.

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
    """The reply families (`families.reply_family`) of all placements into the level `out`."""
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
