"""The data of a game of dark chess: one row of a structured array, `truth` plus `views[2]`.

`views[seat]` holds what that seat sees, has seen and was told, in its own frame (`square ^ 56` for Black).
The referee alone looks at the truth to fill it (`sight`), after each accepted move; kernels that serve a
player are handed a view and cannot see the rest.
"""

import numpy as np

from ks_env.core.layout import TRUTH, AnyRow, SeatView, Truth
from ks_env.core.record import Array, dtype_of, field
from ks_env.core.tables import TRY_WORDS


class View(SeatView):
    """What a seat sees, has seen and was told, in its own frame."""

    # one's own men
    men: Array = field("u1", (64,))  # kinds
    kinds: Array = field("u8", (7,))  # boards by kind
    own: np.uint64 = field("u8")  # all of them
    rights: int = field("u1")  # castling: king side 1, queen side 2
    # what is in sight
    seen: np.uint64 = field("u8")  # squares, one's own men's among them
    their_kinds: Array = field("u8", (7,))  # the opponent's men on them by kind
    theirs: np.uint64 = field("u8")  # all of these
    passed: int = field("i1")  # where an own pawn can capture en passant now; -1
    # what was in sight
    age: Array = field("u1", (64,))  # opponent turns since this seat last saw the square, saturating
    recalled: Array = field("u8", (7,))  # the opponent's men by kind as each square was last seen
    # the last turn of either side
    lost: int = field("i1")  # square of one's own man that the opponent's last turn captured; -1
    lost_kind: int = field("u1")
    took: int = field("i1")  # square of the man that one's own last move captured; -1
    took_kind: int = field("u1")
    last: int = field("i2")  # the own last accepted try; -1
    answer: int = field("u1")  # answers.Kind of the answer to the own last try, 0 none yet
    refused: Array = field("u8", (TRY_WORDS,))  # tries refused this turn: one bit a try
    refused_from: Array = field("u1", (64,))  # the same counted by square
    refused_to: Array = field("u1", (64,))
    refusals: int = field("u2")
    # counters
    moves: int = field("u2")  # full-move number
    fifty: int = field("u2")  # upper bound on the half-move clock that this seat can compute
    pawns_taken: int = field("u1")
    pieces_taken: int = field("u1")
    men_taken: int = field("u1")
    pawns_lost: int = field("u1")
    pieces_lost: int = field("u1")
    seat: int = field("u1")
    turn: int = field("u1")  # 1 when this seat is to move
    start: int = field("i4")  # which of the start positions was drawn
    over: int = field("u1")  # 1 when the end was announced
    result: int = field("i1")  # +1, 0, -1 for this seat once over


VIEW = dtype_of(View)


class GameRow(AnyRow):
    """One game."""

    truth: Truth = field(TRUTH)
    views: tuple[View, ...] = field(VIEW, (2,))


GAME = dtype_of(GameRow)
