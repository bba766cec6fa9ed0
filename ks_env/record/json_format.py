"""Records as JSON: the shape of the file, its schema, and both directions.

The schema is committed beside this file; `python -m ks_env.record` writes it anew.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import chess
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from ks_env.core.announcement import Announcement, Kind, Reason
from ks_env.record.game_record import SCHEMA_VERSION, GameRecord, Heard, RecordError, Try
from ks_env.record.ruleset_options import ruleset_from_options, ruleset_to_options
from ks_env.spaces.actions import text_to_action

SCHEMA_FILE = Path(__file__).with_name("game-record.schema.json")

Colour = Literal["white", "black"]
Square = Annotated[StrictStr, Field(pattern="^[a-h][1-8]$")]
Check = Literal["rank", "file", "long diagonal", "short diagonal", "knight"]
End = Literal["checkmate", "stalemate", "material", "repetition", "fifty_moves", "tries", "plies"]
Options = dict[StrictStr, StrictBool | StrictInt | StrictStr]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Said(_Model):
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


class HeardBy(_Model):
    """What either player heard; null for nothing."""

    white: Said | None
    black: Said | None


class AnsweredTry(_Model):
    """A try and its answer."""

    seat: Colour
    move: StrictStr = Field(description='UCI text, or "any?"')
    heard: HeardBy


class Rules(_Model):
    """The ruleset: its name and the options that differ from the ruleset of that name."""

    name: StrictStr
    options: Options = {}


class Start(_Model):
    """The position at the start, whether it was kept from the players, and what they heard of it."""

    fen: StrictStr
    hidden: StrictBool
    heard: HeardBy


class Players(_Model):
    """Names of the players."""

    white: StrictStr
    black: StrictStr


class GameFile(_Model):
    """A game of Kriegspiel as the referee saw it."""

    schema_version: Literal[1]
    event: StrictStr
    date: StrictStr
    players: Players
    ruleset: Rules
    seeds: dict[StrictStr, StrictInt] = {}
    metadata: dict[StrictStr, Any] = {}
    start: Start
    tries: list[AnsweredTry]
    result: Literal["1-0", "0-1", "1/2-1/2", "*"]


def _colour_name(colour: bool) -> Colour:
    return "white" if colour == chess.WHITE else "black"


def _said(heard: Announcement | None) -> Said | None:
    if heard is None:
        return None
    return Said.model_validate(
        {
            "kind": heard.kind.name.lower(),
            "captured": heard.captured,
            "square": None if heard.square is None else chess.square_name(heard.square),
            "en_passant": heard.en_passant,
            "checks": heard.checks,
            "tries": heard.tries,
            "counted": heard.counted,
            "try_squares": [chess.square_name(square) for square in heard.try_squares],
            "promotion": heard.promotion,
            "winner": None if heard.winner is None else _colour_name(heard.winner),
            "reason": heard.reason.name.lower() if heard.reason else None,
        }
    )


def _announcement(said: Said | None, by: bool, action: int | None) -> Announcement | None:
    if said is None:
        return None
    return Announcement(
        kind=Kind[said.kind.upper()],
        by=by,
        action=action,
        captured=said.captured,
        square=None if said.square is None else chess.parse_square(said.square),
        en_passant=said.en_passant,
        checks=tuple(said.checks),
        tries=said.tries,
        counted=said.counted,
        try_squares=tuple(chess.parse_square(square) for square in said.try_squares),
        promotion=said.promotion,
        winner=None if said.winner is None else said.winner == "white",
        reason=Reason[said.reason.upper()] if said.reason else Reason.NONE,
    )


def _heard_by(heard: Heard) -> HeardBy:
    return HeardBy(white=_said(heard[0]), black=_said(heard[1]))


def to_json(record: GameRecord) -> str:
    """The record as JSON text, one try a line."""
    name, options = ruleset_to_options(record.ruleset)
    file = GameFile(
        schema_version=SCHEMA_VERSION,
        event=record.event,
        date=record.date,
        players=Players(white=record.white, black=record.black),
        ruleset=Rules(name=name, options=options),
        seeds=dict(record.seeds),
        metadata=dict(record.metadata),
        start=Start(fen=record.start_fen, hidden=record.hidden_start, heard=_heard_by(record.start)),
        tries=[
            AnsweredTry(seat=_colour_name(entry.seat), move=entry.text(), heard=_heard_by(entry.heard))
            for entry in record.tries
        ],
        result=record.result,
    )
    return _text(file.model_dump(exclude_defaults=True))


def _text(values: dict[str, Any]) -> str:
    tries = ",\n".join("    " + json.dumps(entry) for entry in values.pop("tries"))
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
    lines.append('  "tries": [' + (f"\n{tries}\n  " if tries else "") + "]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_json(text: str) -> GameRecord:
    """The record of JSON text that `to_json` wrote.

    Raises:
        RecordError: naming the place in the file and what was expected there.
    """
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(f"truncated or damaged: expected JSON: {error}") from error
    version = values.get("schema_version") if isinstance(values, dict) else None
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise RecordError(f"schema_version: expected {SCHEMA_VERSION}, found {version!r}")
    try:
        file = GameFile.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RecordError(f"{where}: {first['msg']}, found {first['input']!r}") from error
    return _record(file)


def _record(file: GameFile) -> GameRecord:
    try:
        turn = chess.Board(file.start.fen).turn
    except ValueError as error:
        raise RecordError(f"start.fen is {file.start.fen!r}: {error}") from error
    start = file.start.heard
    record = GameRecord(
        ruleset=ruleset_from_options(file.ruleset.name, file.ruleset.options),
        start_fen=file.start.fen,
        hidden_start=file.start.hidden,
        start=(_announcement(start.white, turn, None), _announcement(start.black, turn, None)),
        tries=tuple(_try(entry, number) for number, entry in enumerate(file.tries, 1)),
        white=file.players.white,
        black=file.players.black,
        event=file.event,
        date=file.date,
        seeds=file.seeds,
        metadata=file.metadata,
    )
    if record.result != file.result:
        raise RecordError(f"result: expected {record.result!r} by the announcements, found {file.result!r}")
    return record


def _try(entry: AnsweredTry, number: int) -> Try:
    seat = entry.seat == "white"
    try:
        action = text_to_action(entry.move, seat)
    except ValueError as error:
        raise RecordError(f"tries.{number - 1}.move: {error}") from error
    white = _announcement(entry.heard.white, seat, action if seat else None)
    black = _announcement(entry.heard.black, seat, None if seat else action)
    return Try(seat, action, (white, black))


def schema_text() -> str:
    """The JSON schema of `GameFile`, as text."""
    return json.dumps(GameFile.model_json_schema(), indent=2) + "\n"
