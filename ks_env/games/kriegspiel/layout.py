"""The data of a game: one row of a structured array, `truth` plus `views[2]`.

A row holds all that changes during a game but the list of earlier positions, which stands beside the
rows as `history: u8[N, H]`, so that one compiled kernel serves every length that the settings ask for.
`views[seat]` holds what that seat has been told and can derive, in its own frame (`square ^ 56` for
Black); only announcements change it. Kernels of masks, observations and players are handed a view and
cannot see the truth.
"""

import numpy as np

from ks_env.core.layout import TRUTH, AnyRow, SeatView, Truth
from ks_env.core.record import Array, dtype_of, field


class View(SeatView):
    """What a seat has been told and can derive, in its own frame."""

    age: Array = field("u1", (64,))  # opponent turns since this seat last had information on the square
    try_squares: np.uint64 = field("u8")  # own pawns announced to have a capture (where squares are said)
    left_squares: np.uint64 = field("u8")  # the same for the opponent's pawns, after one's own move
    heard: int = field("u2")  # refusals heard in the opponent's current or last turn
    checks: int = field("u1")  # check types against this seat
    checkers: int = field("u1")
    gave: int = field("u1")  # check types that the own last move gave
    givers: int = field("u1")
    tries: int = field("i1")  # own pawn tries as announced; -1 not said
    left: int = field("i1")  # the opponent's, after one's own move; -1 not said
    asked: int = field("u1")  # "any?": 0 not asked, 1 yes and obliged, 2 no, 3 yes and free again
    lost: int = field("i1")  # square announced for a capture in the opponent's last turn; -1
    lost_kind: int = field("u1")  # 1 pawn, 2 piece, 3 man (kind not said), 0 none
    took: int = field("i1")  # the same for one's own last move
    took_kind: int = field("u1")
    passed: int = field("i1")  # square of the pawn that the own last move took en passant; -1
    enemy: int = field("i1")  # square that certainly holds the man that just captured; -1
    stepped: int = field("i1")  # own pawn that made a double step in the own last move; -1
    promotion: int = field("u1")  # a promotion was announced in the opponent's last turn
    their_any: int = field("u1")  # the opponent's "any?" in its current or last turn: 0 none, 1 yes, 2 no


VIEW = dtype_of(View)


class GameRow(AnyRow):
    """One game."""

    truth: Truth = field(TRUTH)
    views: tuple[View, ...] = field(VIEW, (2,))


GAME = dtype_of(GameRow)
