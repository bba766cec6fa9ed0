"""Records in files: `.json` holds one game, `.pgn` one or more."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ks_env.games.words import RecordError
from ks_env.record.json_format import Record, from_json, to_json
from ks_env.record.pgn_format import games_from_pgn, to_pgn

SUFFIXES = (".json", ".pgn")


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise RecordError(f"{path}: expected a file name that ends in {' or '.join(SUFFIXES)}")
    return suffix


def settle(made: Path, path: Path) -> None:
    """Put what was written under another name in its place, a file or a folder with all that is in it.

    It is on the disk before it replaces anything, and so is its new name when this returns: after a loss of
    power there is the old or the new, and whole.

    Args:
        made: what was written, in the same file system.
        path: its place; a folder there has to be empty.

    Raises:
        OSError: it cannot be written; what stood in its place still does.
    """
    for each in [*made.rglob("*"), made] if made.is_dir() else [made]:
        _sync(each)
    os.replace(made, path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    """Wait until the file, or the names in the folder, are on the disk."""
    if path.is_dir() and os.name != "posix":  # other systems open no folders
        return
    handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_aside(path: Path, text: str) -> None:
    """Writes the file under another name and renames it, so that it is never seen half-written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(aside, 0o644)
        settle(Path(aside), path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


@contextmanager
def aside(path: Path) -> Iterator[Path]:
    """A name to write under instead of `path`; renamed when the block ends without an error."""
    other = path.with_name(f".{path.name}")  # the ending decides the format for those who write it
    try:
        yield other
        settle(other, path)
    finally:
        other.unlink(missing_ok=True)


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
