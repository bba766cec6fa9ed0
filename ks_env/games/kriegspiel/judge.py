"""The referee: judges one try, plays it if it is legal, and tells each seat what it may hear."""

import numpy as np

from ks_env.core.answers import (
    ANY_NO,
    ANY_YES,
    CHECKMATE,
    ILLEGAL,
    MOVED,
    NONSENSE,
    STALEMATE,
    TOO_MANY_TRIES,
    UNDER_WAY,
)
from ks_env.core.bits import popcount
from ks_env.core.endings import end_of_game, finish
from ks_env.core.hearing import own_board
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import (
    check_types,
    is_legal,
    play,
    refresh,
)
from ks_env.core.record import i1, i2, i4, i8, u1
from ks_env.core.ruleset import SQUARES
from ks_env.core.tables import ANY, TRIES, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.kriegspiel.hearing import (
    begin_turn,
    hear_any,
    hear_opponent_any,
    hear_opponent_move,
    hear_opponent_refusal,
    hear_own_move,
    hear_own_refusal,
    said_tries,
)
from ks_env.games.kriegspiel.layout import GameRow
from ks_env.games.kriegspiel.tries import is_nonsense


@kernel
def describe(truth: Truth) -> None:
    """Put what is true of the side to move into the answer."""
    said = truth.said
    said.checks = u1(check_types(truth))
    said.checkers = u1(popcount(truth.checkers))
    said.tries = truth.tries
    said.try_squares = truth.try_squares
    said.reason = u1(UNDER_WAY)
    said.winner = i1(-1)


@kernel
def _nothing_moved(truth: Truth, kind: int) -> None:
    said = truth.said
    said.kind = u1(kind)
    said.captured = u1(0)
    said.square = i1(-1)
    said.landing = i1(-1)
    said.en_passant = u1(0)
    said.promoted = u1(0)
    said.checks = u1(0)
    said.checkers = u1(0)
    said.tries = u1(0)
    said.try_squares = np.uint64(0)
    said.reason = u1(UNDER_WAY)
    said.winner = i1(-1)


@kernel
def _keep_the_turn(game: GameRow, rules: Rules, kind: int) -> None:
    """An answer that leaves the same seat to move: refused, nonsense, or about "any?"."""
    truth = game.truth
    seat = i8(truth.side)
    _nothing_moved(truth, kind)
    if kind == ANY_YES or kind == ANY_NO:
        hear_any(game.views[seat], truth.said)
        hear_opponent_any(game.views[1 - seat], truth.said)
    else:
        hear_own_refusal(game.views[seat], truth.said, rules)
        heard = rules.refusal_heard if kind == ILLEGAL else rules.nonsense_heard
        if heard:
            hear_opponent_refusal(game.views[1 - seat])
    truth.answered += i4(1)
    if truth.answered >= rules.max_tries:
        finish(game, truth.said, TOO_MANY_TRIES, 1 - seat)


@kernel
def _accept(game: GameRow, history: np.ndarray, rules: Rules, start: int, end: int, under: int) -> None:
    truth = game.truth
    seat = i8(truth.side)
    irreversible = play(truth, start, end, under)
    refresh(truth)
    describe(truth)
    truth.said.kind = u1(MOVED)
    truth.answered = i4(0)
    hear_own_move(game.views[seat], truth.said, rules)
    hear_opponent_move(game.views[1 - seat], truth.said, rules)
    reason = end_of_game(truth, history, rules, irreversible)
    if reason != UNDER_WAY:
        wins = reason == CHECKMATE or (reason == STALEMATE and rules.stalemate_loses)
        finish(game, truth.said, reason, seat if wins else -1)


@kernel
def judge(game: GameRow, history: np.ndarray, rules: Rules, action: int) -> int:
    """Answer one try of the side to move, see `GameKernels.judge`; the kind of answer."""
    truth = game.truth
    seat = i8(truth.side)
    view = game.views[seat]
    truth.said.seat = truth.side
    truth.said.action = i2(action if 0 <= action < TRIES else -1)
    if is_nonsense(view, rules, action):
        _keep_the_turn(game, rules, NONSENSE)
        return NONSENSE
    if action == ANY:
        answer = ANY_YES if truth.tries > 0 else ANY_NO
        _keep_the_turn(game, rules, answer)
        return answer
    mirror = 56 * seat
    start, end = i8(TRY_FROM[action]) ^ mirror, i8(TRY_TO[action]) ^ mirror
    if not is_legal(truth, start, end):
        _keep_the_turn(game, rules, ILLEGAL)
        return ILLEGAL
    _accept(game, history, rules, start, end, i8(TRY_KIND[action]))
    return MOVED


@kernel
def open_game(game: GameRow, rules: Rules) -> None:
    """Announce the start position: checks and pawn tries of the side to move."""
    truth = game.truth
    refresh(truth)
    _nothing_moved(truth, 0)
    describe(truth)
    truth.said.seat = truth.side
    truth.said.action = i2(-1)
    begin_turn(game.views[i8(truth.side)], truth.said, rules)
    other = game.views[1 - i8(truth.side)]
    other.gave = truth.said.checks
    other.givers = truth.said.checkers
    other.left = i1(said_tries(truth.said, rules))
    if rules.pawn_tries == SQUARES:
        other.left_squares = own_board(other, truth.said.try_squares)
