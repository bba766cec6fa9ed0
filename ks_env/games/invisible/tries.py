"""The tries that a seat may make in invisible chess, from its view alone: the two masks, as lists.

*own-board*: moves that some placement of the opponent's hidden men makes possible: pseudo-legal over one's
own men, the visible men and the hidden men that certainly stand somewhere; slides pass over squares that only
hidden men may occupy, and pawns capture on such squares. Anything else is nonsense to the referee: it
cannot be due to "an incorrect assumption as to the whereabouts of an invisible piece" (Bud et al. 2001, §3).

*informed* (the default) also removes, and nothing else:

(a) tries refused this turn;
(b) castling when in check;
(c) against two or more checkers, all but king moves; against one whose square is certain, moves of other men
    that land neither on it nor between it and the king, en passant captures exempt;
(d) king moves to a square that a man attacks for certain: no square between the two can hold a hidden man;
(e) moves of a man that is certainly pinned off the line of the pin.

Version 1.
"""

import numpy as np

from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ALL, ZERO, bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    BISHOP_LINES,
    DARK,
    FILE_A,
    FILE_H,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    ROOK,
    ROOK_LINES,
    THROUGH,
)
from ks_env.core.tries import (
    INFORMED,
    add_all_pawn_moves,
    add_castling,
    add_targets,
    nonsense_kernel,
    open_castling,
    without_refused,
)
from ks_env.games.invisible.layout import HIDDEN_MOVED, NUMBERS, ON_DARK, ON_LIGHT, View


@kernel
def placed_men(view: View) -> np.uint64:
    """Squares on which hidden men of the opponent certainly stand."""
    board = ZERO
    for n in range(1, NUMBERS):
        if view.unseen[n] != 0 and view.placed[n] >= 0:
            board |= bit(view.placed[n])
    return board


@kernel
def haunts(view: View, n: int) -> np.uint64:
    """An outer bound of where hidden man n may stand: by its kind, off all men that are seen."""
    kind = view.unseen[n]
    if kind == 0:
        return ZERO
    if view.placed[n] >= 0:
        return bit(view.placed[n])
    board = ~(view.own | view.theirs)
    if kind == PAWN:
        board &= ~(RANK_1 | RANK_8)
    elif kind == BISHOP and view.shade[n] == ON_DARK:
        board &= DARK
    elif kind == BISHOP and view.shade[n] == ON_LIGHT:
        board &= ~DARK
    return board


@kernel
def haunted(view: View) -> np.uint64:
    """Squares on which some hidden man of the opponent may stand, by the bound of `haunts`."""
    board = ZERO
    for n in range(1, NUMBERS):
        board |= haunts(view, n)
    return board


@kernel
def passing_squares(view: View) -> np.uint64:
    """Where an en passant capture may land: over a visible pawn's step, or a hidden pawn's possible one."""
    board = bit(view.passed) if view.passed >= 0 else ZERO
    if view.their_turn == HIDDEN_MOVED and view.lost < 0 and view.unseen[view.their_mover] == PAWN:
        board |= RANK_6 & ~(view.own | view.theirs)
    return board


@kernel
def certain_men(view: View) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """The opponent's men whose squares are certain, visible or placed: boards of pawns to queens."""
    kinds = view.their_kinds
    pawns, knights, bishops = kinds[PAWN], kinds[KNIGHT], kinds[BISHOP]
    rooks, queens = kinds[ROOK], kinds[QUEEN]
    for n in range(1, NUMBERS):
        if view.unseen[n] == 0 or view.placed[n] < 0:
            continue
        here, kind = bit(view.placed[n]), view.unseen[n]
        if kind == PAWN:
            pawns |= here
        elif kind == KNIGHT:
            knights |= here
        elif kind == BISHOP:
            bishops |= here
        elif kind == ROOK:
            rooks |= here
        else:
            queens |= here
    return pawns, knights, bishops, rooks, queens


@kernel
def certain_attackers(
    view: View,
    square: int,
    occupied: np.uint64,
    haunted_squares: np.uint64,
    men: tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64],
) -> np.uint64:
    """Men of the opponent that attack the square wherever the hidden men stand; `men` are `certain_men`."""
    pawns, knights, bishops, rooks, queens = men
    found = KNIGHT_MOVES[square] & knights
    found |= KING_MOVES[square] & view.their_kinds[KING]
    found |= PAWN_ATTACKS[0, square] & pawns
    lines = ROOK_LINES[square] & (rooks | queens) | BISHOP_LINES[square] & (bishops | queens)
    while lines != ZERO:
        sniper = lowest(lines)
        lines = without_lowest(lines)
        if BETWEEN[square, sniper] & (occupied | haunted_squares) == ZERO:
            found |= bit(sniper)
    return found


@kernel
def safe_squares(view: View, targets: np.uint64, haunted_squares: np.uint64, placed: np.uint64) -> np.uint64:
    """Those targets of the king on which it is not attacked for certain: rule (d)."""
    king = lowest(view.kinds[KING])
    occupied = (view.own | view.theirs | placed) ^ bit(king)
    men = certain_men(view)
    safe = ZERO
    while targets != ZERO:
        square = lowest(targets)
        targets = without_lowest(targets)
        here = bit(square)
        attackers = certain_attackers(view, square, occupied & ~here, haunted_squares & ~here, men)
        if attackers & ~here == ZERO:
            safe |= here
    return safe


@kernel
def certain_pins(view: View, haunted_squares: np.uint64, placed: np.uint64) -> np.uint64:
    """Own men that are pinned wherever the hidden men stand: rule (e)."""
    king = lowest(view.kinds[KING])
    _, _, bishops, rooks, queens = certain_men(view)
    snipers = ROOK_LINES[king] & (rooks | queens) | BISHOP_LINES[king] & (bishops | queens)
    occupied = view.own | view.theirs | placed
    pinned = ZERO
    while snipers != ZERO:
        between = BETWEEN[king, lowest(snipers)]
        snipers = without_lowest(snipers)
        blockers = between & occupied
        alone = blockers != ZERO and without_lowest(blockers) == ZERO
        if alone and between & haunted_squares & ~blockers == ZERO:
            pinned |= blockers & view.own
    return pinned


@kernel
def answers_to_check(view: View) -> np.uint64:
    """Squares on which a man other than the king may land as far as checks are told: rule (c)."""
    if view.checks == 0:
        return ALL
    if view.checks >= 2:
        return ZERO
    king = lowest(view.kinds[KING])
    if view.checkers != ZERO:
        return view.checkers | BETWEEN[king, lowest(view.checkers)]
    for n in range(1, NUMBERS):
        if (i8(view.hidden_checkers) >> n) & 1 and view.placed[n] >= 0:
            return bit(view.placed[n]) | BETWEEN[king, i8(view.placed[n])]
    return ALL


@kernel
def _off_the_line(view: View, start: int, targets: np.uint64, pinned: np.uint64) -> np.uint64:
    if has(pinned, start):
        return targets & THROUGH[lowest(view.kinds[KING]), start]
    return targets


@kernel
def _add_pinned_pawn(
    view: View,
    start: int,
    takes: np.uint64,
    free: np.uint64,
    landing: np.uint64,
    out: np.ndarray,
    n: int,
) -> int:
    line = THROUGH[lowest(view.kinds[KING]), start]
    here = bit(start)
    west = ((here & ~FILE_A) << np.uint64(7)) & takes & line
    east = ((here & ~FILE_H) << np.uint64(9)) & takes & line
    one = (here << np.uint64(8)) & free
    two = ((one & RANK_3) << np.uint64(8)) & free
    return add_all_pawn_moves(out, n, west, east, one & line & landing, two & line & landing)


@kernel
def _add_pawns(
    view: View,
    takes: np.uint64,
    landing: np.uint64,
    pinned: np.uint64,
    placed: np.uint64,
    out: np.ndarray,
    n: int,
) -> int:
    """Tries of pawns: captures on `takes`, pushes onto `landing`."""
    free = ~(view.own | view.theirs | placed)
    pawns = view.kinds[PAWN] & ~pinned
    west = ((pawns & ~FILE_A) << np.uint64(7)) & takes
    east = ((pawns & ~FILE_H) << np.uint64(9)) & takes
    one = (pawns << np.uint64(8)) & free
    two = ((one & RANK_3) << np.uint64(8)) & free
    n = add_all_pawn_moves(out, n, west, east, one & landing, two & landing)
    left = view.kinds[PAWN] & pinned
    while left != ZERO:
        n = _add_pinned_pawn(view, lowest(left), takes, free, landing, out, n)
        left = without_lowest(left)
    return n


@kernel
def _add_pieces(
    view: View, landing: np.uint64, pinned: np.uint64, placed: np.uint64, out: np.ndarray, n: int
) -> int:
    """Tries of knights, bishops, rooks and queens."""
    occupied = view.own | view.theirs | placed
    men = view.own & ~(view.kinds[PAWN] | view.kinds[KING])
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        reach = man_attacks(i8(view.men[start]), start, occupied)
        reach &= ~view.own & landing
        n = add_targets(out, n, start, _off_the_line(view, start, reach, pinned))
    return n


@kernel
def _add_king(
    view: View, level: int, haunted_squares: np.uint64, placed: np.uint64, out: np.ndarray, n: int
) -> int:
    king = lowest(view.kinds[KING])
    targets = KING_MOVES[king] & ~view.own
    if level == INFORMED:
        targets = safe_squares(view, targets, haunted_squares, placed)
    n = add_targets(out, n, king, targets)
    if level == INFORMED and view.checks != 0:
        return n
    return add_castling(out, n, open_castling(view, view.own | view.theirs | placed))


@kernel
def list_tries(view: View, rules: Rules, level: int, out: np.ndarray) -> int:
    """Write the seat's tries to `out: i2[MOST_TRIES]`; how many. `level` is OWN_BOARD or INFORMED."""
    placed, spooky = placed_men(view), haunted(view)
    landing, pinned = ALL, ZERO
    if level == INFORMED:
        landing, pinned = answers_to_check(view), certain_pins(view, spooky & ~placed, placed)
    takes = ((view.theirs | spooky) & landing) | passing_squares(view)
    n = _add_pawns(view, takes, landing, pinned, placed, out, 0)
    n = _add_pieces(view, landing, pinned, placed, out, n)
    n = _add_king(view, level, spooky & ~placed, placed, out, n)
    if level == INFORMED and view.refusals != 0:
        n = without_refused(view, out, n)
    return n


@kernel
def _all_certain(view: View) -> np.uint64:
    return view.own | view.theirs | placed_men(view)


@kernel
def _prey(view: View) -> np.uint64:
    return view.theirs | haunted(view) | passing_squares(view)


is_nonsense = nonsense_kernel(_all_certain, _prey)
