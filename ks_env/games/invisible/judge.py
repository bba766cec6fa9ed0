"""The referee of invisible chess: judges one try, and tells each seat what it may hear.

See Bud et al. (2001, §3).
"""

import numpy as np

from ks_env.core.answers import CHECKMATE, ILLEGAL, LOST, MOVED, NONSENSE, TOO_MANY_TRIES, UNDER_WAY
from ks_env.core.bits import ZERO, bit, has, lowest, without_lowest
from ks_env.core.endings import end_of_game, finish
from ks_env.core.hearing import own_board
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import attackers, is_legal, king_square, play, refresh
from ks_env.core.record import i1, i2, i4, i8, u1, u2
from ks_env.core.tables import (
    BETWEEN,
    FILE_KEYS,
    KING,
    KING_SIDE,
    PAWN,
    QUEEN_SIDE,
    ROOK_FROM,
    ROOK_TO,
    SIDE_KEY,
    TRIES,
    TRY_FROM,
    TRY_KIND,
    TRY_TO,
)
from ks_env.games.invisible.hearing import (
    begin_turn,
    censor,
    hear_opponent,
    hear_own_loss,
    hear_own_move,
    hear_own_refusal,
    visible_part,
)
from ks_env.games.invisible.layout import BLOCKED, CHECK, NOTHING, GameRow, Said
from ks_env.games.invisible.tries import is_nonsense


@kernel
def say_nothing(said: Said, kind: int) -> None:
    """An answer of that kind to a try that changed nothing; `seat` and `action` are left."""
    said.kind = u1(kind)
    said.start = i1(-1)
    said.end = i1(-1)
    said.man = u1(0)
    said.mover = u1(0)
    said.promoted = u1(0)
    said.castled = u1(0)
    said.rook = u1(0)
    said.captured = u1(0)
    said.taken = u1(0)
    said.square = i1(-1)
    said.landing = i1(-1)
    said.why = u1(0)
    said.hidden_checkers = u2(0)
    said.checkers = ZERO
    said.reason = u1(UNDER_WAY)
    said.winner = i1(-1)


@kernel
def numbers_on(board: np.uint64, ids: np.ndarray) -> int:
    """The hidden men on these squares, one bit a number; bit 0 is never set."""
    found = 0
    while board != ZERO:
        found |= 1 << i8(ids[lowest(board)])
        board = without_lowest(board)
    return found & ~1


@kernel
def obstacle(truth: Truth, passed: int, start: int, end: int) -> int:
    """Why a move that fits the mover's own board is not legal on the real one: BLOCKED, NOTHING or CHECK.

    BLOCKED: a hidden man stands in the way. NOTHING: a pawn finds nothing to capture. CHECK: only the king's
    safety forbids it. `passed` is the square that the pawn which has just moved passed over, or -1.
    """
    side = i8(truth.side)
    occupied = truth.seats[0] | truth.seats[1]
    kind = i8(truth.men[start]) & 7
    if kind == PAWN and (start ^ end) & 7 != 0:
        return CHECK if has(truth.seats[1 - side], end) or end == passed else NOTHING
    if kind == PAWN and has(occupied, end):
        return BLOCKED
    if kind == KING and (end - start == 2 or start - end == 2):
        return BLOCKED if BETWEEN[start, ROOK_FROM[end]] & occupied != ZERO else CHECK
    return BLOCKED if BETWEEN[start, end] & occupied != ZERO else CHECK


@kernel
def attackers_after(truth: Truth, passed: int, start: int, end: int) -> np.uint64:
    """The men that would attack the king of the side to move after a move that only check forbids.

    For castling also those that attack the square which the king passes over, and those that give check.
    """
    side = i8(truth.side)
    kind = i8(truth.men[start]) & 7
    occupied = ((truth.seats[0] | truth.seats[1]) & ~bit(start)) | bit(end)
    gone = bit(end)
    if kind == PAWN and end == passed and (start ^ end) & 7 != 0:
        gone |= bit(end ^ 8)
        occupied &= ~bit(end ^ 8)
    king = end if kind == KING else king_square(truth, side)
    found = attackers(truth, king, 1 - side, occupied)
    if kind == KING and (end - start == 2 or start - end == 2):
        found |= attackers(truth, (start + end) >> 1, 1 - side, occupied) | truth.checkers
    return found & ~gone


@kernel
def _finish(game: GameRow, reason: int, winner: int) -> None:
    finish(game, game.said, reason, winner)
    game.heard.reason = u1(reason)
    game.heard.winner = i1(winner)


@kernel
def _refuse(game: GameRow, rules: Rules, kind: int, why: int, attacked_by: np.uint64) -> None:
    """The seat is still to move. The opponent hears nothing of it, but for the end of the game."""
    said = game.said
    say_nothing(said, kind)
    say_nothing(game.heard, kind)  # else it would hold what was heard of the turn before
    game.heard.seat = said.seat
    game.heard.action = i2(-1)
    said.why = u1(why)
    said.hidden_checkers = u2(numbers_on(attacked_by, game.ids))
    said.checkers = visible_part(attacked_by, game.ids)
    truth = game.truth
    hear_own_refusal(game.views[i8(truth.side)], said)
    truth.answered += i4(1)
    if truth.answered >= rules.max_tries:
        _finish(game, TOO_MANY_TRIES, 1 - i8(truth.side))


@kernel
def _describe_checks(game: GameRow) -> None:
    game.said.checkers = game.truth.checkers
    game.said.hidden_checkers = u2(numbers_on(game.truth.checkers, game.ids))


@kernel
def _tell_opponent(game: GameRow, seat: int) -> None:
    censor(game.said, game.ids, game.heard)
    hear_opponent(game.views[1 - seat], game.heard)


@kernel
def _conclude(game: GameRow, history: np.ndarray, rules: Rules, seat: int, irreversible: bool) -> None:
    reason = end_of_game(game.truth, history, rules, irreversible)
    if reason != UNDER_WAY:
        _finish(game, reason, seat if reason == CHECKMATE else -1)


@kernel
def _move_ids(ids: np.ndarray, start: int, end: int, victim: int) -> None:
    if victim >= 0:
        ids[victim] = u1(0)
    ids[end] = ids[start]
    ids[start] = u1(0)


@kernel
def _accept(game: GameRow, history: np.ndarray, rules: Rules, start: int, end: int, under: int) -> None:
    truth, said, ids = game.truth, game.said, game.ids
    seat = i8(truth.side)
    say_nothing(said, MOVED)
    said.start = i1(start)
    said.end = i1(end)
    said.man = u1(truth.men[start] & 7)
    said.mover = ids[start]
    irreversible = play(truth, start, end, under)
    said.captured = truth.said.captured
    said.square = truth.said.square
    said.landing = truth.said.landing
    said.promoted = truth.said.promoted
    if said.captured != 0:
        said.taken = ids[i8(said.square)]
    _move_ids(ids, start, end, i8(said.square))
    if said.man == KING and (end - start == 2 or start - end == 2):
        said.castled = u1(KING_SIDE if end > start else QUEEN_SIDE)
        said.rook = ids[ROOK_FROM[end]]
        _move_ids(ids, ROOK_FROM[end], ROOK_TO[end], -1)
    stepped = said.man == PAWN and (end - start == 16 or start - end == 16)
    game.passed = i1((start + end) >> 1) if stepped else i1(-1)
    refresh(truth)
    _describe_checks(game)
    truth.answered = i4(0)
    hear_own_move(game.views[seat], said)
    _tell_opponent(game, seat)
    _conclude(game, history, rules, seat, irreversible)


@kernel
def pass_turn(truth: Truth) -> None:
    """The turn goes to the other side with nothing moved; it counts for fifty moves and ends en passant."""
    if truth.ep >= 0:
        truth.key ^= FILE_KEYS[truth.ep & 7]
    truth.ep = i1(-1)
    truth.clock += u2(1)
    truth.move_number += u2(truth.side)
    truth.plies += i4(1)
    truth.side = u1(1 - truth.side)
    truth.key ^= SIDE_KEY
    refresh(truth)


@kernel
def _lose_turn(game: GameRow, history: np.ndarray, rules: Rules) -> None:
    seat = i8(game.truth.side)
    say_nothing(game.said, LOST)
    pass_turn(game.truth)
    game.passed = i1(-1)
    game.truth.answered = i4(0)
    hear_own_loss(game.views[seat], game.said)
    _tell_opponent(game, seat)
    _conclude(game, history, rules, seat, False)


@kernel
def judge(game: GameRow, history: np.ndarray, rules: Rules, action: int) -> int:
    """Answer one try of the side to move, see `GameKernels.judge`; the kind of answer."""
    truth = game.truth
    seat = i8(truth.side)
    game.said.seat = truth.side
    game.said.action = i2(action if 0 <= action < TRIES else -1)
    if is_nonsense(game.views[seat], action):
        _refuse(game, rules, NONSENSE, 0, ZERO)
        return NONSENSE
    mirror = 56 * seat
    start, end = i8(TRY_FROM[action]) ^ mirror, i8(TRY_TO[action]) ^ mirror
    if is_legal(truth, start, end):
        _accept(game, history, rules, start, end, i8(TRY_KIND[action]))
        return MOVED
    why = obstacle(truth, i8(game.passed), start, end)
    if why != CHECK and truth.checkers == ZERO:
        _lose_turn(game, history, rules)
        return LOST
    by = attackers_after(truth, i8(game.passed), start, end) if why == CHECK else ZERO
    _refuse(game, rules, ILLEGAL, why, by)
    return ILLEGAL


@kernel
def open_game(game: GameRow) -> None:
    """Announce the start position: who gives check to the side to move."""
    truth = game.truth
    refresh(truth)
    say_nothing(game.said, 0)
    game.said.seat = truth.side
    game.said.action = i2(-1)
    _describe_checks(game)
    side = i8(truth.side)
    censor(game.said, game.ids, game.heard)
    begin_turn(game.views[side], game.heard)
    other = game.views[1 - side]
    other.gave = game.views[side].checks
    other.givers = own_board(other, truth.checkers)
