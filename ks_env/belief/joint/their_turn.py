"""The boards that may follow an opponent's turn, each with its share of the weight.

"Assuming no strategic knowledge (i.e., each square that an invisible piece can move to is as likely to be
visited as any other)" (I01 §3.1): the weight of a board is divided equally among the legal moves of the
hidden man that moved, and those keep theirs that fit what was told. Which man moves says nothing of where it
stands.
"""

import numpy as np

from ks_env.belief.joint.boards import numbers_among, without_hidden
from ks_env.belief.joint.gather import gather
from ks_env.belief.joint.layout import GONE, Work
from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.position import has_legal_move, is_legal, legal_targets, play, refresh
from ks_env.core.record import i8, u1
from ks_env.core.tables import (
    BETWEEN,
    BEYOND,
    BISHOP,
    DARK,
    KING,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    RANK_1,
    RANK_8,
    ROOK,
)
from ks_env.games.invisible.judge import pass_turn
from ks_env.games.invisible.layout import HIDDEN_MOVED, NUMBERS, VISIBLE_MOVED, View

KING_SIDE, QUEEN_SIDE = 4, 8  # the opponent's castling rights, in the seat's frame
ROOK_HOMES = (63, 56)


@kernel
def secret_men(view: View) -> np.uint64:
    """Own men whose square the opponent does not know for certain."""
    board = ZERO
    for square in range(64):
        number = view.ids[square]
        if number != 0 and view.exposed[number] != square:
            board |= bit(square)
    return board


@kernel
def own_haunts(view: View) -> np.uint64:
    """Where the opponent's bound lets the own hidden men stand, but for squares of visible or own men."""
    board = ZERO
    for square in range(64):
        number = view.ids[square]
        if number == 0:
            continue
        if view.exposed[number] == square:
            board |= bit(square)
        elif view.men[square] == PAWN:
            board |= ~(RANK_1 | RANK_8)
        elif view.men[square] == BISHOP and view.own_shade[number] != 0:
            board |= DARK if view.own_shade[number] == 1 else ~DARK
        else:
            board |= ~ZERO
    return board


@kernel
def _pawns_may_lose(truth: Truth, secret: np.uint64, known: np.uint64, haunts: np.uint64) -> bool:
    pawns = truth.kinds[PAWN] & truth.seats[1]
    if (pawns >> np.uint64(8)) & secret != ZERO:
        return True
    two = ((pawns & (RANK_1 << np.uint64(48))) >> np.uint64(8)) & ~known
    if (two >> np.uint64(8)) & secret != ZERO:
        return True
    while pawns != ZERO:
        reach = PAWN_ATTACKS[1, lowest(pawns)] & haunts & ~known & ~truth.seats[0]
        if reach != ZERO:
            return True
        pawns = without_lowest(pawns)
    return False


@kernel
def _castling_may_lose(truth: Truth, secret: np.uint64, known: np.uint64) -> bool:
    """Whether hidden men may stand between king and rook; the rights themselves are not known."""
    if truth.men[60] != (KING | 8):
        return False
    for home in ROOK_HOMES:
        between = BETWEEN[60, home]
        if truth.men[home] == (ROOK | 8) and between & known == ZERO and between & secret != ZERO:
            return True
    return False


@kernel
def may_lose_turn(truth: Truth, secret: np.uint64, haunts: np.uint64) -> bool:
    """Whether some try of the opponent would be impossible on this board, for all that he may know."""
    known = (truth.seats[0] | truth.seats[1]) & ~secret
    if _pawns_may_lose(truth, secret, known, haunts) or _castling_may_lose(truth, secret, known):
        return True
    straight, oblique = truth.kinds[ROOK] | truth.kinds[QUEEN], truth.kinds[BISHOP] | truth.kinds[QUEEN]
    men = (straight | oblique) & truth.seats[1]
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        reach = ZERO
        if has(straight, start):
            reach |= rook_attacks(start, known)
        if has(oblique, start):
            reach |= bishop_attacks(start, known)
        reach &= ~truth.seats[1]
        blockers = reach & secret
        while blockers != ZERO:
            if BEYOND[start, lowest(blockers)] & reach != ZERO:
                return True
            blockers = without_lowest(blockers)
    return False


@kernel
def check_fits(truth: Truth, row: np.ndarray, view: View) -> bool:
    """Whether the men told to give check are those that do, and the game goes on."""
    by = truth.checkers
    if numbers_among(row, by) != view.hidden_checkers or without_hidden(row, by) != view.checkers:
        return False
    return has_legal_move(truth)


@kernel
def _take_in(truth: Truth, view: View, passed: int, weight: float, work: Work) -> None:
    refresh(truth)
    if check_fits(truth, work.row, view):
        gather(work, passed, weight)


@kernel
def _castles(truth: Truth, view: View, work: Work) -> bool:
    """Allow the castling that was seen, if the rook stands at home on this board; whether it does."""
    short = view.their_to > view.their_from
    home, beside = (63, 61) if short else (56, 59)
    if truth.men[home] != (ROOK | 8):
        return False
    truth.rights |= u1(KING_SIDE if short else QUEEN_SIDE)
    for n in range(1, NUMBERS):
        if work.row[n] == home:
            if view.placed[n] != beside:
                return False
            work.row[n] = u1(beside)
            return True
    return view.seen[beside] == ROOK


@kernel
def visible_move(truth: Truth, view: View, weight: float, work: Work) -> None:
    """A visible man moved: the board stays if the move was legal on it."""
    start, end = i8(view.their_from), i8(view.their_to)
    kind = i8(truth.men[start]) & 7
    twice = kind == KING and (start - end == 2 or end - start == 2)
    if twice and not _castles(truth, view, work):
        return
    if not is_legal(truth, start, end):
        return
    play(truth, start, end, i8(view.seen[end]) if kind == PAWN and end < 8 else 0)
    if truth.said.square == view.lost:
        _take_in(truth, view, -1, weight, work)


@kernel
def _fitting_targets(truth: Truth, view: View, n: int, start: int, targets: np.uint64) -> np.uint64:
    """Those legal moves of hidden man n that take what was told to be taken, and promote if that was told."""
    pawn = i8(truth.men[start]) & 7 == PAWN
    if view.lost >= 0:
        targets &= bit(view.placed[n])
    else:
        targets &= ~truth.seats[0]
        if pawn:
            targets &= np.uint64(0x0101010101010101) << np.uint64(start & 7)
    if pawn:
        targets &= ~RANK_1 if view.unseen[n] == PAWN else RANK_1
    return targets


@kernel
def hidden_move(work: Work, at: int, view: View, weight: float) -> None:
    """Hidden man `view.their_mover` moved, from the board in `work.truths[at]`."""
    truth, n = work.truths[at], i8(view.their_mover)
    start = i8(work.row[n])
    if start >= GONE:
        return
    kind = i8(truth.men[start]) & 7
    targets = legal_targets(truth, start)
    if targets == ZERO:
        return
    share = weight / popcount(targets)
    targets = _fitting_targets(truth, view, n, start, targets)
    while targets != ZERO:
        end = lowest(targets)
        targets = without_lowest(targets)
        work.truths[at + 1] = truth
        after = work.truths[at + 1]
        play(after, start, end, i8(view.unseen[n]) if kind == PAWN and end < 8 else 0)
        if after.said.square != view.lost:
            continue
        work.row[n] = u1(end)
        step = (start + end) >> 1 if kind == PAWN and start - end == 16 else -1
        _take_in(after, view, step, share, work)
    work.row[n] = u1(start)


@kernel
def their_turn(work: Work, at: int, view: View, secret: np.uint64, haunts: np.uint64, weight: float) -> None:
    """Gather the boards that follow `work.truths[at]` with `work.row`; `truths[at + 1]` is overwritten."""
    truth = work.truths[at]
    if view.their_turn == VISIBLE_MOVED:
        visible_move(truth, view, weight, work)
    elif view.their_turn == HIDDEN_MOVED:
        hidden_move(work, at, view, weight)
    elif may_lose_turn(truth, secret, haunts):
        pass_turn(truth)
        _take_in(truth, view, -1, weight, work)
