"""What is said in dark chess, in the shape of the JSON file."""

from typing import Literal

from pydantic import Field, StrictStr

from ks_env.games import file
from ks_env.games.dark.announcement import Announcement
from ks_env.games.file import (
    AnyFile,
    Colour,
    End,
    Man,
    Model,
    Result,
    Square,
    kind_and_end,
    man_name,
    man_of,
    square_name,
    square_of,
    write_said,
)


class Said(Model):
    """What one listener heard; what is left out was not said."""

    kind: Literal["start", "illegal", "nonsense", "moved"]
    captured: Man | None = None
    square: Square | None = Field(None, description="where the captured man stood")
    winner: Colour | None = None
    reason: End | None = Field(None, description="why the game is over")


class HeardBy(file.HeardBy[Said]):
    """What either player heard; null for nothing."""


class AnsweredTry(file.AnsweredTry[HeardBy]):
    """A try and its answer."""


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


def to_said(heard: Announcement) -> Said:
    """An announcement in the shape of the file."""
    return write_said(Said, heard, captured=man_name(heard.captured), square=square_name(heard.square))


def from_said(said: Said, by: bool, action: int | None) -> Announcement:
    """The announcement again."""
    return Announcement(
        by=by,
        action=action,
        captured=man_of(said.captured),
        square=square_of(said.square),
        **kind_and_end(said),
    )
