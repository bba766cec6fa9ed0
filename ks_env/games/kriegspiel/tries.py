"""The tries that a seat may make, from its view alone: the two masks, as lists.

*own-board*: pseudo-legal over one's own men, with enemy men wherever they help.

*informed* (the default) also removes, and nothing else:

(a) pawn captures when none was announced possible (where squares are said: of the pawns not named);
(b) tries refused this turn;
(c) castling when in check;
(d) in double check all but king moves; in a knight check, moves of other men that do not land a
    knight's move from the king;
(e) in a single line check, moves of other men that do not land on that line, shapes of an en passant
    capture exempt (the black pawn that checks after d7-d5 may be taken by e5xd6);
(f) straight pawn moves onto, and slides past, a square on which the opponent has just captured, unless
    that capture may have been en passant;
(g) when not in check and a slide was refused, the longer ones in that direction.

While a player owes a pawn capture after asking "any?", both lists hold pawn captures only. Version 1.
"""

from collections.abc import Callable

import numpy as np

from ks_env.core.answers import LEAP
from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ALL, ZERO, bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8
from ks_env.core.ruleset import COUNT, NO_QUESTION, SQUARES, YES_NO
from ks_env.core.tables import (
    ANY,
    BETWEEN,
    BEYOND,
    BISHOP,
    CHECK_LINES,
    FILE_A,
    FILE_H,
    KING,
    KING_MOVES,
    KING_SIDE,
    KNIGHT,
    KNIGHT_MOVES,
    MAN_LINES,
    PAWN,
    QUEEN,
    QUEEN_SIDE,
    RANK_3,
    RANK_6,
    ROOK,
    TRIES,
    TRY_FROM,
    TRY_INDEX,
    TRY_KIND,
    TRY_TO,
)
from ks_env.core.tries import CASTLING, INFORMED, TO_LIST, TO_MASK, Adding, king_may, open_castling, refused
from ks_env.games.kriegspiel.layout import View

NOT_ASKED, OBLIGED, DENIED, FREE = 0, 1, 2, 3  # VIEW.asked


@kernel
def checked_line(view: View) -> np.uint64:
    """The whole line through the own king along which a single line check comes."""
    return CHECK_LINES[lowest(view.kinds[KING]), lowest(np.uint64(view.checks))]


@kernel
def landing_squares(view: View) -> np.uint64:
    """Where men other than the king may land as far as announced checks go: rules (d) and (e)."""
    if view.checkers == 0:
        return ALL
    if view.checkers >= 2:
        return ZERO
    if view.checks & LEAP:
        return KNIGHT_MOVES[lowest(view.kinds[KING])]
    return checked_line(view)


@kernel
def capturing_pawns(view: View, rules: Rules) -> np.uint64:
    """Own pawns whose captures the announcements leave possible: rule (a)."""
    pawns = view.kinds[PAWN]
    if view.asked == DENIED:
        return ZERO
    if (rules.pawn_tries == COUNT or rules.pawn_tries == YES_NO) and view.tries == 0:
        return ZERO
    if rules.pawn_tries == SQUARES:
        return pawns & view.try_squares
    return pawns


@kernel
def _capture_targets(view: View, rules: Rules, level: int) -> tuple[np.uint64, np.uint64]:
    """Where own pawns may land capturing, to the west and to the east."""
    pawns = view.kinds[PAWN]
    landing = ALL
    if level == INFORMED:
        pawns = capturing_pawns(view, rules)
        landing = landing_squares(view)
        if view.checkers == 1 and view.checks & LEAP == 0:
            landing |= RANK_6
    targets = ~view.own & landing
    return ((pawns & ~FILE_A) << np.uint64(7)) & targets, ((pawns & ~FILE_H) << np.uint64(9)) & targets


@kernel
def _beyond_refused(view: View, start: int, targets: np.uint64) -> np.uint64:
    """Squares past the refused slides of this man: rule (g)."""
    gone = ZERO
    left = targets
    while left != ZERO:
        end = lowest(left)
        left = without_lowest(left)
        if refused(view, TRY_INDEX[start, end]):
            gone |= BEYOND[start, end]
    return gone


def _adding_slides(adding: Adding) -> Callable[..., int]:
    """The kernel that puts down the tries of bishops, rooks and queens."""
    add_targets = adding.targets

    @kernel
    def add_slides(
        view: View, occupied: np.uint64, landing: np.uint64, level: int, out: np.ndarray, n: int
    ) -> int:
        straight = view.kinds[ROOK] | view.kinds[QUEEN]
        oblique = view.kinds[BISHOP] | view.kinds[QUEEN]
        men = straight | oblique
        while men != ZERO:
            start = lowest(men)
            men = without_lowest(men)
            seen = ZERO
            if has(straight, start):
                seen |= rook_attacks(start, occupied)
            if has(oblique, start):
                seen |= bishop_attacks(start, occupied)
            seen &= ~view.own
            if level == INFORMED and view.checkers == 0 and view.refused_from[start] != 0:
                seen &= ~_beyond_refused(view, start, seen)
            n = add_targets(out, n, start, seen & landing)
        return n

    return add_slides


def _adding_king_moves(adding: Adding) -> Callable[..., int]:
    """The kernel that puts down the tries of the king."""
    add_targets, add_try = adding.targets, adding.one

    @kernel
    def add_king_moves(view: View, level: int, out: np.ndarray, n: int) -> int:
        king = lowest(view.kinds[KING])
        n = add_targets(out, n, king, KING_MOVES[king] & ~view.own)
        if view.rights == 0 or (level == INFORMED and view.checkers != 0):
            return n
        sides = open_castling(view, view.own)
        if sides & KING_SIDE:
            n = add_try(out, n, CASTLING[0])
        return add_try(out, n, CASTLING[1]) if sides & QUEEN_SIDE else n

    return add_king_moves


def _adding_tries(adding: Adding) -> Callable[..., int]:
    """The kernel that puts down the tries of a seat."""
    add_targets, add_pawns, add_try, drop_refused = adding
    add_slides, add_king_moves = _adding_slides(adding), _adding_king_moves(adding)

    @kernel
    def add_tries(view: View, rules: Rules, level: int, out: np.ndarray) -> int:
        west, east = _capture_targets(view, rules, level)
        if view.asked == OBLIGED:
            n = add_pawns(out, 0, west, east, ZERO, ZERO)
        else:
            landing = landing_squares(view) if level == INFORMED else ALL
            occupied = view.own
            straight = landing
            if level == INFORMED and view.enemy >= 0:
                occupied |= bit(view.enemy)
                straight &= ~bit(view.enemy)
            one = (view.kinds[PAWN] << np.uint64(8)) & ~view.own
            two = ((one & RANK_3) << np.uint64(8)) & ~view.own
            n = add_pawns(out, 0, west, east, one & straight, two & straight)
            knights = view.kinds[KNIGHT]
            while knights != ZERO:
                start = lowest(knights)
                knights = without_lowest(knights)
                n = add_targets(out, n, start, KNIGHT_MOVES[start] & ~view.own & landing)
            n = add_slides(view, occupied, landing, level, out, n)
            n = add_king_moves(view, level, out, n)
            if rules.ask_any != NO_QUESTION and view.asked == NOT_ASKED:
                n = add_try(out, n, ANY)
        if level == INFORMED and view.refusals != 0:
            n = drop_refused(view, out, n)
        return n

    return add_tries


_list, _mark = _adding_tries(TO_LIST), _adding_tries(TO_MASK)


@kernel
def list_tries(view: View, rules: Rules, level: int, out: np.ndarray) -> int:
    """Write the seat's tries to `out: i2[MOST_TRIES]`; how many. `level` is OWN_BOARD or INFORMED."""
    return _list(view, rules, level, out)


@kernel
def mark_tries(view: View, rules: Rules, level: int, mask: np.ndarray) -> None:
    """The same tries in `mask: i1[ACTIONS]`, which is 0 before."""
    _mark(view, rules, level, mask)


@kernel
def is_pawn_capture(view: View, action: int) -> bool:
    """Whether the try is a diagonal move of an own pawn."""
    return view.men[TRY_FROM[action]] == PAWN and (TRY_FROM[action] ^ TRY_TO[action]) & 7 != 0


@kernel
def _pawn_shape(view: View, start: int, end: int) -> bool:
    if end - start == 8:
        return True
    if end - start == 16:
        return start < 16 and not has(view.own, start + 8)
    return (end - start == 7 and start & 7 != 0) or (end - start == 9 and start & 7 != 7)


@kernel
def on_own_board(view: View, rules: Rules, action: int) -> bool:
    """Whether the try is in the own-board mask, without listing it."""
    if action < 0 or action >= TRIES:
        return False
    if action == ANY:
        return rules.ask_any != NO_QUESTION and view.asked == NOT_ASKED
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    kind = i8(view.men[start])
    if kind == 0 or has(view.own, end):
        return False
    if view.asked == OBLIGED and not is_pawn_capture(view, action):
        return False
    if kind == PAWN:
        return _pawn_shape(view, start, end)
    if TRY_KIND[action] != 0:
        return False
    if kind == KING:
        return king_may(view, view.own, start, end)
    return has(MAN_LINES[kind, start], end) and BETWEEN[start, end] & view.own == ZERO


@kernel
def is_nonsense(view: View, rules: Rules, action: int) -> bool:
    """Hopeless on the seat's own board, or refused already this turn; see `Ruleset`."""
    if not on_own_board(view, rules, action):
        return True
    if action != ANY and refused(view, action):
        return True
    if rules.unannounced_capture_is_nonsense and is_pawn_capture(view, action):
        return not has(capturing_pawns(view, rules), i8(TRY_FROM[action]))
    return False
