"""Where compiled kernels are kept, and when they are compiled anew."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core import config

from ks_env.core import jit

SCRIPT = """
import sys
from ks_env.core import jit

@jit.kernel
def double(x):
    return 2 * x

jit.compile_once("doubling", lambda: double(3))
assert double(4) == 8
print(sum(double.stats.cache_hits.values()), double._cache.cache_path)
"""


PACKAGES = ("ks_env", "baselines/ks_baselines")


def package_files() -> list[Path]:
    return [path for package in PACKAGES for path in (jit.ROOT / package).rglob("*.py")]


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages of one file in each folder that may hold kernels."""
    for folder in jit.KERNEL_FOLDERS:
        (tmp_path / folder / "deep").mkdir(parents=True)
        (tmp_path / folder / "deep" / "file.py").write_text("one\n")
    monkeypatch.setattr(jit, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize("folder", jit.KERNEL_FOLDERS)
def test_the_digest_changes_with_every_kernel_source(sources: Path, folder: str) -> None:
    seen = [jit.digest()]
    assert jit.digest() == seen[0]
    for change in ("two\n", "one\n\n"):
        (sources / folder / "deep" / "file.py").write_text(change)
        seen.append(jit.digest())
    (sources / folder / "more.py").write_text("")
    seen.append(jit.digest())
    (sources / folder / "more.py").rename(sources / folder / "renamed.py")
    seen.append(jit.digest())
    assert len(set(seen)) == len(seen)


def test_every_file_with_a_kernel_is_a_kernel_source() -> None:
    decorated = re.compile(r"^@(kernel|intrinsic|jit\.kernel)\b", re.MULTILINE)
    found = {path for path in package_files() if decorated.search(path.read_text())}
    assert len(found) > 8
    assert found <= set(jit.kernel_sources())


def test_only_jit_configures_numba() -> None:
    called = re.compile(r"\b(njit|vectorize|guvectorize|jitclass)\b")
    using = [path.name for path in package_files() if called.search(path.read_text())]
    assert using == ["jit.py"]


@pytest.mark.parametrize("name", jit.ENVIRONMENT)
def test_the_digest_changes_with_numbas_variables(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(name, raising=False)
    without = jit.digest()
    monkeypatch.setenv(name, "1")
    assert jit.digest() != without


def test_bounds_checking_has_a_cache_of_its_own() -> None:
    assert "NUMBA_BOUNDSCHECK" in jit.ENVIRONMENT


@pytest.mark.parametrize("flag", [*jit.FLAGS, "fastmath"])
def test_the_digest_changes_with_every_flag(flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = jit.digest()
    monkeypatch.setitem(jit.FLAGS, flag, "changed")
    assert jit.digest() != before


def test_kernels_release_the_gil_and_are_cached_under_the_digest() -> None:
    from ks_env.core.bits import bit

    assert jit.FLAGS["nogil"] is True
    assert bit.targetoptions["nogil"] is True  # type: ignore[attr-defined]
    assert Path(bit._cache.cache_path).is_relative_to(jit.CACHE)  # type: ignore[attr-defined]
    assert jit.CACHE.name == jit.digest()


def test_other_packages_keep_their_cache() -> None:
    before = config.CACHE_DIR
    jit.kernel(_increment)
    assert before == config.CACHE_DIR
    theirs = numba.njit(cache=True)(_increment)
    assert not Path(theirs._cache.cache_path).is_relative_to(jit.cache_root())


def _increment(x: int) -> int:
    return x + 1


def _run(script: Path, cache: Path) -> tuple[list[str], str]:
    environment = {**os.environ, "KS_ENV_CACHE_DIR": str(cache), "PYTHONPATH": str(jit.ROOT)}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split(), done.stderr


def test_compiled_once_with_a_message_and_loaded_afterwards(tmp_path: Path) -> None:
    script, cache = tmp_path / "script.py", tmp_path / "cache"
    script.write_text(SCRIPT)
    (hits, path), said = _run(script, cache)
    assert hits == "0"
    assert Path(path).is_relative_to(cache)
    assert "ks_env: compiling kernels for doubling, once for this version" in said
    assert re.search(r"ks_env: compiled in \d+ s", said)
    (hits, again), said = _run(script, cache)
    assert hits == "1"
    assert again == path
    assert said == ""


def test_a_run_that_fails_to_compile_leaves_the_kernels_cold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jit, "CACHE", tmp_path / "digest")
    monkeypatch.setenv("KS_ENV_CACHE_DIR", str(tmp_path))

    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        jit.compile_once("some", fail)
    assert jit.is_cold("some")
    calls: list[int] = []
    jit.compile_once("some", lambda: calls.append(1))
    jit.compile_once("some", lambda: calls.append(2))
    assert calls == [1]
    assert not jit.is_cold("some")
    assert jit.is_cold("others")
    assert capsys.readouterr().err.count("compiling kernels for some") == 2


def test_old_caches_are_forgotten_but_the_newest_four(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KS_ENV_CACHE_DIR", str(tmp_path))
    for age, letter in enumerate("fedcba"):
        folder = tmp_path / (letter * 20)
        (folder / "inside").mkdir(parents=True)
        (folder / "inside" / "kernel.nbi").write_text("x")
        (folder / "self-play.compiled").touch()
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    strangers = ["file", "photos", "0" * 20]  # no folder, no digest, nothing compiled
    (tmp_path / "file").write_text("kept")
    for name in strangers[1:]:
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1, 1))
    jit.forget_old_caches()
    kept = [letter * 20 for letter in "cdef"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*strangers, *kept])


def test_the_cache_folder_is_the_users_unless_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KS_ENV_CACHE_DIR", str(tmp_path))
    assert jit.cache_root() == tmp_path
    monkeypatch.delenv("KS_ENV_CACHE_DIR")
    assert jit.cache_root().name == "ks_env"
    assert jit.cache_root().is_absolute()
