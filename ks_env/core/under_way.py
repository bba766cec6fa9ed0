"""What the games for people have in common: how far a row of either game is, and how it ended."""

from typing import Any, Literal

import chess
import numpy as np

from ks_env.core.answers import Reason
from ks_env.core.tries import INFORMED, OWN_BOARD

Row = Any  # a record: np.void
Array = np.ndarray[Any, Any]

MaskLevel = Literal["informed", "own-board"]


LEVELS: dict[str, int] = {"informed": INFORMED, "own-board": OWN_BOARD}


def mask_level(name: str) -> int:
    """The number of a mask level for the kernels.

    Raises:
        ValueError: no such level.
    """
    if name not in LEVELS:
        raise ValueError(f"unknown mask {name!r}; expected one of {', '.join(LEVELS)}")
    return LEVELS[name]


class GameUnderWay:
    """One game over a row of its own, GAME[1]."""

    _games: Array

    @property
    def _truth(self) -> Row:
        return self._games[0]["truth"]

    @property
    def to_play(self) -> bool | None:
        """Colour to move; None once the game is over."""
        return None if self._truth["reason"] else bool(self._truth["side"] == 0)

    @property
    def winner(self) -> bool | None:
        """Colour that won; None for a draw and while the game goes on."""
        winner = int(self._truth["winner"])
        return None if winner < 0 else winner == 0

    @property
    def reason(self) -> Reason:
        """Why the game is over; `Reason.NONE` while it goes on."""
        return Reason(int(self._truth["reason"]))

    @property
    def result(self) -> str:
        """PGN result: "1-0", "0-1", "1/2-1/2", or "*" while it goes on and when truncated."""
        if self.reason in (Reason.NONE, Reason.PLIES):
            return "*"
        return {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}[self.winner]

    @property
    def plies(self) -> int:
        """Half-moves played, and in invisible chess turns lost."""
        return int(self._truth["plies"])

    def row(self) -> Row:
        """The GAME record itself, as np.void; not a copy."""
        return self._games[0]

    def view(self, colour: bool) -> Row:
        """The VIEW record of a seat, as np.void: a copy, from which nothing else can be reached."""
        return self._games["views"][0, 0 if colour else 1].copy()
