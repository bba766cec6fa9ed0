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
from ks_env.core.tables import TRY_WORDS


class View(SeatView):
    """What a seat has been told and can derive, in its own frame."""

    men: Array = field("u1", (64,))  # kinds of one's own men
    age: Array = field("u1", (64,))  # opponent turns since this seat last had information on the square
    refused_from: Array = field("u1", (64,))  # tries refused this turn, counted by square
    refused_to: Array = field("u1", (64,))
    refused: Array = field("u8", (TRY_WORDS,))  # the same as one bit a try
    kinds: Array = field("u8", (7,))  # boards of one's own men by kind
    own: np.uint64 = field("u8")  # all of one's own men
    try_squares: np.uint64 = field("u8")  # own pawns announced to have a capture (where squares are said)
    left_squares: np.uint64 = field("u8")  # likewise the opponent's, after one's own move
    refusals: int = field("u2")  # own tries refused this turn
    moves: int = field("u2")  # full-move number
    fifty: int = field("u2")  # upper bound on the half-move clock that this seat can compute
    heard: int = field("u2")  # refusals heard in the opponent's current or last turn
    seat: int = field("u1")
    turn: int = field("u1")  # 1 when this seat is to move
    rights: int = field("u1")  # own castling: king side 1, queen side 2
    checks: int = field("u1")  # check types against this seat
    checkers: int = field("u1")
    gave: int = field("u1")  # check types that the own last move gave
    givers: int = field("u1")
    tries: int = field("i1")  # own pawn tries as announced; -1 not said
    left: int = field("i1")  # the opponent's, after one's own move; -1 not said
    asked: int = field("u1")  # "any?": 0 not asked, 1 yes and obliged, 2 no, 3 yes and free again
    answer: int = field("u1")  # answers.Kind of the answer to the own last try, 0 none yet
    lost: int = field("i1")  # square announced for a capture in the opponent's last turn; -1
    lost_kind: int = field("u1")  # 1 pawn, 2 piece, 3 man (kind not said), 0 none
    took: int = field("i1")  # the same for one's own last move
    took_kind: int = field("u1")
    passed: int = field("i1")  # square of the pawn that the own last move took en passant; -1
    last: int = field("i2")  # the own last accepted try; -1
    enemy: int = field("i1")  # square that certainly holds the man that just captured; -1
    stepped: int = field("i1")  # own pawn that made a double step in the own last move; -1
    promotion: int = field("u1")  # a promotion was announced in the opponent's last turn
    pawns_taken: int = field("u1")  # opponent's men captured, as announced
    pieces_taken: int = field("u1")
    men_taken: int = field("u1")  # all of them, whether or not the kind was said
    pawns_lost: int = field("u1")
    pieces_lost: int = field("u1")
    start: int = field("i4")  # which of the start positions was drawn; -1 where that is hidden
    their_any: int = field("u1")  # the opponent's "any?" in its current or last turn: 0 none, 1 yes, 2 no
    over: int = field("u1")  # 1 when the end was announced
    result: int = field("i1")  # +1, 0, -1 for this seat once over


VIEW = dtype_of(View)


class GameRow(AnyRow):
    """One game."""

    truth: Truth = field(TRUTH)
    views: tuple[View, ...] = field(VIEW, (2,))


GAME = dtype_of(GameRow)
