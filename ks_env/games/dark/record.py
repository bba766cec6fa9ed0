"""A finished or interrupted game of dark chess as a value."""

from dataclasses import dataclass
from typing import ClassVar

from ks_env.core.answers import Kind
from ks_env.games.dark.announcement import Announcement
from ks_env.games.dark.game import DarkGame
from ks_env.games.record import AnyRecord


@dataclass(frozen=True)
class DarkRecord(AnyRecord[Announcement, DarkGame]):
    """One game of dark chess as the referee saw it."""

    KINDS: ClassVar = frozenset((Kind.ILLEGAL, Kind.NONSENSE, Kind.MOVED))

    event: str = "Dark chess"

    def new_game(self) -> DarkGame:
        """The game at its start."""
        return DarkGame(self.ruleset, self.start_fen)
