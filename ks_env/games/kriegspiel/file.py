"""What is said in Kriegspiel, in the shape of the JSON file."""

from typing import Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr

from ks_env.games import file
from ks_env.games.file import (
    AnyFile,
    Colour,
    End,
    Model,
    Result,
    Square,
    kind_and_end,
    square_name,
    square_of,
    squares_of,
    write_said,
)
from ks_env.games.kriegspiel.announcement import Announcement

Check = Literal["rank", "file", "long diagonal", "short diagonal", "knight"]


class Said(Model):
    """What one listener heard; what is left out was not said."""

    kind: Literal["start", "illegal", "nonsense", "moved", "any_yes", "any_no"]
    captured: Literal["pawn", "piece", "man"] | None = None
    square: Square | None = Field(None, description="announced for the capture")
    en_passant: StrictBool = False
    checks: list[Check] = Field([], description="against the side now to move; two for a double check")
    tries: StrictInt | None = Field(None, ge=0, description="pawn tries of the side now to move")
    counted: StrictBool = Field(True, description="tries is a number, not 0 and 1 for no and yes")
    try_squares: list[Square] = Field([], description="of the pawns that have a try, where squares are said")
    promotion: StrictBool = False
    winner: Colour | None = None
    reason: End | None = Field(None, description="why the game is over")


class HeardBy(file.HeardBy[Said]):
    """What either player heard; null for nothing."""


class AnsweredTry(file.AnsweredTry[HeardBy]):
    """A try and its answer."""

    move: StrictStr = Field(description='UCI text, or "any?"')


class Start(Model):
    """The position at the start, whether it was kept from the players, and what they heard of it."""

    fen: StrictStr
    hidden: StrictBool
    heard: HeardBy


class GameFile(AnyFile):
    """A game of Kriegspiel as the referee saw it."""

    start: Start
    tries: list[AnsweredTry]
    result: Result


def to_said(heard: Announcement) -> Said:
    """An announcement in the shape of the file."""
    return write_said(
        Said,
        heard,
        captured=heard.captured,
        square=square_name(heard.square),
        en_passant=heard.en_passant,
        checks=heard.checks,
        tries=heard.tries,
        counted=heard.counted,
        try_squares=[square_name(square) for square in heard.try_squares],
        promotion=heard.promotion,
    )


def from_said(said: Said, by: bool, action: int | None) -> Announcement:
    """The announcement again."""
    return Announcement(
        by=by,
        action=action,
        captured=said.captured,
        square=square_of(said.square),
        en_passant=said.en_passant,
        checks=tuple(said.checks),
        tries=said.tries,
        counted=said.counted,
        try_squares=squares_of(said.try_squares),
        promotion=said.promotion,
        **kind_and_end(said),
    )
