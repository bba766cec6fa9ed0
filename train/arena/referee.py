"""The referee of one game of the arena: the position, and what is counted of it."""

import numpy as np

from ks_env.core.announcement import Kind
from ks_env.core.layout import GAME, VIEW
from ks_env.core.referee import judge
from ks_env.core.ruleset import PawnTries, Ruleset
from ks_env.core.setup import start_row


class Referee:
    """The position of one game, and what has been counted of it."""

    def __init__(self, fen: str, rules: Ruleset, *, hidden: bool) -> None:
        self.rules = rules
        self._record = rules.record()[0]
        games = np.zeros(1, GAME)
        games[0] = start_row(fen, rules, hidden=hidden)
        self._game = games[0]
        self.truth = games["truth"][0]
        self._views = games["views"][0].view(np.uint8).reshape(2, VIEW.itemsize)
        self._history = np.zeros(rules.history, np.uint64)
        self._history[0] = self.truth["key"]
        self.truth["past"] = 1
        self.moves = [0, 0]
        self.tries = [0, 0]
        self.spoken = 0
        self.actions: list[int] = []

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.truth["reason"])

    @property
    def mover(self) -> int:
        """The seat to move."""
        return int(self.truth["side"])

    def view(self, seat: int) -> np.void:
        """A copy of what a seat knows."""
        view: np.void = np.frombuffer(bytearray(self._views[seat]), VIEW)[0]
        return view

    def ask(self, action: int) -> bool:
        """Judge a try; whether the move was played."""
        mover = self.mover
        moved = judge(self._game, self._history, self._record, action) == Kind.MOVED
        self.tries[mover] += 1
        self.actions.append(action)
        if moved:
            self.moves[mover] += 1
            self.spoken += self._has_spoken()
        return moved

    def _has_spoken(self) -> bool:
        said = self.truth["said"]
        return bool(
            said["captured"]
            or said["checks"]
            or (said["tries"] and self.rules.pawn_tries is not PawnTries.NONE)
            or (said["promoted"] and self.rules.promotion_said)
        )
