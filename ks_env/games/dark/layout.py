"""The data of a game of dark chess: one row of a structured array, `truth` plus `views[2]`.

`views[seat]` holds what that seat sees, has seen and was told, in its own frame (`square ^ 56` for Black).
The referee alone looks at the truth to fill it (`sight`), after each accepted move; kernels that serve a
player are handed a view and cannot see the rest.
"""

import numpy as np

from ks_env.core.layout import TRUTH, AnyRow, SeatView, Truth
from ks_env.core.record import Array, dtype_of, field


class View(SeatView):
    """What a seat sees, has seen and was told, in its own frame."""

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


VIEW = dtype_of(View)


class GameRow(AnyRow):
    """One game."""

    truth: Truth = field(TRUTH)
    views: tuple[View, ...] = field(VIEW, (2,))


GAME = dtype_of(GameRow)
