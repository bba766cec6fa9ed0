"""Runs under `faults.c`: keeps things in a folder, with a fault at many calls, or at every one.

`python driver.py study|play|files|training LIBRARY FOLDER MOST SIZE FAULT` prints how many calls there are
and how many faults there were, after each of which nothing was lost. A fault is a process that ends there,
or a call that answers "no space left" or "input/output error" from there on. MOST is how many faults at
most, spread over all calls; SIZE is how many games, tries, folders or turns of training are kept.
"""

import ctypes
import errno
import io
import json
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from ks_arena.study.config import StudyConfig
from ks_arena.study.store import Store

from ks_env.core.files import put_in_place
from tests.arena.made_up import game

Told = Callable[[int], None]
KINDS_OF_FAULT = {"the process ends": 0, "no space left": errno.ENOSPC, "input/output error": errno.EIO}
ENDED = 77
NEVER = 1 << 62  # a call that does not come


def config_of(size: int) -> StudyConfig:
    tournament: Any = {"kind": "round-robin", "players": ["random", "capture"]}
    return StudyConfig(name="faults", tournament=tournament, games=2 * size)


def keep_study(folder: Path, told: Told, size: int) -> None:
    """Add the games that are not there, and tell each one that is kept."""
    path = folder / "study.sqlite"
    begun = Store.is_begun(path)
    with closing(Store(path, write=True) if begun else Store.create(path, config_of(size), {})) as store:
        there = store.keys()
        for number in range(size):
            key = (0, number // 2, number % 2)
            if key not in there:
                store.add(game(key, ("random", "capture"), 0, "material"))
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


def keep_play(folder: Path, told: Told, size: int) -> None:
    """The tries of a game of `ks play`, each told when it is on the disk."""
    import asyncio

    from ks_play.store import Store as Games

    def insert(number: int) -> Callable[[sqlite3.Connection], object]:
        return lambda base: base.execute("INSERT OR IGNORE INTO tries VALUES (1, ?, ?)", (number, number))

    async def play() -> None:
        store = Games(folder / "games.sqlite")
        for number in range(size):
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


def keep_files(folder: Path, told: Told, size: int) -> None:
    """A folder such as a checkpoint, replaced again and again by the next."""
    for number in range(size):
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


def experiment(folder: Path, size: int) -> Any:
    """A training of so many turns, with a checkpoint after each."""
    from ks_train.learn.config import Experiment

    return Experiment.model_validate(
        {
            "name": "faults",
            "folder": folder / "run",
            "torch_threads": 1,
            "env": {"num_envs": 2, "ruleset_options": {"max_plies": 20}},
            "opponents": [{"opponent": "random"}],
            "learner": {"steps": TURN // 2, "batch_size": TURN, "epochs": 1},
            "network": {"channels": 4, "layers": 1, "embedding": 2, "value_hidden": 4},
            "budget": {"timesteps": TURN * size},
            "evaluation": {"against": ["random"], "games": 2},
            "checkpoints": {"every": TURN, "keep": 2},
        }
    )


TURN = 8  # tries


def keep_training(folder: Path, told: Told, size: int) -> None:
    """A training that goes on where it was stopped; each turn is told when its checkpoint is there."""
    from ks_train.learn import checkpoint
    from ks_train.learn.run import train
    from rich.console import Console

    config = experiment(folder, size)
    save = checkpoint.save

    def saved(*arguments: Any) -> Path:
        path = save(*arguments)
        told(int(path.name) // TURN - 1)
        return path

    with patch.object(checkpoint, "save", saved):
        train(config, resume=True, console=Console(file=io.StringIO()))


def look_at_training(folder: Path, told: list[int]) -> None:
    """The latest checkpoint is whole, has all turns that were told, each once, and the model files too."""
    from ks_train.learn import checkpoint

    run = folder / "run"
    saved = checkpoint.latest(run)
    if saved is None:
        assert not told, "the checkpoints are lost"
        return
    turns = [row["timesteps"] for row in checkpoint.read_state(saved).history]
    assert turns == list(range(TURN, int(saved.name) + 1, TURN)), "a turn is missing, or there twice"
    assert len(turns) > max(told, default=-1), "turns are lost"
    np.load(saved / "trainer.npz")["generators.torch"]
    summary = run / "summary.json"
    if summary.exists():
        assert [row["timesteps"] for row in json.loads(summary.read_text())["history"]] == turns


Look = Callable[[Path, list[int]], None]
KINDS: dict[str, tuple[Callable[[Path, Told, int], None], Look]] = {
    "study": (keep_study, look_at_study),
    "play": (keep_play, look_at_play),
    "files": (keep_files, look_at_files),
    "training": (keep_training, look_at_training),
}


class Driver:
    """Does one kind of work again and again, each time with a fault elsewhere.

    Args:
        kind: of work, in `KINDS`.
        library: `faults.c`, which is preloaded.
        folder: where the work is done; it is emptied each time.
        size: how much of it.
    """

    def __init__(self, kind: str, library: ctypes.CDLL, folder: Path, size: int) -> None:
        self.keep, self.look = KINDS[kind]
        self.library, self.folder, self.size = library, folder, size
        self.calls = folder.with_name(f"{folder.name}.calls")

    def _work(self, at: int, how: int) -> tuple[bool, list[int]]:
        """The work in a process of its own: whether it came to its end, and what it told was kept."""
        receiving, sending = os.pipe()
        child = os.fork()
        if child == 0:
            self.library.faults_arm(os.fsencode(self.folder), at, how)
            with suppress(BaseException):
                self.keep(self.folder, lambda number: _tell(sending, number), self.size)
                self.calls.write_text(str(self.library.faults_calls()))
                os._exit(0)
            os._exit(ENDED)
        os.close(sending)
        with os.fdopen(receiving, "rb") as pipe:
            told = list(pipe.read())
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, told

    def count(self) -> int:
        """How many calls the work makes where none fails."""
        self._clear()
        ended, _ = self._work(NEVER, 0)
        assert ended, "the work does not come to its end without a fault"
        return int(self.calls.read_text())

    def fault(self, at: int, how: int) -> bool:
        """One fault, and what is left; whether it came before the work's end."""
        self._clear()
        ended, told = self._work(at, how)
        faulty = not ended or int(self.calls.read_text()) >= at
        self.look(self.folder, told)
        again, told = self._work(NEVER, 0)  # it goes on from there
        assert again, "the work does not go on"
        self.look(self.folder, list(range(self.size)))
        return faulty

    def _clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()


def _tell(sending: int, number: int) -> None:
    """Say that something is kept: from now on it may not be lost."""
    os.write(sending, bytes([number]))


def get_ready(kind: str) -> None:
    """Import and compile what all processes need, once; only a training has much of it."""
    if kind == "training":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""  # torch with a device starts threads that no fork survives
        with tempfile.TemporaryDirectory() as folder:
            keep_training(Path(folder), lambda number: None, 1)


def main() -> None:
    kind, library = sys.argv[1], ctypes.CDLL(sys.argv[2])
    library.faults_arm.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int]
    library.faults_calls.restype = ctypes.c_long
    get_ready(kind)
    driver = Driver(kind, library, Path(sys.argv[3]), int(sys.argv[5]))
    calls, most = driver.count(), int(sys.argv[4])
    places = sorted({1 + number * calls // most for number in range(most)})
    print(calls, sum(driver.fault(at, KINDS_OF_FAULT[sys.argv[6]]) for at in places))


if __name__ == "__main__":
    main()
