"""The boards that an own try's answer leaves, and those that may follow an opponent's turn.

"Assuming no strategic knowledge (i.e., each square that an invisible piece can move to is as likely to be
visited as any other)" (Bud et al. 2001, §3.1): in the opponent's turn the weight of a board is divided
equally among the legal moves of the hidden man that moved, and those keep theirs that fit what was told.
Which man moves says nothing of where it stands.

With `spread_captures` the square of a capture by a hidden man is not taken in: "Moves by invisible pieces
that do not cause check result in an increase in entropy" (§6.2), captures among them. The man taken is gone
all the same.
"""

import numpy as np

from ks_env.belief.joint.boards import gather, number_on, numbers_among, without_hidden
from ks_env.belief.joint.layout import GONE, Work
from ks_env.core.answers import ILLEGAL, MOVED
from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.position import has_legal_move, is_legal, legal_targets, lift, play, refresh
from ks_env.core.record import i8, u1
from ks_env.core.tables import (
    BETWEEN,
    BEYOND,
    BISHOP,
    CORNERS,
    DARK,
    FILE_A,
    KING,
    KING_HOME,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    RANK_1,
    RANK_8,
    RIGHTS_LOST,
    ROOK,
    ROOK_FROM,
    ROOK_TO,
    TRY_FROM,
    TRY_KIND,
    TRY_TO,
)
from ks_env.games.invisible.judge import attackers_after, obstacle, pass_turn
from ks_env.games.invisible.layout import CHECK, HIDDEN_MOVED, NUMBERS, ON_DARK, VISIBLE_MOVED, View


@kernel
def refusal_fits(truth: Truth, row: np.ndarray, passed: int, view: View, action: int) -> bool:
    """Whether the referee would have called the try illegal on this board, and for the cause that was told.

    The cause of any but the seat's last try is no longer in the view; such tries leave every board on which
    they are illegal for some cause.
    """
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if is_legal(truth, start, end):
        return False
    why = obstacle(truth, passed, start, end)
    if view.tried != action or view.answer != ILLEGAL:
        return why == CHECK or truth.checkers != ZERO
    if why != view.why:
        return False
    if why != CHECK:
        return True
    by = attackers_after(truth, passed, start, end)
    return numbers_among(row, by) == view.hidden_attackers and without_hidden(row, by) == view.attackers


@kernel
def _capture_fits(truth: Truth, row: np.ndarray, view: View) -> bool:
    """Whether the move just played took what the referee said; a hidden man that was taken is gone."""
    square = i8(truth.said.square)
    if square != view.took:
        return False
    if square < 0:
        return True
    number = number_on(row, square)
    if number != view.took_number:
        return False
    if number != 0:
        row[number] = u1(GONE)
    return True


@kernel
def own_move_fits(truth: Truth, row: np.ndarray, view: View) -> bool:
    """Play the own accepted move; whether all that was told of it is true of this board."""
    action = i8(view.tried)
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if not is_legal(truth, start, end):
        return False
    play(truth, start, end, i8(TRY_KIND[action]))
    if not _capture_fits(truth, row, view):
        return False
    refresh(truth)
    return truth.checkers == view.givers and has_legal_move(truth)


@kernel
def own_loss_fits(truth: Truth, passed: int, view: View) -> bool:
    """Pass the turn; whether the own try was impossible on this board."""
    action = i8(view.tried)
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if is_legal(truth, start, end) or obstacle(truth, passed, start, end) == CHECK:
        return False
    pass_turn(truth)
    return has_legal_move(truth)


@kernel
def own_turn_fits(truth: Truth, row: np.ndarray, passed: int, view: View) -> bool:
    """Play on by the own turn in the view; whether the board is still possible."""
    if view.answer == MOVED:
        return own_move_fits(truth, row, view)
    return own_loss_fits(truth, passed, view)


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
            board |= DARK if view.own_shade[number] == ON_DARK else ~DARK
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
    if truth.men[KING_HOME ^ 56] != (KING | 8):
        return False
    for home in CORNERS[2:]:
        between = BETWEEN[KING_HOME ^ 56, home]
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
    home, beside = ROOK_FROM[view.their_to], ROOK_TO[view.their_to]
    if truth.men[home] != (ROOK | 8):
        return False
    truth.rights |= u1(RIGHTS_LOST[home])
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
def _fitting_targets(
    truth: Truth, view: View, n: int, start: int, targets: np.uint64, spread_captures: int
) -> np.uint64:
    """Those legal moves of hidden man n that take what was told to be taken, and promote if that was told."""
    pawn = i8(truth.men[start]) & 7 == PAWN
    if view.lost >= 0 and spread_captures:
        targets &= ~truth.seats[0] | bit(i8(view.lost))
    elif view.lost >= 0:
        targets &= bit(view.placed[n])
    else:
        targets &= ~truth.seats[0]
        if pawn:
            targets &= FILE_A << np.uint64(start & 7)
    if pawn:
        targets &= ~RANK_1 if view.unseen[n] == PAWN else RANK_1
    return targets


@kernel
def hidden_move(work: Work, at: int, view: View, weight: float, spread_captures: int) -> None:
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
    targets = _fitting_targets(truth, view, n, start, targets, spread_captures)
    while targets != ZERO:
        end = lowest(targets)
        targets = without_lowest(targets)
        work.truths[at + 1] = truth
        after = work.truths[at + 1]
        play(after, start, end, i8(view.unseen[n]) if kind == PAWN and end < 8 else 0)
        if after.said.square != view.lost:
            if not spread_captures or after.said.square >= 0:
                continue
            lift(after, i8(view.lost))
        work.row[n] = u1(end)
        step = (start + end) >> 1 if kind == PAWN and start - end == 16 else -1
        _take_in(after, view, step, share, work)
    work.row[n] = u1(start)


@kernel
def their_turn(
    work: Work,
    at: int,
    view: View,
    secret: np.uint64,
    haunts: np.uint64,
    weight: float,
    spread_captures: int,
) -> None:
    """Gather the boards that follow `work.truths[at]` with `work.row`; `truths[at + 1]` is overwritten."""
    truth = work.truths[at]
    if view.their_turn == VISIBLE_MOVED:
        visible_move(truth, view, weight, work)
    elif view.their_turn == HIDDEN_MOVED:
        hidden_move(work, at, view, weight, spread_captures)
    elif may_lose_turn(truth, secret, haunts):
        pass_turn(truth)
        _take_in(truth, view, -1, weight, work)
