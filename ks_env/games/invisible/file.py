"""What is said in invisible chess, in the shape of the JSON file."""

from typing import Annotated, Any, Literal

from pydantic import Field, StrictInt, StrictStr

from ks_env.games import file
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
    squares_of,
    write_said,
)
from ks_env.games.invisible.announcement import Announcement
from ks_env.games.invisible.layout import Why

Number = Annotated[StrictInt, Field(ge=0, le=15)]
SQUARES = ("start", "end", "square", "landing")
MEN = ("man", "promoted", "captured")
NUMBERS = ("mover", "rook", "taken")


class Said(Model):
    """What one listener heard; what is left out was not said. A man with the number 0 is visible."""

    kind: Literal["start", "illegal", "nonsense", "moved", "lost"]
    start: Square | None = Field(None, description="of the move; to the opponent of a hidden man not said")
    end: Square | None = None
    man: Man | None = Field(None, description="that moved, before a promotion")
    mover: Number = 0
    promoted: Man | None = None
    castled: Literal["king side", "queen side"] | None = None
    rook: Number = 0
    captured: Man | None = None
    taken: Number = 0
    square: Square | None = Field(None, description="where the captured man stood")
    landing: Square | None = Field(None, description="where the man stands that captured it")
    why: Literal["blocked", "nothing", "check"] | None = Field(None, description="of an illegal try")
    checkers: list[Square] = Field([], description="men that give check, or would to an illegal try")
    hidden_checkers: list[Number] = Field([], description="numbers of the hidden men among them")
    winner: Colour | None = None
    reason: End | None = Field(None, description="why the game is over")


class HeardBy(file.HeardBy[Said]):
    """What either player heard; null for nothing."""


class AnsweredTry(file.AnsweredTry[HeardBy]):
    """A try and its answer."""


class Start(Model):
    """The position at the start, the squares of its hidden men, and what the players heard of it."""

    fen: StrictStr
    hidden: StrictStr = Field(description='such as "c1 f1 v a8"')
    heard: HeardBy


class InvisibleFile(AnyFile):
    """A game of invisible chess as the referee saw it."""

    game: Literal["invisible chess"]
    start: Start
    tries: list[AnsweredTry]
    result: Result


def to_said(heard: Announcement) -> Said:
    """An announcement in the shape of the file."""
    return write_said(
        Said,
        heard,
        **{name: square_name(getattr(heard, name)) for name in SQUARES},
        **{name: man_name(getattr(heard, name)) for name in MEN},
        **{name: getattr(heard, name) for name in NUMBERS},
        castled=heard.castled,
        why=heard.why.name.lower() if heard.why else None,
        checkers=[square_name(square) for square in heard.checkers],
        hidden_checkers=heard.hidden_checkers,
    )


def from_said(said: Said, by: bool, action: int | None) -> Announcement:
    """The announcement again."""
    values: dict[str, Any] = {name: square_of(getattr(said, name)) for name in SQUARES}
    values |= {name: man_of(getattr(said, name)) for name in MEN}
    values |= {name: getattr(said, name) for name in NUMBERS}
    return Announcement(
        by=by,
        action=action,
        **values,
        castled=said.castled,
        why=Why[said.why.upper()] if said.why else Why.NONE,
        checkers=squares_of(said.checkers),
        hidden_checkers=tuple(said.hidden_checkers),
        **kind_and_end(said),
    )
