"""Records as JSON: both directions, and the schemas of the files.

A file says in its field `game` which game it is of; one of Kriegspiel has none. The schemas are committed in
the games' folders; `ks schemas` regenerates them.
"""

import importlib.resources
import json
from pathlib import Path
from typing import Any

import chess
from pydantic import ValidationError

from ks_env.core.actions import text_to_action
from ks_env.games import DEFAULT_GAME, GameDefinition, game_named
from ks_env.games.record import SCHEMA_VERSION, AnyRecord, AnyTry
from ks_env.games.words import RecordError, colour_name
from ks_env.record.ruleset_options import ruleset_from_options, ruleset_to_options

Record = AnyRecord[Any, Any]


def to_json(record: Record) -> str:
    """The record as JSON text, one try a line."""
    game = record.definition
    name, options = ruleset_to_options(record.ruleset, game)
    values: dict[str, Any] = {} if game.id == DEFAULT_GAME else {"game": game.name}
    values |= {
        "schema_version": SCHEMA_VERSION,
        "event": record.event,
        "date": record.date,
        "players": {"white": record.white, "black": record.black},
        "ruleset": {"name": name, "options": options},
        "seeds": dict(record.seeds),
        "metadata": dict(record.metadata),
        "start": _start(record),
        "tries": [_tried(record, entry) for entry in record.tries],
        "result": record.result,
    }
    return _text(game.notation.file.model_validate(values).model_dump(exclude_defaults=True))


def _start(record: Record) -> dict[str, Any]:
    extra = {} if record.EXTRA is None else {"hidden": record.extra}
    return {"fen": record.start_fen, **extra, "heard": _heard_by(record, record.start)}


def _tried(record: Record, entry: AnyTry[Any]) -> dict[str, Any]:
    heard = _heard_by(record, entry.heard)
    return {"seat": colour_name(entry.seat).lower(), "move": entry.text(), "heard": heard}


def _heard_by(record: Record, heard: tuple[Any, Any]) -> dict[str, Any]:
    said = record.definition.notation.to_said
    white, black = (None if one is None else said(one) for one in heard)
    return {"white": white, "black": black}


def _text(values: dict[str, Any]) -> str:
    tries = ",\n".join("    " + json.dumps(entry) for entry in values.pop("tries"))
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
    lines.append('  "tries": [' + (f"\n{tries}\n  " if tries else "") + "]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_json(text: str) -> Record:
    """The record of JSON text that `to_json` wrote.

    Raises:
        RecordError: naming the place in the file and what was expected there.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:  # no JSON, a number too long, or nested too deep
        raise RecordError(f"truncated or damaged: expected JSON: {error}") from error
    version = values.get("schema_version") if isinstance(values, dict) else None
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise RecordError(f"schema_version: expected {SCHEMA_VERSION}, found {version!r}")
    try:
        game = game_named(values.get("game", DEFAULT_GAME))
    except ValueError as error:
        raise RecordError(f"game: {error}") from error
    try:
        file: Any = game.notation.file.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RecordError(f"{where}: {first['msg']}, found {first['input']!r}") from error
    record = _record(game, file)
    if record.result != file.result:
        raise RecordError(f"result: expected {record.result!r} by the announcements, found {file.result!r}")
    return record


def _record(game: GameDefinition, file: Any) -> Record:
    record = game.notation.record
    values: dict[str, Any] = {} if record.EXTRA is None else {record.EXTRA[0]: file.start.hidden}
    return record(
        ruleset=ruleset_from_options(file.ruleset.name, file.ruleset.options, game),
        start_fen=file.start.fen,
        start=_opening(game, file),
        tries=tuple(_try(game, entry, number) for number, entry in enumerate(file.tries)),
        white=file.players.white,
        black=file.players.black,
        event=file.event,
        date=file.date,
        seeds=file.seeds,
        metadata=file.metadata,
        **values,
    )


def _opening(game: GameDefinition, file: Any) -> tuple[Any, Any]:
    try:
        turn = chess.Board(file.start.fen).turn
    except ValueError as error:
        raise RecordError(f"start.fen is {file.start.fen!r}: {error}") from error
    return _heard(game, file.start.heard, turn, (None, None))


def _heard(
    game: GameDefinition, heard: Any, by: bool, actions: tuple[int | None, int | None]
) -> tuple[Any, Any]:
    from_said = game.notation.from_said
    white, black = (
        None if said is None else from_said(said, by, action)
        for said, action in zip((heard.white, heard.black), actions, strict=True)
    )
    return white, black


def _try(game: GameDefinition, entry: Any, number: int) -> AnyTry[Any]:
    seat = entry.seat == "white"
    try:
        action = text_to_action(entry.move, seat)
    except ValueError as error:
        raise RecordError(f"tries.{number}.move: {error}") from error
    return AnyTry(seat, action, _heard(game, entry.heard, seat, (action, None) if seat else (None, action)))


def schema_file(game: GameDefinition) -> Path:
    """Where the JSON schema of a game's files is: in the game's folder."""
    folder = game.notation.record.__module__.rpartition(".")[0]
    return Path(str(importlib.resources.files(folder))) / "record.schema.json"


def schema_text(game: GameDefinition) -> str:
    """The JSON schema of a game's files, as text."""
    return json.dumps(game.notation.file.model_json_schema(), indent=2) + "\n"
