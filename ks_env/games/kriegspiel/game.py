"""One game of Kriegspiel, in chess moves and words."""

from typing import Self

import chess
import numpy as np
import numpy.typing as npt

from ks_env.core.ruleset import ICC, PawnTries, Ruleset
from ks_env.games.kriegspiel.announcement import Announcement, announce
from ks_env.games.kriegspiel.start import start_row
from ks_env.games.under_way import GameUnderWay, Row


class Game(GameUnderWay[Announcement]):
    """One game of Kriegspiel under a referee; see `GameUnderWay`.

    Args:
        ruleset: the rules.
        fen: start position.
        hidden_start: the seats know only their own men at the start.
    """

    def __init__(
        self, ruleset: Ruleset = ICC, fen: str = chess.STARTING_FEN, *, hidden_start: bool = False
    ) -> None:
        self.hidden_start = hidden_start
        self._begin(start_row(fen, ruleset, hidden=hidden_start), ruleset, fen)

    def _adopted(self, start: Row, hidden_start: bool) -> None:
        self.hidden_start = hidden_start

    @classmethod
    def for_match(
        cls, fen: str, ruleset: Ruleset, *, hidden_start: bool, men: tuple[str, str], draws: tuple[int, int]
    ) -> Self:
        """See `GameUnderWay.for_match`."""
        return cls(ruleset, fen, hidden_start=hidden_start)

    @staticmethod
    def hears(game: Row, ruleset: Ruleset, colour: bool) -> Announcement | None:
        """See `GameUnderWay.hears`."""
        return announce(game["truth"]["said"], ruleset, colour)

    @staticmethod
    def has_spoken(game: Row, ruleset: Ruleset) -> bool:
        """See `GameUnderWay.has_spoken`."""
        said = game["truth"]["said"]
        return bool(
            said["captured"]
            or said["checks"]
            or (said["tries"] and ruleset.pawn_tries is not PawnTries.NONE)
            or (said["promoted"] and ruleset.promotion_said)
        )

    def ages(self, colour: bool) -> npt.NDArray[np.uint8]:
        """The seat's age matrix by absolute square: u1[64], in opponent turns."""
        ages = np.array(self.view(colour)["age"], np.uint8)
        return ages if colour else ages[np.arange(64) ^ 56]

    def said(self) -> Row:
        """The latest ANSWER record, unabridged: the referee's own, not for players."""
        return self._truth["said"]
