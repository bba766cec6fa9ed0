"""A population of boards changed as a whole: those that fit are kept, and followed by what may come next.

In the opponent's turn every board is followed by *all* moves that fit what was said, each with its share of
the board's weight under the model of the opponent. Equal boards are one. As long as all fit into the room
that there is, all are kept and the population is the exact distribution; when they do not, so many are drawn
by systematic resampling over boards and moves at once: each is kept as often as its share of the room says,
rounded up or down, with equal weights.
"""

import numpy as np

from ks_env.belief.particles.boards import board_of, pack, passed_square
from ks_env.belief.particles.layout import KINDS, NO_MOVE, Moves, Population, Work
from ks_env.belief.particles.turns import (
    list_moves,
    may_fit,
    own_move_fits,
    own_turn_fits,
    play_theirs,
    their_answer_fits,
    their_move_fits,
)
from ks_env.core.bits import next_random
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.record import Array, f4, f8, i1, i2, i4, i8, u1
from ks_env.core.tables import BLACK_RIGHTS
from ks_env.games.kriegspiel.layout import View

FULL = -1
UNIT = 2.0**-53


@kernel
def share(random: np.ndarray) -> float:
    """A random number in [0, 1), of 53 bits."""
    return f8(next_random(random, 0) >> np.uint64(11)) * UNIT


@kernel
def total_of(weights: np.ndarray, count: int) -> float:
    """Sum of the first weights."""
    total = 0.0
    for i in range(count):
        total += weights[i]
    return total


@kernel
def effective_size(weights: np.ndarray, count: int) -> float:
    """(Σw)² / Σw² of the first weights, the effective sample size (Kish); 0 without weight."""
    total, squares = 0.0, 0.0
    for i in range(count):
        total += weights[i]
        squares += weights[i] * weights[i]
    return total * total / squares if squares > 0.0 else 0.0


@kernel
def normalise(weights: np.ndarray, count: int) -> None:
    """Bring the first weights to a sum of 1."""
    total = total_of(weights, count)
    for i in range(count):
        weights[i] /= total


@kernel
def copy_row(source: Population, i: int, out: Population, at: int) -> None:
    """One board, with its origin and weight."""
    for kind in range(KINDS):
        out.men[at, kind] = source.men[i, kind]
        out.origin[at, kind] = source.origin[i, kind]
    out.rights[at] = source.rights[i]
    out.origin_rights[at] = source.origin_rights[i]
    out.ep[at] = source.ep[i]
    out.moved[at] = source.moved[i]
    out.weight[at] = source.weight[i]


@kernel
def copy_rows(source: Population, count: int, out: Population) -> None:
    """The first boards of a population."""
    for i in range(count):
        copy_row(source, i, out, i)


@kernel
def pick_rows(
    source: Population, count: int, chosen: float, out: Population, rows: np.ndarray, random: np.ndarray
) -> int:
    """Copy each of the first boards with a chance; how many.

    Args:
        out: overwritten.
        rows: i4[N], overwritten: where they stood.
        random: u8[1], state of the random numbers.
    """
    picked = 0
    for i in range(count):
        if chosen >= 1.0 or share(random) < chosen:
            copy_row(source, i, out, picked)
            rows[picked] = i4(i)
            picked += 1
    return picked


@kernel
def keep_after_own_move(
    population: Population, count: int, shared: Truth, view: View, rules: Rules, truths: np.ndarray
) -> int:
    """Play the own accepted move on all boards; those on which all that was said is true, moved to the front.

    Args:
        population: in place.
        shared: own men before the move.
        view: VIEW after it, or after the opponent's answer.
        truths: TRUTH[at least 3], whose last is overwritten.

    Returns:
        how many are left.
    """
    kept = 0
    truth = truths[2]
    for i in range(count):
        board_of(population, i, i8(population.ep[i]), shared, truths, 2)
        if not own_move_fits(truth, view, rules):
            continue
        pack(truth, population.men[kept])
        population.rights[kept] = u1(truth.rights & BLACK_RIGHTS)
        population.ep[kept] = i1(-1)
        population.moved[kept] = i2(NO_MOVE)
        population.weight[kept] = population.weight[i]
        kept += 1
    return kept


@kernel
def keep_fitting(population: Population, count: int, shared: Truth, view: View, truths: np.ndarray) -> int:
    """Boards on which what was said in this turn is true, moved to the front; how many are left."""
    kept = 0
    passed = passed_square(view)
    truth = truths[2]
    for i in range(count):
        board_of(population, i, i8(population.ep[i]) if view.turn else passed, shared, truths, 2)
        if own_turn_fits(truth, view) if view.turn else their_answer_fits(truth, view):
            copy_row(population, i, population, kept)
            kept += 1
    return kept


@kernel
def list_all(moves: Moves, count: int, view: View, rules: Rules) -> None:
    """The opponent's legal tries on the first boards, as many as what was heard in his turn allows."""
    for i in range(count):
        moves.number[i] = i4(list_moves(moves.boards[i], view, rules, moves.tries[i]))


@kernel
def mark_fitting(moves: Moves, count: int, view: View, rules: Rules, truths: np.ndarray) -> None:
    """Bring the chances of each board to a sum of 1, and those of moves that do not fit to 0.

    Args:
        moves: `chance` holds weights of the tries; `fit` is overwritten.
        view: VIEW of the seat's turn.
        truths: TRUTH[at least 3], whose last is overwritten.
    """
    truth = truths[2]
    for i in range(count):
        whole, fit = 0.0, 0.0
        for j in range(moves.number[i]):
            whole += moves.chance[i, j]
        for j in range(moves.number[i]):
            action = i8(moves.tries[i, j])
            fits = False
            if moves.chance[i, j] > 0 and may_fit(moves.boards[i], action, view):
                truths[2] = moves.boards[i]
                fits = their_move_fits(truth, action, view, rules) and own_turn_fits(truth, view)
            if fits:
                fit += moves.chance[i, j]
                moves.chance[i, j] = f4(moves.chance[i, j] / whole)
            else:
                moves.chance[i, j] = f4(0)
        moves.fit[i] = fit / whole if whole > 0.0 else 0.0


@kernel
def _slot_of(work: Work, key: np.uint64) -> int:
    """The slot of a board with this key, or the free one where it belongs."""
    mask = work.slots.shape[0] - 1
    slot = i8(key >> np.uint64(20)) & mask
    while work.slots[slot] >= 0 and work.keys[work.slots[slot]] != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def _set_origin(source: Moves, i: int, action: int, out: Population, at: int) -> None:
    pack(source.boards[i], out.origin[at])
    out.origin_rights[at] = u1(source.boards[i].rights & BLACK_RIGHTS)
    out.moved[at] = i2(action)


@kernel
def take_board(truth: Truth, out: Population, at: int) -> None:
    """Write the opponent's part of a board to a row."""
    pack(truth, out.men[at])
    out.rights[at] = u1(truth.rights & BLACK_RIGHTS)
    out.ep[at] = truth.ep


@kernel
def _gather(
    work: Work, i: int, action: int, weight: float, out: Population, count: int, random: np.ndarray
) -> int:
    """Take in what follows board i by a move; how many boards there are now, or FULL.

    Of a board that is reached in two ways, the origin is drawn by their weights.
    """
    truth = work.truths[2]
    work.truths[2] = work.moves.boards[i]
    play_theirs(truth, action)
    slot = _slot_of(work, truth.key)
    if work.slots[slot] >= 0:
        at = i8(work.slots[slot])
        out.weight[at] += weight
        if share(random) * out.weight[at] < weight:
            _set_origin(work.moves, i, action, out, at)
        return count
    if count == out.weight.shape[0]:
        return FULL
    work.slots[slot] = i4(count)
    work.keys[count] = truth.key
    take_board(truth, out, count)
    _set_origin(work.moves, i, action, out, count)
    out.weight[count] = weight
    return count + 1


@kernel
def gather_all(work: Work, count: int, weights: np.ndarray, out: Population, random: np.ndarray) -> int:
    """What follows the first boards of `work.moves` by all moves that fit, if there is room for it.

    Args:
        work: `moves` marked.
        weights: f8[N], of the boards; not those of `out`.
        out: overwritten.
        random: u8[1], state of the random numbers.

    Returns:
        how many there are; FULL if they are too many.
    """
    work.slots[:] = -1
    found = 0
    for i in range(count):
        for j in range(work.moves.number[i]):
            if work.moves.chance[i, j] > 0:
                weight = weights[i] * work.moves.chance[i, j]
                found = _gather(work, i, i8(work.moves.tries[i, j]), weight, out, found, random)
                if found == FULL:
                    return FULL
    return found


@kernel
def gather_drawn(work: Work, count: int, weights: np.ndarray, out: Population, random: np.ndarray) -> int:
    """As `gather_all`, but as many as there is room for, drawn by systematic resampling."""
    work.slots[:] = -1
    room = out.weight.shape[0]
    total = 0.0
    for i in range(count):
        total += weights[i] * work.moves.fit[i]
    step = total / room
    due = share(random) * step
    passed, found = 0.0, 0
    for i in range(count):
        last = passed + weights[i] * work.moves.fit[i]
        if last <= due:
            passed = last
            continue
        for j in range(work.moves.number[i]):
            if work.moves.chance[i, j] <= 0:
                continue
            passed += weights[i] * work.moves.chance[i, j]
            drawn = 0
            while due < passed and drawn < room:
                due += step
                drawn += 1
            if drawn > 0:
                weight = drawn * step
                found = _gather(work, i, i8(work.moves.tries[i, j]), weight, out, found, random)
                if found == FULL:
                    return room
        passed = last
    return found


@kernel
def draw_rows(weight: Array, count: int, random: Array, rows: Array, times: Array) -> int:
    """Draw as many boards as `rows: i4[B]` has room for, by systematic resampling; how many different ones.

    Args:
        weight: f8[N], of the boards, of which the first `count` are meant.
        random: u8[1], state of the random numbers.
        rows: overwritten: which boards.
        times: i8[B], overwritten: how often each.
    """
    room = rows.shape[0]
    step = total_of(weight, count) / room
    due = share(random) * step
    passed, drawn, found = 0.0, 0, 0
    for i in range(count):
        passed += weight[i]
        last, before = i == count - 1, drawn
        while drawn < room and (last or due < passed):  # the last takes a share that rounding has swallowed
            due += step
            drawn += 1
        if drawn > before:
            rows[found] = i4(i)
            times[found] = drawn - before
            found += 1
    return found


@kernel
def resample(source: Population, count: int, out: Population, random: np.ndarray) -> None:
    """Fill `out` by systematic resampling of the first boards: every one by its weight, then of equal weight.

    Args:
        source: not `out`.
        out: all rows are overwritten.
        random: u8[1], state of the random numbers.
    """
    room, at = out.weight.shape[0], 0
    rows, times = np.empty(room, np.int32), np.empty(room, np.int64)
    for k in range(draw_rows(source.weight, count, random, rows, times)):
        for _ in range(times[k]):
            copy_row(source, i8(rows[k]), out, at)
            at += 1
    for k in range(room):
        out.weight[k] = 1.0 / room


@kernel
def draw_move(moves: Moves, i: int, random: np.ndarray) -> int:
    """A try of board i by its chances, which need not add up to 1."""
    whole = 0.0
    for j in range(moves.number[i]):
        whole += moves.chance[i, j]
    left = share(random) * whole
    drawn = NO_MOVE
    for j in range(moves.number[i]):
        if moves.chance[i, j] > 0:
            drawn = i8(moves.tries[i, j])
            left -= moves.chance[i, j]
            if left < 0.0:
                break
    return drawn
