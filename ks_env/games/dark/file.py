"""What is said in dark chess, in the shape of the JSON file."""

from typing import Literal

import chess
from pydantic import Field, StrictStr

from ks_env.core.answers import Kind, Reason
from ks_env.games.dark.announcement import Announcement
from ks_env.games.file import (
    AnyFile,
    Colour,
    End,
    Model,
    Result,
    Square,
    colour_name,
    square_name,
    square_of,
)

Man = Literal["pawn", "knight", "bishop", "rook", "queen", "king"]


class Said(Model):
    """What one listener heard; what is left out was not said."""

    kind: Literal["start", "illegal", "nonsense", "moved"]
    captured: Man | None = None
    square: Square | None = Field(None, description="where the captured man stood")
    winner: Colour | None = None
    reason: End | None = Field(None, description="why the game is over")


class HeardBy(Model):
    """What either player heard; null for nothing."""

    white: Said | None
    black: Said | None


class AnsweredTry(Model):
    """A try and its answer."""

    seat: Colour
    move: StrictStr = Field(description="UCI text")
    heard: HeardBy


class Start(Model):
    """The position at the start, and what the players heard of it."""

    fen: StrictStr
    heard: HeardBy


class DarkFile(AnyFile):
    """A game of dark chess as the referee saw it."""

    game: Literal["dark chess"]
    start: Start
    tries: list[AnsweredTry]
    result: Result


def to_said(heard: Announcement | None) -> Said | None:
    """An announcement in the shape of the file."""
    if heard is None:
        return None
    return Said.model_validate(
        {
            "kind": heard.kind.name.lower(),
            "captured": None if heard.captured is None else chess.piece_name(heard.captured),
            "square": square_name(heard.square),
            "winner": None if heard.winner is None else colour_name(heard.winner),
            "reason": heard.reason.name.lower() if heard.reason else None,
        }
    )


def from_said(said: Said | None, by: bool, action: int | None) -> Announcement | None:
    """The announcement again."""
    if said is None:
        return None
    return Announcement(
        kind=Kind[said.kind.upper()],
        by=by,
        action=action,
        captured=None if said.captured is None else chess.PIECE_NAMES.index(said.captured),
        square=square_of(said.square),
        winner=None if said.winner is None else said.winner == "white",
        reason=Reason[said.reason.upper()] if said.reason else Reason.NONE,
    )
