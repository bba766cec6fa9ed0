"""Men that the referee's last message asks for, put where they explain it before the others are placed.

T10 §5.1: "The generator also strived to make positions that did not contradict the last referee's message."
Readings: for each announced check type along which no man attacks yet, one is drawn among the squares from
which it would; for pawn tries, men are drawn among the squares that own pawns attack until there are as many
tries as were announced, unless the seat is in check. What still does not fit is found by `contradict`.
"""

import numpy as np

from ks_baselines.mcts.approach_a.place import free_squares, set_one_of
from ks_baselines.mcts.approach_a.pool import Pool
from ks_env.belief.metaposition.announcements import own_tries_said
from ks_env.belief.metaposition.boards import NOT_A, NOT_H, own_pawn_targets
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.answers import LEAP
from ks_env.core.attacks import line_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import attackers, king_square
from ks_env.core.ruleset import COUNT, SQUARES
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    CHECK_OF_LINE,
    KING,
    KNIGHT,
    KNIGHT_MOVES,
    LINES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
)
from ks_env.games.kriegspiel.layout import View


@kernel
def _ask_for(pool: Pool, known: Metaposition, targets: np.uint64) -> int:
    """Put any man but the king on one of the squares; which, -1 if none can be."""
    for kind in range(PAWN, KING):
        pool.where[kind] = free_squares(pool, known, kind, True) & targets
    pool.where[KING] = ZERO
    return set_one_of(pool)


@kernel
def _checking_squares(pool: Pool, known: Metaposition, king: int, line: int) -> None:
    """Fill `pool.where` with what checks the seat's king along a line, or as a knight (-1)."""
    for kind in range(1, 7):
        pool.where[kind] = ZERO
    if line < 0:
        pool.where[KNIGHT] = free_squares(pool, known, KNIGHT, False) & KNIGHT_MOVES[king]
        return
    trial = pool.trial[0]
    seen = line_attacks(king, line, trial.seats[0] | trial.seats[1])
    pool.where[QUEEN] = free_squares(pool, known, QUEEN, False) & seen
    slider = ROOK if line < 2 else BISHOP
    pool.where[slider] = free_squares(pool, known, slider, False) & seen
    if line >= 2:
        pool.where[PAWN] = free_squares(pool, known, PAWN, False) & seen & PAWN_ATTACKS[0, king]


@kernel
def set_checkers(pool: Pool, known: Metaposition, view: View) -> None:
    """A man for each announced check type along which none attacks, with a free way to the king."""
    if view.checkers == 0:
        return
    trial = pool.trial[0]
    king = king_square(trial, 0)
    for line in range(-1, 4):
        kind = LEAP if line < 0 else CHECK_OF_LINE[king, line]
        if kind & view.checks == 0:
            continue
        ways = KNIGHT_MOVES[king] if line < 0 else LINES[king, line]
        there = attackers(trial, king, 1, trial.seats[0] | trial.seats[1]) & ways
        if there != ZERO:
            pool.closed[0] |= BETWEEN[king, lowest(there)]
            continue
        _checking_squares(pool, known, king, line)
        square = set_one_of(pool)
        if square >= 0:
            pool.closed[0] |= BETWEEN[king, square]


@kernel
def capture_pairs(truth: Truth) -> int:
    """In how many ways pawns of side 0 attack men of the other side."""
    pawns, men = truth.kinds[PAWN] & truth.seats[0], truth.seats[1]
    return popcount((pawns << np.uint64(7)) & NOT_H & men) + popcount((pawns << np.uint64(9)) & NOT_A & men)


@kernel
def _set_named_tries(pool: Pool, known: Metaposition, view: View) -> None:
    """A man for each own pawn that was named to have a capture, and none for the others."""
    pawns = view.try_squares
    while pawns != ZERO:
        targets = own_pawn_targets(bit(lowest(pawns)))
        pawns = without_lowest(pawns)
        if targets & pool.trial[0].seats[1] == ZERO:
            _ask_for(pool, known, targets)
    idle = known.own[PAWN] & ~view.try_squares
    pool.closed[0] |= own_pawn_targets(idle)


@kernel
def set_pawn_tries(pool: Pool, known: Metaposition, view: View, rules: Rules) -> None:
    """Men that own pawns may capture, as many as the referee said."""
    if view.checkers != 0:
        return
    if rules.pawn_tries == SQUARES:
        _set_named_tries(pool, known, view)
        return
    said = own_tries_said(view, rules)
    if said < 0:
        return
    targets = own_pawn_targets(known.own[PAWN])
    counted = rules.pawn_tries == COUNT and view.tries >= 0
    wanted = said if counted else min(said, 1)
    while capture_pairs(pool.trial[0]) < wanted:
        if _ask_for(pool, known, targets) < 0:
            break
    if counted or said == 0:
        pool.closed[0] |= targets


@kernel
def allow_en_passant(truth: Truth, square: int) -> bool:
    """Whether the opponent's pawn on the square may have just made a double step, so that it can be taken."""
    if not has(truth.kinds[PAWN] & truth.seats[1], square) or square >> 3 != 4:
        return False
    occupied = truth.seats[0] | truth.seats[1]
    return not has(occupied, square + 8) and not has(occupied, square + 16)
