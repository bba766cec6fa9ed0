"""What the JSON files of all games have in common."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import chess
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

Colour = Literal["white", "black"]
Square = Annotated[StrictStr, Field(pattern="^[a-h][1-8]$")]
End = Literal[
    "checkmate", "stalemate", "material", "repetition", "fifty_moves", "tries", "plies", "king_captured"
]
Options = dict[StrictStr, StrictBool | StrictInt | StrictStr]


class Model(BaseModel):
    """A part of a file: nothing but what is named."""

    model_config = ConfigDict(extra="forbid")


class Rules(Model):
    """The ruleset: its name and the options that differ from the ruleset of that name."""

    name: StrictStr
    options: Options = {}


class Players(Model):
    """Names of the players."""

    white: StrictStr
    black: StrictStr


class AnyFile(Model):
    """The fields of a game's file before what was said."""

    schema_version: Literal[1]
    event: StrictStr
    date: StrictStr
    players: Players
    ruleset: Rules
    seeds: dict[StrictStr, StrictInt] = {}
    metadata: dict[StrictStr, Any] = {}


Result = Literal["1-0", "0-1", "1/2-1/2", "*"]


def colour_name(colour: bool) -> Colour:
    """As a colour is written."""
    return "white" if colour == chess.WHITE else "black"


def square_name(square: int | None) -> str | None:
    """As a square is written."""
    return None if square is None else chess.square_name(square)


def square_of(name: str | None) -> int | None:
    """The square of that name."""
    return None if name is None else chess.parse_square(name)


def squares_of(names: Sequence[str]) -> tuple[int, ...]:
    """The squares of those names."""
    return tuple(chess.parse_square(name) for name in names)
