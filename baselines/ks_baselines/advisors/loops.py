"""Against going round in circles: a search of fixed depth has no memory, and a repeated position is a draw.

I01 footnote 3: drawn games "are largely the result of repeating moves continuously, and consist of less than
10% of games played".
"""

from collections import Counter
from typing import Any

import numpy as np

from ks_env.core.answers import MOVED
from ks_env.core.tables import KING, PAWN, QUEEN, ROOK, TRY_FROM, TRY_KIND, TRY_TO

View = Any  # a record: np.void
Array = np.ndarray[Any, Any]

Key = tuple[bytes, bytes]


def men_after(view: View, action: int) -> bytes:
    """Own men by square after an accepted try."""
    men = view["men"].copy()
    start, end = int(TRY_FROM[action]), int(TRY_TO[action])
    kind = int(men[start])
    men[start] = 0
    men[end] = kind if kind != PAWN or end < 56 else int(TRY_KIND[action]) or QUEEN
    if kind == KING and abs(end - start) == 2:
        corner = 7 if end > start else 0
        men[corner], men[(start + end) // 2] = 0, ROOK
    after: bytes = men.tobytes()
    return after


class Loops:
    """How often own moves led to the same sight: one's own men and the visible ones."""

    def __init__(self) -> None:
        self._seen: Counter[Key] = Counter()
        self._last: tuple[int, Key] | None = None

    def begin(self) -> None:
        """A new game."""
        self._seen.clear()
        self._last = None

    def count(self, view: View, tries: Array) -> Array:
        """How often the sight after each try was there before: f8[K], with the last try if it was played."""
        if self._last is not None and view["answer"] == MOVED and view["last"] == self._last[0]:
            self._seen[self._last[1]] += 1
        self._last = None
        if not self._seen:
            return np.zeros(len(tries))
        seen = view["seen"].tobytes()
        return np.array([self._seen[men_after(view, int(a)), seen] for a in tries], np.float64)

    def chose(self, view: View, action: int) -> None:
        """The try that is made now."""
        self._last = action, (men_after(view, action), view["seen"].tobytes())
