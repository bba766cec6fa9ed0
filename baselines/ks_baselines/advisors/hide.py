"""The move hide advisor: how much more uncertain a try makes the opponent of one's hidden men.

See Bud et al. (2001, §6.2).

"To calculate this entropy, the move hide advisor needs to model the opponent's distribution update strategy."
The opponent knows more than one can tell, his own hidden men and what his impossible tries taught him. The
model is the shadow: the distribution of somebody who hears what he hears, and sees the visible men and the
exposed ones:

- a hidden man that moves may have gone to any square that it reaches over the men seen and the board's own
  hidden men, each as likely as any other; if it takes, to the square announced, or with the record's
  `spread_captures` to any of them;
- a visible man's way was free, and so was the square that it reached;
- a man that is told to give check attacks the king, and a hidden man that moved without check does not;
- a man that is exposed stands there; one that was captured is gone.

Pins and lost turns are left out. Words that contradict every board kept are not believed, but for squares of
men that are exposed or captured.

The record is that of `ks_env.belief.joint`, in one's own frame; `known` is one's own view.
"""

import math

import numpy as np

from ks_env.belief.joint.boards import gather, start_gathering, without_hidden
from ks_env.belief.joint.follow import keep_gathered
from ks_env.belief.joint.layout import COUNT, FULL, GONE, TOTAL, Joint, Work, entropy_of
from ks_env.belief.terms.placements import kind_after
from ks_env.core.answers import MOVED
from ks_env.core.attacks import attacks_of, man_attacks
from ks_env.core.bits import ALL, ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import i4, i8, u1
from ks_env.core.tables import (
    BETWEEN,
    KING,
    PAWN,
    PAWN_ATTACKS,
    RANK_3,
    RANK_8,
    TRY_FROM,
    TRY_TO,
)
from ks_env.games.invisible.hearing import visible_part
from ks_env.games.invisible.layout import NUMBERS, VISIBLE_MOVED, View
from ks_env.games.invisible.tries import placed_men

Two = tuple[int, int]
Boards = tuple[np.uint64, np.uint64]


@kernel
def _take_row(shadow: Joint, at: int, work: Work) -> None:
    for k in range(NUMBERS):
        work.row[k] = shadow.squares[at, k]


@kernel
def _reach(kind: int, square: int, own: np.uint64, theirs: np.uint64) -> np.uint64:
    """Where a man of one's own may go."""
    if kind != PAWN:
        return man_attacks(kind, square, own | theirs) & ~own
    free = ~(own | theirs)
    one = (bit(square) << np.uint64(8)) & free
    two = ((one & RANK_3) << np.uint64(8)) & free
    return one | two | (PAWN_ATTACKS[0, square] & theirs)


@kernel
def _spread_board(
    work: Work,
    n: int,
    kinds: Two,
    sides: Boards,
    end: int,
    spread_captures: int,
    check: bool,
    king: int,
    weight: float,
) -> None:
    """Gather what follows one board when hidden man n moves.

    `kinds` are those before and after, `sides` the boards of own visible men and of the opponent's.
    """
    start = i8(work.row[n])
    if start >= GONE:
        return
    others = ~without_hidden(work.row, ALL) & ~bit(start)
    own, theirs = sides[0] | others, sides[1]
    if end >= 0:  # something was taken there, seen or not
        theirs |= bit(end)
    targets = _reach(kinds[0], start, own, theirs)
    if targets == ZERO:
        return
    share = weight / popcount(targets)
    taken = bit(end) if end >= 0 else ZERO
    quiet = ~theirs if end < 0 or spread_captures else ZERO
    targets &= quiet | taken
    theirs &= ~taken
    if kinds[0] == PAWN:
        targets &= ~RANK_8 if kinds[1] == PAWN else RANK_8
    while targets != ZERO:
        square = lowest(targets)
        targets = without_lowest(targets)
        if has(attacks_of(kinds[1], square, own | theirs | bit(square)), king) == check:
            work.row[n] = u1(square)
            gather(work, -1, share)
    work.row[n] = u1(start)


@kernel
def spread(shadow: Joint, view: View, n: int, kinds: Two, end: int, check: bool, work: Work) -> None:
    """Gather what follows when hidden man n moves, from the boards that fitted `view`.

    Args:
        shadow: the record.
        view: one's own view before the move.
        n: number of the man.
        kinds: its kind before and after.
        end: the square on which it took something; -1.
        check: whether it is told to give check.
        work: filled.
    """
    sides = (visible_part(view.own, view.ids), view.theirs | placed_men(view))
    king = lowest(view.their_kinds[KING])
    step = 0.0
    for _ in range(2):  # once more where not all boards have room
        start_gathering(work, step)
        for i in range(shadow.count):
            _take_row(shadow, i, work)
            _spread_board(
                work, n, kinds, sides, end, i8(shadow.spread_captures), check, king, shadow.weight[i]
            )
        if work.tally[FULL] == 0.0:
            return
        step = work.tally[TOTAL] / work.weight.shape[0]


@kernel
def way_is_free(shadow: Joint, at: int, start: int, end: int) -> bool:
    """Whether a visible man could go from `start` to `end`, for this board's hidden men."""
    way = BETWEEN[start, end] | bit(end)
    return without_hidden(shadow.squares[at], way) == way


@kernel
def gathered_entropy(work: Work) -> float:
    """Entropy of the gathered boards, in bits; -1 without boards."""
    count = i8(work.tally[COUNT])
    return entropy_of(work.weight, count) if work.tally[TOTAL] > 0.0 else -1.0


@kernel
def entropy_if_free(shadow: Joint, start: int, end: int) -> float:
    """Entropy of the boards that a visible man's move leaves, in bits; -1 if it leaves none."""
    total, logs = 0.0, 0.0
    for i in range(shadow.count):
        if way_is_free(shadow, i, start, end):
            weight = shadow.weight[i]
            total += weight
            if weight > 0.0:
                logs += weight * math.log2(weight)
    return math.log2(total) - logs / total if total > 0.0 else -1.0


@kernel
def _keep_free(shadow: Joint, start: int, end: int, work: Work) -> None:
    start_gathering(work, 0.0)
    for i in range(shadow.count):
        if way_is_free(shadow, i, start, end):
            _take_row(shadow, i, work)
            gather(work, -1, shadow.weight[i])
    keep_gathered(shadow, work)


@kernel
def _fix(shadow: Joint, n: int, square: int, work: Work) -> None:
    """Hidden man n is known to stand on the square, or to be GONE: boards that agree, or all made to."""
    agreeing = 0.0
    for i in range(shadow.count):
        if shadow.squares[i, n] == square:
            agreeing += shadow.weight[i]
    start_gathering(work, 0.0)
    for i in range(shadow.count):
        if agreeing > 0.0 and shadow.squares[i, n] != square:
            continue
        for k in range(NUMBERS):
            work.row[k] = shadow.squares[i, k]
            if k != n and square < GONE and work.row[k] == square:
                work.row[k] = u1(GONE)
        work.row[n] = u1(square)
        gather(work, -1, shadow.weight[i])
    keep_gathered(shadow, work)


@kernel
def _hear_own(shadow: Joint, view: View, work: Work) -> None:
    known = shadow.known
    action = i8(view.tried)
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    kind, n = i8(known.men[start]), i8(known.ids[start])
    if n != 0:
        kinds = (kind, kind_after(known, action))
        spread(shadow, known, n, kinds, end if view.took >= 0 else -1, has(view.givers, end), work)
        keep_gathered(shadow, work)
    else:
        _keep_free(shadow, start, end, work)


@kernel
def _hear_theirs(shadow: Joint, view: View, work: Work) -> None:
    if view.lost >= 0 and view.lost_number != 0:
        number = i8(view.lost_number)
        start_gathering(work, 0.0)
        for i in range(shadow.count):
            if shadow.squares[i, number] == view.lost:
                _take_row(shadow, i, work)
                gather(work, -1, shadow.weight[i])
        keep_gathered(shadow, work)
        _fix(shadow, number, GONE, work)
    if view.their_turn == VISIBLE_MOVED:
        _keep_free(shadow, i8(view.their_from), i8(view.their_to), work)


@kernel
def begin_shadow(shadow: Joint, view: View) -> None:
    """The shadow at the start of a game, whose position is public."""
    shadow.known = view
    shadow.count = i4(1)
    shadow.begun = u1(1)
    shadow.weight[0] = 1.0
    for n in range(NUMBERS):
        stands = view.exposed[n] >= 0 and n > 0
        shadow.squares[0, n] = u1(view.exposed[n] if stands else GONE)


@kernel
def follow_shadow(shadow: Joint, view: View, work: Work) -> None:
    """Bring the shadow up to date, once in each own turn: the last own one and the opponent's."""
    if view.over or (view.moves == shadow.known.moves and view.turn == shadow.known.turn):
        return
    if shadow.known.turn and view.answer == MOVED:
        _hear_own(shadow, view, work)
    if view.turn:
        _hear_theirs(shadow, view, work)
    for n in range(1, NUMBERS):
        # where captures are spread, only castling tells a square
        told = not shadow.spread_captures or (view.took < 0 and view.exposed[n] != shadow.known.exposed[n])
        if view.exposed[n] >= 0 and told:
            _fix(shadow, n, i8(view.exposed[n]), work)
    shadow.known = view


UNKNOWN = -2.0


@kernel
def _after_hidden(shadow: Joint, view: View, action: int, quiet: np.ndarray, work: Work) -> float:
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    kind, n = i8(view.men[start]), i8(view.ids[start])
    after = kind_after(view, action)
    theirs = view.theirs | placed_men(view)
    occupied = ((view.own | theirs) & ~bit(start)) | bit(end)
    check = has(attacks_of(after, end, occupied), lowest(view.their_kinds[KING]))
    takes = has(theirs, end) or (kind == PAWN and (start ^ end) & 7 != 0)  # a pawn's diagonal always does
    plain = not takes and after == kind
    if plain and quiet[n, int(check)] != UNKNOWN:
        return quiet[n, int(check)]
    spread(shadow, view, n, (kind, after), end if takes else -1, check, work)
    found = gathered_entropy(work)
    if plain:
        quiet[n, int(check)] = found
    return found


@kernel
def hidings(
    shadow: Joint,
    view: View,
    before: float,
    tries: np.ndarray,
    count: int,
    quiet: np.ndarray,
    work: Work,
    out: np.ndarray,
) -> None:
    """Fill `out: f8[count]` with the change of the shadow's entropy by each try if it is accepted, in bits.

    Args:
        shadow: brought up to date with the view.
        before: entropy of the shadow now.
        tries: i2[count].
        quiet: f8[NUMBERS, 2], overwritten.
        work: for as many boards as the shadow may have.
        out: f8[count].
    """
    for n in range(NUMBERS):
        quiet[n, 0] = UNKNOWN
        quiet[n, 1] = UNKNOWN
    for i in range(count):
        action = i8(tries[i])
        start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
        if view.ids[start] != 0:
            found = _after_hidden(shadow, view, action, quiet, work)
        else:
            found = entropy_if_free(shadow, start, end)
        out[i] = found - before if found >= 0.0 else 0.0
