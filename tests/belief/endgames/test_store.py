"""Solved endings on disk: kept, read again, and solved anew where a file cannot be trusted."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ks_env.belief.endgames import ending_named, solver, store
from ks_env.belief.endgames.placements import list_placements
from ks_env.belief.endgames.solver import WinningSets, solve_sets
from ks_env.belief.endgames.store import file_of, folder, load, save, winning_sets
from ks_env.belief.metaposition import boards
from ks_env.core import cache, tables

KRK = ending_named("KRK")
PLACES = list_placements(KRK)


@pytest.fixture(scope="module")
def wins() -> WinningSets:
    return solve_sets(KRK, PLACES)


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KS_ENV_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def same(one: WinningSets | None, other: WinningSets) -> bool:
    return one is not None and all(
        np.array_equal(one._asdict()[name], array) for name, array in other._asdict().items()
    )


def test_what_is_kept_is_read_again(wins: WinningSets, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(KRK, PLACES) is None
    save(KRK, wins)
    assert same(load(KRK, PLACES), wins)
    monkeypatch.delattr(store, "solve_sets")  # not needed any more
    assert same(winning_sets(KRK, PLACES), wins)
    assert [path.name for path in folder().iterdir()] == ["KRK.npz"]


def test_solving_is_announced_and_kept(capfd: pytest.CaptureFixture[str], wins: WinningSets) -> None:
    assert same(winning_sets(KRK, PLACES), wins)
    said = capfd.readouterr().err
    assert "solving KRK, once for this version" in said
    assert "solved in" in said
    assert same(winning_sets(KRK, PLACES), wins)
    assert capfd.readouterr().err == ""


def truncate(path: Path, _: WinningSets) -> None:
    path.write_bytes(path.read_bytes()[:-1000])


def empty(path: Path, _: WinningSets) -> None:
    path.write_bytes(b"")


def flip_a_bit(path: Path, _: WinningSets) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)


def other_text(path: Path, _: WinningSets) -> None:
    path.write_text("no archive at all")


def leave_out(path: Path, wins: WinningSets) -> None:
    np.savez(path, first=wins.first, sets=wins.sets)


def other_kind(path: Path, wins: WinningSets) -> None:
    np.savez(path, **wins._replace(depths=wins.depths.astype(np.int64))._asdict())


def other_length(path: Path, wins: WinningSets) -> None:
    np.savez(path, **wins._replace(depths=wins.depths[:-1])._asdict())


def other_placements(path: Path, wins: WinningSets) -> None:
    np.savez(path, **wins._replace(first=wins.first[1:])._asdict())


def impossible_squares(path: Path, wins: WinningSets) -> None:
    np.savez(path, **wins._replace(sets=~wins.sets)._asdict())


FAULTS = (
    truncate,
    empty,
    flip_a_bit,
    other_text,
    leave_out,
    other_kind,
    other_length,
    other_placements,
    impossible_squares,
)


@pytest.mark.parametrize("damage", FAULTS)
def test_a_damaged_file_is_named_and_solved_anew(
    damage: Callable[[Path, WinningSets], None],
    wins: WinningSets,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    save(KRK, wins)
    damage(file_of(KRK), wins)
    solved = itertools.count()
    monkeypatch.setattr(store, "solve_sets", lambda *_: (next(solved), wins)[1])
    assert same(winning_sets(KRK, PLACES), wins)
    assert next(solved) == 1
    said = capfd.readouterr().err
    assert str(file_of(KRK)) in said
    assert "is damaged" in said
    assert "KRK is solved anew" in said
    assert same(load(KRK, PLACES), wins)


def test_a_folder_that_cannot_be_written_is_no_fault(
    root: Path, wins: WinningSets, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root.write_text("a file where the folder should be")
    monkeypatch.setattr(store, "solve_sets", lambda *_: wins)
    assert same(winning_sets(KRK, PLACES), wins)
    assert "cannot be written" in capfd.readouterr().err
    assert root.read_text() == "a file where the folder should be"


def test_a_write_that_is_cut_short_leaves_nothing(wins: WinningSets, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        save(KRK, wins)
    assert list(folder().iterdir()) == []


def test_old_solutions_are_forgotten_and_nothing_else(root: Path, wins: WinningSets) -> None:
    for name in ("endgames-v0-000000000000", "endgames-v1-111111111111", "endgames-v1-mine", "notes"):
        (root / name).mkdir(parents=True)
    save(KRK, wins)
    store.forget_old_solutions()
    kept = {path.name for path in root.iterdir()}
    assert {folder().name, "endgames-v1-mine", "notes"} <= kept
    assert len(kept) == 4


@pytest.mark.parametrize("module", [solver.__name__, boards.__name__, tables.__name__])
def test_the_folder_is_named_by_the_solver_and_what_it_imports(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = folder().name
    assert store.FOLDER_NAME.fullmatch(before)
    source_of = cache.source_of
    source = source_of(module)
    assert source is not None
    edited = tmp_path / "edited.py"
    edited.write_text(Path(source).read_text() + "# edited\n")
    monkeypatch.setattr(cache, "source_of", lambda name: str(edited) if name == module else source_of(name))
    for kept in ("_read", "_digest"):  # sources are read once in a process
        monkeypatch.setattr(cache, kept, getattr(cache, kept).__wrapped__)
    after = folder().name
    assert store.FOLDER_NAME.fullmatch(after)
    assert after != before
