"""A finished or interrupted game of Kriegspiel as a value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import chess

from ks_env.core.answers import Kind
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game
from ks_env.record.any_record import (
    SCHEMA_VERSION,
    AnyRecord,
    AnyTry,
    RecordError,
    seat_index,
    who_tried,
)

Heard = tuple[Announcement | None, Announcement | None]  # what White heard, what Black heard
Try = AnyTry[Announcement]


@dataclass(frozen=True)
class GameRecord(AnyRecord[Announcement, Game]):
    """One game of Kriegspiel as the referee saw it.

    Attributes:
        hidden_start: whether the start position was kept from the players.
    """

    KINDS: ClassVar = frozenset((Kind.ILLEGAL, Kind.NONSENSE, Kind.MOVED, Kind.ANY_YES, Kind.ANY_NO))
    NAME: ClassVar = "Kriegspiel"

    event: str = "Kriegspiel"
    hidden_start: bool = False

    @classmethod
    def from_game(
        cls,
        game: Game,
        white: str = "White",
        black: str = "Black",
        *,
        event: str = "Kriegspiel",
        date: str = "????.??.??",
        seeds: Mapping[str, int] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> "GameRecord":
        """The record of a game so far."""
        return cls(
            ruleset=game.ruleset,
            start_fen=game.start_fen,
            start=(game.heard(chess.WHITE)[0], game.heard(chess.BLACK)[0]),
            tries=tuple(Try(*who_tried(heard), heard) for heard in game.log()),
            white=white,
            black=black,
            event=event,
            date=date,
            seeds=dict(seeds or {}),
            metadata=dict(metadata or {}),
            hidden_start=game.hidden_start,
        )

    def new_game(self) -> Game:
        """The game at its start."""
        return Game(self.ruleset, self.start_fen, hidden_start=self.hidden_start)


__all__ = ["SCHEMA_VERSION", "GameRecord", "Heard", "RecordError", "Try", "seat_index"]
