"""A finished or interrupted game of invisible chess as a value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import chess

from ks_env.core.answers import Kind
from ks_env.games.invisible.announcement import Announcement
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.invisible.hidden import parse_both
from ks_env.record.any_record import AnyRecord, AnyTry, RecordError, who_tried
from ks_env.record.game_record import GameRecord

InvisibleTry = AnyTry[Announcement]


@dataclass(frozen=True)
class InvisibleRecord(AnyRecord[Announcement, InvisibleGame]):
    """One game of invisible chess as the referee saw it.

    Attributes:
        hidden: the hidden men of both by their squares at the start, such as `"c1 f1 v a8"`.
    """

    KINDS: ClassVar = frozenset((Kind.ILLEGAL, Kind.NONSENSE, Kind.MOVED, Kind.LOST))
    NAME: ClassVar = "Invisible chess"

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

    @classmethod
    def from_game(
        cls,
        game: InvisibleGame,
        white: str = "White",
        black: str = "Black",
        *,
        event: str = "Invisible chess",
        date: str = "????.??.??",
        seeds: Mapping[str, int] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> "InvisibleRecord":
        """The record of a game so far.

        Raises:
            RecordError: the game was adopted and not told where its hidden men stood at the start.
        """
        if game.hidden is None:
            raise RecordError("the game does not know its hidden men at the start; expected their squares")
        return cls(
            ruleset=game.ruleset,
            start_fen=game.start_fen,
            start=(game.heard(chess.WHITE)[0], game.heard(chess.BLACK)[0]),
            tries=tuple(InvisibleTry(*who_tried(heard), heard) for heard in game.log()),
            white=white,
            black=black,
            event=event,
            date=date,
            seeds=dict(seeds or {}),
            metadata=dict(metadata or {}),
            hidden=game.hidden,
        )

    def new_game(self) -> InvisibleGame:
        """The game at its start."""
        return InvisibleGame(self.hidden, self.ruleset, self.start_fen)


Record = GameRecord | InvisibleRecord  # of either game
