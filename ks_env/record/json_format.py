"""Records as JSON: both directions, and the schemas of the files.

A file of invisible chess says so in its field `game`; one of Kriegspiel has none. The schemas are committed
beside this file; `ks schemas ks_env/record` writes them anew.
"""

import json
from pathlib import Path
from typing import Any

import chess
from pydantic import BaseModel, ValidationError

from ks_env.record import invisible_json, kriegspiel_json
from ks_env.record.any_record import SCHEMA_VERSION, AnyTry, RecordError
from ks_env.record.game_record import GameRecord, Try
from ks_env.record.invisible_json import InvisibleFile
from ks_env.record.invisible_record import InvisibleRecord, InvisibleTry, Record
from ks_env.record.json_models import colour_name
from ks_env.record.kriegspiel_json import GameFile
from ks_env.record.ruleset_options import ruleset_from_options, ruleset_to_options
from ks_env.spaces.actions import text_to_action

SCHEMA_FILE = Path(__file__).with_name("game-record.schema.json")
INVISIBLE_SCHEMA_FILE = Path(__file__).with_name("invisible-record.schema.json")
SCHEMAS: dict[Path, type[BaseModel]] = {SCHEMA_FILE: GameFile, INVISIBLE_SCHEMA_FILE: InvisibleFile}
INVISIBLE_CHESS = "invisible chess"


def to_json(record: Record) -> str:
    """The record as JSON text, one try a line."""
    name, options = ruleset_to_options(record.ruleset)
    values = {
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
    file: GameFile | InvisibleFile
    if isinstance(record, InvisibleRecord):
        file = InvisibleFile.model_validate({"game": INVISIBLE_CHESS} | values)
    else:
        file = GameFile.model_validate(values)
    return _text(file.model_dump(exclude_defaults=True))


def _start(record: Record) -> dict[str, Any]:
    hidden = record.hidden if isinstance(record, InvisibleRecord) else record.hidden_start
    return {"fen": record.start_fen, "hidden": hidden, "heard": _heard_by(record, record.start)}


def _tried(record: Record, entry: AnyTry[Any]) -> dict[str, Any]:
    heard = _heard_by(record, entry.heard)
    return {"seat": colour_name(entry.seat), "move": entry.text(), "heard": heard}


def _heard_by(record: Record, heard: tuple[Any, Any]) -> dict[str, Any]:
    said = invisible_json.to_said if isinstance(record, InvisibleRecord) else kriegspiel_json.to_said
    return {"white": said(heard[0]), "black": said(heard[1])}


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
    except json.JSONDecodeError as error:
        raise RecordError(f"truncated or damaged: expected JSON: {error}") from error
    version = values.get("schema_version") if isinstance(values, dict) else None
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise RecordError(f"schema_version: expected {SCHEMA_VERSION}, found {version!r}")
    model = InvisibleFile if "game" in values else GameFile
    try:
        file = model.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RecordError(f"{where}: {first['msg']}, found {first['input']!r}") from error
    record = _record(file)
    if record.result != file.result:
        raise RecordError(f"result: expected {record.result!r} by the announcements, found {file.result!r}")
    return record


def _record(file: GameFile | InvisibleFile) -> Record:
    values: dict[str, Any] = {
        "ruleset": ruleset_from_options(file.ruleset.name, file.ruleset.options),
        "start_fen": file.start.fen,
        "start": _opening(file),
        "tries": tuple(_try(file, entry, number) for number, entry in enumerate(file.tries)),
        "white": file.players.white,
        "black": file.players.black,
        "event": file.event,
        "date": file.date,
        "seeds": file.seeds,
        "metadata": file.metadata,
    }
    if isinstance(file, InvisibleFile):
        return InvisibleRecord(**values, hidden=file.start.hidden)
    return GameRecord(**values, hidden_start=file.start.hidden)


def _opening(file: GameFile | InvisibleFile) -> tuple[Any, Any]:
    try:
        turn = chess.Board(file.start.fen).turn
    except ValueError as error:
        raise RecordError(f"start.fen is {file.start.fen!r}: {error}") from error
    return _heard(file, file.start.heard, turn, (None, None))


def _heard(
    file: GameFile | InvisibleFile, heard: Any, by: bool, actions: tuple[int | None, int | None]
) -> tuple[Any, Any]:
    from_said: Any = (invisible_json if isinstance(file, InvisibleFile) else kriegspiel_json).from_said
    return from_said(heard.white, by, actions[0]), from_said(heard.black, by, actions[1])


def _try(file: GameFile | InvisibleFile, entry: Any, number: int) -> AnyTry[Any]:
    seat = entry.seat == "white"
    try:
        action = text_to_action(entry.move, seat)
    except ValueError as error:
        raise RecordError(f"tries.{number}.move: {error}") from error
    heard = _heard(file, entry.heard, seat, (action, None) if seat else (None, action))
    return InvisibleTry(seat, action, heard) if isinstance(file, InvisibleFile) else Try(seat, action, heard)


def schema_text(file: Path = SCHEMA_FILE) -> str:
    """The JSON schema that belongs into one of `SCHEMAS`, as text."""
    return json.dumps(SCHEMAS[file].model_json_schema(), indent=2) + "\n"
