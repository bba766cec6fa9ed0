"""A finished or interrupted game of invisible chess as a value."""

from dataclasses import dataclass
from typing import ClassVar

from ks_env.core.answers import Kind
from ks_env.games.invisible.announcement import Announcement
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.invisible.hidden import parse_both
from ks_env.games.record import AnyRecord
from ks_env.games.words import RecordError


@dataclass(frozen=True)
class InvisibleRecord(AnyRecord[Announcement, InvisibleGame]):
    """One game of invisible chess as the referee saw it.

    Attributes:
        hidden: the hidden men of both by their squares at the start, such as `"c1 f1 v a8"`.
    """

    KINDS: ClassVar = frozenset((Kind.ILLEGAL, Kind.NONSENSE, Kind.MOVED, Kind.LOST))
    EXTRA: ClassVar = ("hidden", "HiddenMen")

    event: str = "Invisible chess"
    hidden: str = "none v none"

    def __post_init__(self) -> None:
        """Refuse hidden men that are not named by their squares, and what every record refuses.

        Raises:
            RecordError: naming the field, or the number of the try, and what was expected.
        """
        try:
            men = parse_both(self.hidden)
        except ValueError as error:
            raise RecordError(f"hidden: {error}") from error
        if any(side.kinds for side in men):
            raise RecordError(f"hidden is {self.hidden!r}; expected the men's squares, such as 'c1 f1 v a8'")
        super().__post_init__()

    def new_game(self) -> InvisibleGame:
        """The game at its start."""
        return InvisibleGame(self.hidden, self.ruleset, self.start_fen)
