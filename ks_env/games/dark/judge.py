"""The referee of dark chess: judges one try, plays it, and lets each seat see and hear what it may.

There is no check. A move that is in the own-board mask can fail in one way alone: something that its player
does not see stands before a pawn.
"""

import numpy as np

from ks_env.core.answers import (
    ILLEGAL,
    KING_CAPTURED,
    MOVED,
    NONSENSE,
    STALEMATE,
    TOO_MANY_TRIES,
    UNDER_WAY,
)
from ks_env.core.bits import ZERO, bit
from ks_env.core.endings import draw_or_limit, finish, remember
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import play
from ks_env.core.record import i1, i2, i4, i8, u1
from ks_env.core.tables import BETWEEN, FILE_KEYS, KING, PAWN, PAWN_ATTACKS, TRIES, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.dark.hearing import hear_opponent_move, hear_own_move, hear_own_refusal
from ks_env.games.dark.layout import GameRow
from ks_env.games.dark.sight import look
from ks_env.games.dark.tries import is_nonsense


@kernel
def _refuse(game: GameRow, rules: Rules, kind: int) -> None:
    """The seat is still to move. The opponent hears nothing of it, but for the end of the game."""
    truth = game.truth
    said = truth.said
    said.kind = u1(kind)
    said.captured = u1(0)
    said.square = i1(-1)
    said.landing = i1(-1)
    said.en_passant = u1(0)
    said.promoted = u1(0)
    hear_own_refusal(game.views[i8(truth.side)], said)
    truth.answered += i4(1)
    if truth.answered >= rules.max_tries:
        finish(game, said, TOO_MANY_TRIES, 1 - i8(truth.side))


@kernel
def keep_passing(truth: Truth) -> None:
    """After a double step: whether a pawn stands ready to capture it. Only then it counts for repetition."""
    if truth.ep < 0:
        return
    side = i8(truth.side)
    if PAWN_ATTACKS[1 - side, truth.ep] & truth.kinds[PAWN] & truth.seats[side] != ZERO:
        truth.key ^= FILE_KEYS[truth.ep & 7]
    else:
        truth.ep = i1(-1)


@kernel
def _end_of_game(game: GameRow, history: np.ndarray, rules: Rules, irreversible: bool) -> int:
    """The reason why the game is over after an accepted move, or UNDER_WAY."""
    truth = game.truth
    times = remember(truth, history, irreversible) if rules.threefold else 1
    if truth.said.captured == KING:
        return KING_CAPTURED
    view = game.views[i8(truth.side)]
    if view.seen & ~view.own == ZERO:  # whatever a man can move to is seen
        return STALEMATE
    return draw_or_limit(truth, times, rules)


@kernel
def _accept(game: GameRow, history: np.ndarray, rules: Rules, start: int, end: int, under: int) -> None:
    truth = game.truth
    said = truth.said
    seat = i8(truth.side)
    irreversible = play(truth, start, end, under)
    keep_passing(truth)
    said.kind = u1(MOVED)
    said.reason = u1(UNDER_WAY)
    said.winner = i1(-1)
    truth.answered = i4(0)
    hear_own_move(game.views[seat], said)
    hear_opponent_move(game.views[1 - seat], said)
    look(truth, game.views[seat], 0)
    look(truth, game.views[1 - seat], 1)
    reason = _end_of_game(game, history, rules, irreversible)
    if reason != UNDER_WAY:
        finish(game, said, reason, seat if reason == KING_CAPTURED else -1)


@kernel
def is_blocked(truth: Truth, start: int, end: int) -> bool:
    """Whether a man stands before a pawn that is to go straight ahead."""
    occupied = truth.seats[0] | truth.seats[1]
    straight = i8(truth.men[start]) & 7 == PAWN and (start ^ end) & 7 == 0
    return straight and (BETWEEN[start, end] | bit(end)) & occupied != ZERO


@kernel
def judge(game: GameRow, history: np.ndarray, rules: Rules, action: int) -> int:
    """Answer one try of the side to move, see `GameKernels.judge`; the kind of answer."""
    truth = game.truth
    seat = i8(truth.side)
    truth.said.seat = truth.side
    truth.said.action = i2(action if 0 <= action < TRIES else -1)
    if is_nonsense(game.views[seat], action):
        _refuse(game, rules, NONSENSE)
        return NONSENSE
    mirror = 56 * seat
    start, end = i8(TRY_FROM[action]) ^ mirror, i8(TRY_TO[action]) ^ mirror
    if is_blocked(truth, start, end):
        _refuse(game, rules, ILLEGAL)
        return ILLEGAL
    _accept(game, history, rules, start, end, i8(TRY_KIND[action]))
    return MOVED


@kernel
def open_game(game: GameRow) -> None:
    """Announce the start position, which is public, and let both seats look."""
    truth = game.truth
    keep_passing(truth)
    said = truth.said
    said.kind = u1(0)
    said.seat = truth.side
    said.action = i2(-1)
    said.square = i1(-1)
    said.landing = i1(-1)
    said.winner = i1(-1)
    game.views[i8(truth.side)].turn = u1(1)
    look(truth, game.views[0], 0)
    look(truth, game.views[1], 0)
