"""Game records: what was tried and what was said, as values, in PGN and JSON, and played again."""

from ks_env.games.record import SCHEMA_VERSION, AnyTry
from ks_env.games.words import RecordError
from ks_env.record.files import load, load_all, save, save_all
from ks_env.record.json_format import Record, from_json, to_json
from ks_env.record.pgn_format import from_pgn, games_from_pgn, to_pgn
from ks_env.record.replaying import replay, steps

__all__ = [
    "SCHEMA_VERSION",
    "AnyTry",
    "Record",
    "RecordError",
    "from_json",
    "from_pgn",
    "games_from_pgn",
    "load",
    "load_all",
    "replay",
    "save",
    "save_all",
    "steps",
    "to_json",
    "to_pgn",
]
