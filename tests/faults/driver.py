"""Runs under `faults.c`: keeps things in a folder, with a fault at every call in turn.

`python driver.py study|play|files LIBRARY FOLDER MOST` prints how many faults there were, after each of which
nothing was lost. A fault is a process that ends there, or a call that answers "no space left" or
"input/output error" from there on.
"""

import ctypes
import errno
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from ks_arena.study.config import StudyConfig
from ks_arena.study.store import Store

from ks_env.core.files import put_in_place
from tests.arena.made_up import game

Told = Callable[[int], None]
GAMES = 6
ENDED = 77
CONFIG = StudyConfig(
    name="faults", tournament={"kind": "round-robin", "players": ["random", "capture"]}, games=2 * GAMES
)


def keep_study(folder: Path, told: Told) -> None:
    """Add the games that are not there, and tell each one that is kept."""
    path = folder / "study.sqlite"
    begun = Store.is_begun(path)
    with closing(Store(path, write=True) if begun else Store.create(path, CONFIG, {})) as store:
        there = store.keys()
        for number in range(GAMES):
            key = (0, number // 2, number % 2)
            if key not in there:
                store.add(game(key, ("random", "capture"), 0, "material"), {})
            told(number)


def look_at_study(folder: Path, told: list[int]) -> None:
    path = folder / "study.sqlite"
    if not path.exists():
        assert not told, "the study is lost"
        return
    with closing(Store(path, write=True)) as store:
        keys = [game.key for game in store.games()]
    assert len(keys) == len(set(keys)), "a game is there twice"
    lost = [number for number in told if (0, number // 2, number % 2) not in keys]
    assert not lost, f"games {lost} are lost"


def keep_play(folder: Path, told: Told) -> None:
    """The tries of a game of `ks play`, each told when it is on the disk."""
    import asyncio

    from ks_play.store import Store as Games

    def insert(number: int) -> Callable[[sqlite3.Connection], object]:
        return lambda base: base.execute("INSERT OR IGNORE INTO tries VALUES (1, ?, ?)", (number, number))

    async def play() -> None:
        store = Games(folder / "games.sqlite")
        for number in range(GAMES):
            await store.do(insert(number))
            told(number)
        store.close()

    asyncio.run(play())


def look_at_play(folder: Path, told: list[int]) -> None:
    path = folder / "games.sqlite"
    if not path.exists():
        assert not told
        return
    with closing(sqlite3.connect(path)) as base:
        tables = base.execute("SELECT count(*) FROM sqlite_master WHERE name = 'tries'").fetchone()[0]
        kept = base.execute("SELECT action FROM tries ORDER BY number").fetchall() if tables else []
    assert [row[0] for row in kept][: len(told)] == told, "tries are lost or out of order"


def keep_files(folder: Path, told: Told) -> None:
    """A folder such as a checkpoint, replaced again and again by the next."""
    for number in range(GAMES):
        if (folder / f"{number:03d}").exists():
            continue
        made = folder / "next"
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        (made / "a").write_text(str(number) * 9000)
        (made / "b").write_text(str(number) * 9000)
        put_in_place(made, folder / f"{number:03d}")
        told(number)


def look_at_files(folder: Path, told: list[int]) -> None:
    for place in folder.glob("[0-9]*"):
        for name in ("a", "b"):
            assert (place / name).read_text() == str(int(place.name)) * 9000, "a file is half-written"
    for number in told:
        assert (folder / f"{number:03d}").is_dir(), "a folder is lost"


KINDS = {
    "study": (keep_study, look_at_study),
    "play": (keep_play, look_at_play),
    "files": (keep_files, look_at_files),
}


def tell(sending: int, number: int) -> None:
    """Say that something is kept: from now on it may not be lost."""
    os.write(sending, bytes([number]))


def one(kind: str, library: ctypes.CDLL, folder: Path, at: int, how: int) -> bool:
    """One fault, and what is left; whether the work came to its end before it."""
    keep, look = KINDS[kind]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        library.faults_arm(os.fsencode(folder), at, how)
        with suppress(BaseException):
            keep(folder, lambda number: tell(sending, number))
            os._exit(0 if library.faults_calls() < at else ENDED)
        os._exit(ENDED)
    os.close(sending)
    with os.fdopen(receiving, "rb") as pipe:
        told = list(pipe.read())
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    look(folder, told)
    keep(folder, lambda number: None)  # it goes on from there
    look(folder, list(range(GAMES)))
    return status == 0


def main() -> None:
    kind, library, folder, most = sys.argv[1], ctypes.CDLL(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    library.faults_arm.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int]
    library.faults_calls.restype = ctypes.c_long
    faults = 0
    for how in (0, errno.ENOSPC, errno.EIO):
        for at in range(1, most + 1):
            if one(kind, library, folder, at, how):
                break
            faults += 1
    print(faults)


if __name__ == "__main__":
    main()
