"""Records in files: `.json` holds one game, `.pgn` one or more."""

from collections.abc import Sequence
from pathlib import Path

from ks_env.core.files import write_aside
from ks_env.games.words import RecordError
from ks_env.record.json_format import Record, from_json, to_json
from ks_env.record.pgn_format import games_from_pgn, to_pgn

SUFFIXES = (".json", ".pgn")


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise RecordError(f"{path}: expected a file name that ends in {' or '.join(SUFFIXES)}")
    return suffix


def save(record: Record, path: str | Path) -> None:
    """Writes one game, as JSON or PGN by the file's name.

    Raises:
        RecordError: another kind of file name, or a record with an illegal move (PGN).
        OSError: the file cannot be written.
    """
    save_all([record], path)


def save_all(records: Sequence[Record], path: str | Path) -> None:
    """Writes games to one PGN file, or one game to a JSON file.

    Raises:
        RecordError: as for `save`, or not exactly one game for JSON.
        OSError: the file cannot be written.
    """
    path = Path(path)
    if _suffix(path) == ".pgn":
        return write_aside(path, "\n".join(to_pgn(record) for record in records))
    if len(records) != 1:
        raise RecordError(f"{path}: a JSON file holds one game, not {len(records)}; expected a .pgn name")
    return write_aside(path, to_json(records[0]))


def load_all(path: str | Path) -> list[Record]:
    """Reads every game of a file.

    Raises:
        RecordError: naming the file, what is wrong in it and what was expected.
        OSError: the file cannot be read.
    """
    path = Path(path)
    suffix = _suffix(path)
    try:
        text = path.read_text(encoding="utf-8")
        return list(games_from_pgn(text)) if suffix == ".pgn" else [from_json(text)]
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: expected text in UTF-8: {error}") from error
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


def load(path: str | Path) -> Record:
    """Reads the one game of a file.

    Raises:
        RecordError: as for `load_all`, or there are several games.
        OSError: the file cannot be read.
    """
    records = load_all(path)
    if len(records) > 1:
        raise RecordError(f"{path}: expected one game, found {len(records)}")
    return records[0]
