"""What is written is whole, the old or the new, whenever the process or the power dies."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ks_train.learn import checkpoint
from ks_train.learn.checkpoint import RunState

from ks_env.core.files import aside, write_aside

pytestmark = pytest.mark.skipif(os.name == "nt", reason="looks at open files by their numbers in /proc")

Found = dict[str, bytes] | bytes | None  # what is under a name: of a folder by name, of a file, nothing
Write = Callable[[Path, str], None]


@contextmanager
def opened(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_RDONLY)
    try:
        yield handle
    finally:
        os.close(handle)


class Disk:
    """A disk that forgets what was not synced: what files hold, and the names in a folder.

    Args:
        patch: for `os`.
        change: called after each call that changes the disk.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.change: Callable[[], None] = lambda: None
        self._contents: dict[int, bytes] = {}
        self._names: dict[int, dict[str, int]] = {}
        self._handles: list[int] = []  # held open, so that no number is given to another file
        self._replace = os.replace
        patch.setattr(os, "fsync", self._sync)
        patch.setattr(os, "replace", self._put)

    def _sync(self, handle: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{handle}"))
        self._handles.append(os.dup(handle))
        if path.is_dir():
            self._names[path.stat().st_ino] = {each.name: each.stat().st_ino for each in path.iterdir()}
        else:
            self._contents[path.stat().st_ino] = path.read_bytes()
        self.change()

    def _put(self, new: Path, path: Path) -> None:
        self._replace(new, path)
        self.change()

    def sync_all(self, folder: Path) -> None:
        for each in (folder, *folder.rglob("*")):
            with opened(each) as handle:
                self._sync(handle)

    def may_hold(self, path: Path) -> list[Found]:
        """What may be under a name after a loss of power: the folder as it was synced, or as it is."""
        synced = self._names.get(path.parent.stat().st_ino, {}).get(path.name)
        return [self._read(synced), self._read(path.stat().st_ino if path.exists() else None)]

    def _read(self, number: int | None) -> Found:
        if number is None:
            return None
        if number in self._names:
            return {name: self._contents.get(each, b"") for name, each in self._names[number].items()}
        return self._contents.get(number, b"")

    def close(self) -> None:
        for handle in self._handles:
            os.close(handle)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    found = Disk(monkeypatch)
    yield found
    found.close()


def with_block(path: Path, text: str) -> None:
    with aside(path) as other:
        other.write_text(text)


def save_checkpoint(folder: Path, text: str, tries: int) -> Path:
    """A checkpoint of a learner that holds a text."""
    model = SimpleNamespace(
        num_timesteps=tries, _n_updates=1, save=lambda path: path.write_bytes(text.encode() * 100)
    )
    trainer: Any = SimpleNamespace(model=model, arrays=lambda: {"a": np.arange(9)})
    return checkpoint.save(folder, trainer, RunState(seconds=tries), keep=1)


@pytest.mark.parametrize("write", [write_aside, with_block])
def test_a_file_is_the_old_or_the_new(disk: Disk, tmp_path: Path, write: Write) -> None:
    path, moments = tmp_path / "file.json", []
    write(path, "old")
    disk.sync_all(tmp_path)
    disk.change = lambda: moments.append(disk.may_hold(path))
    write(path, "new" * 1000)
    for moment in moments:
        assert all(each in (b"old", b"new" * 1000) for each in moment)
    assert disk.may_hold(path) == [b"new" * 1000] * 2
    assert len(moments) >= 3  # the file, its name, the folder


def test_a_checkpoint_is_whole_and_the_old_one_stays_until_then(disk: Disk, tmp_path: Path) -> None:
    parent, moments = tmp_path / "checkpoints", []
    first = save_checkpoint(tmp_path, "first", 10)
    disk.sync_all(tmp_path)
    whole = {each.name: each.read_bytes() for each in first.iterdir()}
    second = parent / f"{20:012d}"
    disk.change = lambda: moments.append([disk.may_hold(each) for each in (first, second)])
    assert save_checkpoint(tmp_path, "second", 20) == second
    new = {each.name: each.read_bytes() for each in second.iterdir()}
    assert set(new) == {"model.zip", "trainer.npz", "run.json"}
    for before, after in moments:
        assert {} not in (*before, *after)
        assert all(each in (whole, None) for each in before)
        assert all(each in (new, None) for each in after)
        assert all(pair != (None, None) for pair in zip(before, after, strict=True))
    assert disk.may_hold(second) == [new, new]


class Faults:
    """Lets the call of a number fail, of all that open, write, sync or rename."""

    def __init__(self, patch: pytest.MonkeyPatch, failing: int) -> None:
        self.left = failing
        for name in ("open", "fsync", "replace", "fdopen", "chmod"):
            patch.setattr(os, name, self._failing(getattr(os, name)))
        patch.setattr(Path, "open", self._failing(Path.open))

    def _failing(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*args: Any, **kwargs: Any) -> Any:
            self.left -= 1
            if self.left == 0:
                raise OSError("no space left on device")
            return call(*args, **kwargs)

        return tried


@pytest.mark.parametrize("write", [write_aside, with_block])
def test_a_call_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path, write: Write) -> None:
    path = tmp_path / "file.json"
    write(path, "old")
    for failing in range(1, 100):
        with pytest.MonkeyPatch.context() as patch:
            faults = Faults(patch, failing)
            with suppress(OSError):
                write(path, "new")
        text = path.read_text()
        assert text in ("old", "new")
        assert [each.name for each in tmp_path.iterdir()] == ["file.json"]
        if faults.left > 0:
            break
    assert failing > 3
    assert text == "new"


def test_a_checkpoint_that_fails_leaves_a_whole_one(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, "first", 10)
    for failing in range(1, 100):
        with pytest.MonkeyPatch.context() as patch:
            faults = Faults(patch, failing)
            with suppress(OSError):
                save_checkpoint(tmp_path, "second", 20)
        found = checkpoint.latest(tmp_path)
        assert found is not None
        assert {each.name for each in found.iterdir()} == {"model.zip", "trainer.npz", "run.json"}
        assert checkpoint.read_state(found).seconds in (10, 20)
        if faults.left > 0:
            break
    assert failing > 5
    assert found is not None
    assert found.name == f"{20:012d}"
