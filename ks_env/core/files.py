"""Writing files so that nothing is lost or seen half-written, whenever the process or the power dies.

What is new is written under another name, reaches the disk, and only then takes the place of what was there.
"""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk.

    Where a system cannot do that for folders, it is left to the system.
    """
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def put_in_place(new: Path, path: Path) -> None:
    """Give a complete file, or a folder of complete files, the name it is to have.

    A file replaces what was there; where a folder is to go, nothing may be.

    Raises:
        OSError: it cannot be read or renamed.
    """
    if new.is_dir():
        for each in sorted(new.rglob("*")):
            sync(each)
    sync(new)
    os.replace(new, path)
    sync(path.parent)


def write_aside(path: Path, text: str) -> None:
    """Write a text file, its folders made where they are missing; nobody ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with aside(path, f"{uuid.uuid4().hex[:16]}.") as other:
        other.write_text(text, encoding="utf-8")
        other.chmod(0o644)


@contextmanager
def aside(path: Path, mark: str = "") -> Iterator[Path]:
    """A name to write under instead of `path`, which it takes when the block ends without an error.

    Where several may write the same file at once, each needs its own mark, which its name begins with.
    """
    other = path.with_name(f".{mark}{path.name}")  # the ending decides the format for those who write it
    try:
        yield other
        put_in_place(other, path)
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error  # a full disk is said without a name
    finally:
        other.unlink(missing_ok=True)
