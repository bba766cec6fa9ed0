"""A finished or interrupted game of Kriegspiel as a value."""

from dataclasses import dataclass
from typing import ClassVar

from ks_env.core.answers import Kind
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game
from ks_env.games.record import AnyRecord


@dataclass(frozen=True)
class GameRecord(AnyRecord[Announcement, Game]):
    """One game of Kriegspiel as the referee saw it.

    Attributes:
        hidden_start: whether the start position was kept from the players.
    """

    KINDS: ClassVar = frozenset((Kind.ILLEGAL, Kind.NONSENSE, Kind.MOVED, Kind.ANY_YES, Kind.ANY_NO))
    EXTRA: ClassVar = ("hidden_start", "HiddenStart")

    event: str = "Kriegspiel"
    hidden_start: bool = False

    @property
    def start_was_hidden(self) -> bool:
        """See `AnyRecord.start_was_hidden`."""
        return self.hidden_start

    def new_game(self) -> Game:
        """The game at its start."""
        return Game(self.ruleset, self.start_fen, hidden_start=self.hidden_start)
