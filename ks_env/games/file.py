"""What the JSON files of all games have in common."""

from collections.abc import Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar

import chess
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from ks_env.core.answers import Kind, Reason
from ks_env.games.under_way import AnyAnnouncement
from ks_env.games.words import PIECES, colour_name

Colour = Literal["white", "black"]
Square = Annotated[StrictStr, Field(pattern="^[a-h][1-8]$")]
End = Literal[
    "checkmate", "stalemate", "material", "repetition", "fifty_moves", "tries", "plies", "king_captured"
]
Man = Literal["pawn", "knight", "bishop", "rook", "queen", "king"]
Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
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


S = TypeVar("S", bound=Model)  # what a listener heard, in the game's own shape
H = TypeVar("H", bound=Model)  # a game's `HeardBy`


class HeardBy(Model, Generic[S]):
    """What either player heard; null for nothing."""

    white: S | None
    black: S | None


class AnsweredTry(Model, Generic[H]):
    """A try and its answer."""

    seat: Colour
    move: StrictStr = Field(description="UCI text")
    heard: H


class AnyFile(Model):
    """The fields of a game's file before what was said."""

    schema_version: Literal[1]
    event: StrictStr
    date: StrictStr
    players: Players
    ruleset: Rules
    seeds: dict[StrictStr, StrictInt] = {}
    metadata: dict[StrictStr, Any] = {}


def square_name(square: int | None) -> str | None:
    """As a square is written."""
    return None if square is None else chess.square_name(square)


def square_of(name: str | None) -> int | None:
    """The square of that name."""
    return None if name is None else chess.parse_square(name)


def squares_of(names: Sequence[str]) -> tuple[int, ...]:
    """The squares of those names."""
    return tuple(chess.parse_square(name) for name in names)


def man_name(kind: int | None) -> str | None:
    """As a kind of man is written."""
    return None if kind is None else chess.piece_name(kind)


def man_of(name: str | None) -> int | None:
    """The kind of man of that name."""
    return None if name is None else PIECES[name]


def write_said(model: type[S], heard: AnyAnnouncement, **said: Any) -> S:
    """An announcement in the shape of a game's file.

    Args:
        model: the game's.
        said: the model's fields beside the kind and the end of the game.
    """
    return model.model_validate(
        {
            "kind": heard.kind.name.lower(),
            **said,
            "winner": None if heard.winner is None else colour_name(heard.winner).lower(),
            "reason": heard.reason.name.lower() if heard.reason else None,
        }
    )


def kind_and_end(said: Any) -> dict[str, Any]:
    """The fields of an announcement that `write_said` wrote by itself."""
    return {
        "kind": Kind[said.kind.upper()],
        "winner": None if said.winner is None else said.winner == "white",
        "reason": Reason[said.reason.upper()] if said.reason else Reason.NONE,
    }
