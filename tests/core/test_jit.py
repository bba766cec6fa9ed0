"""Where compiled kernels are kept, and when they are compiled anew."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba.core import config

from ks_env.core import cache, jit

ROOT = Path(jit.__file__).resolve().parents[2]  # the folder that holds the packages

PACKAGES = ("ks_env", "baselines/ks_baselines")


def package_files() -> list[Path]:
    return [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]


def test_only_jit_configures_numba() -> None:
    called = re.compile(r"\b(njit|vectorize|guvectorize|jitclass)\b")
    using = [path.name for path in package_files() if called.search(path.read_text())]
    assert using == ["jit.py"]


# ------------------------------------------------------------ digests


def test_the_core_does_not_depend_on_players() -> None:
    assert {"ks_env.core.bits", "ks_env.core.jit"} < cache.imports("ks_env.core.position")
    assert not any("players" in name for name in cache.imports("ks_env.core.position"))
    assert "ks_env.core.position" in cache.imports("ks_env.players.kernel")
    assert "numpy" not in cache.imports("ks_env.players.kernel")


def test_import_statements_are_found_wherever_they_stand() -> None:
    source = """
import a.b, c as d
from e import (  # f)
    g,  # h
    i as j,
)
from . import k
from .l import m; import n
from ..o import p, \\
    q
def late():
    from r import *
if late: import s
# what is important here
"""
    found = cache._imported_names(source, "top.mid.own", "top.mid")
    assert found == {
        *("a", "a.b", "c", "e", "e.g", "e.i", "top.mid", "top.mid.k", "top.mid.l", "top.mid.l.m", "n"),
        *("top.o", "top.o.p", "top.o.q", "r", "r.*", "s"),
    }


def test_the_digest_changes_with_what_is_imported_and_with_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "ks_toy/__init__.py": "",
        "ks_toy/kernels.py": "from .sub import table\nimport numpy",
        "ks_toy/sub/__init__.py": "import ks_other.deep",
        "ks_toy/sub/table.py": "X = 1",
        "ks_toy/player.py": "from . import kernels",
        "ks_other/deep.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)

    def fresh() -> str | None:
        for function in vars(cache).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()
        return cache.digest(["ks_toy.kernels"])

    before = fresh()
    covered = cache.imports("ks_toy.kernels")
    assert covered == {"ks_toy.kernels", "ks_toy.sub", "ks_toy.sub.table", "ks_other", "ks_other.deep"} - {
        "ks_other"  # it has no file
    }
    for name in files:
        (tmp_path / name).write_text(files[name] + "\n")
        module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        assert (fresh() != before) == (module in covered), module
        (tmp_path / name).write_text(files[name])
        assert fresh() == before
    assert "ks_toy" not in sys.modules
    assert cache.digest(["no_such_module"]) is None


@pytest.mark.parametrize("name", jit.ENVIRONMENT)
def test_the_digest_changes_with_numbas_variables(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(name, raising=False)
    without = jit.flags_digest()
    monkeypatch.setenv(name, "1")
    assert jit.flags_digest() != without


def test_bounds_checking_has_a_cache_of_its_own() -> None:
    assert "NUMBA_BOUNDSCHECK" in jit.ENVIRONMENT


@pytest.mark.parametrize("flag", [*jit.FLAGS, "fastmath"])
def test_the_digest_changes_with_every_flag(flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = jit.flags_digest()
    monkeypatch.setitem(jit.FLAGS, flag, "changed")
    assert jit.flags_digest() != before


def test_kernels_release_the_gil_and_are_cached_under_the_digests() -> None:
    from ks_env.core.bits import bit

    dispatcher: Any = bit
    assert jit.FLAGS["nogil"] is True
    assert dispatcher.targetoptions["nogil"] is True
    folder = Path(dispatcher._cache.cache_path)
    assert folder.name == f"ks_env.core.bits-{cache.digest(['ks_env.core.bits'])}"
    assert folder.parent.name == jit.flags_digest()


def test_other_packages_keep_their_cache() -> None:
    before = config.CACHE_DIR
    jit.kernel(_increment)
    assert before == config.CACHE_DIR
    theirs = numba.njit(cache=True)(_increment)
    assert not Path(theirs._cache.cache_path).is_relative_to(jit.cache_root())


def _increment(x: int) -> int:
    return x + 1


# ------------------------------------------------------------ what kernels close over


class Pair(NamedTuple):
    first: object
    second: object


def _frozen(*values: int) -> np.ndarray[Any, Any]:
    array = np.array(values)
    array.setflags(write=False)
    return array


def test_different_values_have_different_descriptions() -> None:
    values: list[object] = [1, 1.0, True, "1", b"1", None, 0.0, -0.0, (1,), (1, 1), Pair(1, 1), np.int8(1)]
    values += [np.int16(1), np.int64, np.dtype(np.int64), _frozen(1), _frozen(2), np]
    values += [np.dtype([("a", np.int8)]), 1j, _frozen(1).reshape(1, 1), jit.kernel(_increment)]
    assert len({cache.describe(value, set()) for value in values}) == len(values)


@pytest.mark.parametrize("value", [[1], {}, np.zeros(1), np.array([None]), object(), _increment, (1, [])])
def test_what_has_no_description_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match=r"closes over 'value': .*expected kernels, numbers"):

        @jit.kernel
        def wrong() -> object:
            return value


def test_what_has_no_value_yet_is_refused() -> None:
    with pytest.raises(TypeError, match="closes over 'later', which has no value yet"):

        @jit.kernel
        def wrong() -> int:
            return later()

    def later() -> int:
        return 1


def test_what_changes_after_the_kernel_was_made_is_refused() -> None:
    value = 1

    @jit.kernel
    def late() -> int:
        return value

    value = 2
    with pytest.raises(TypeError, match="closes over has changed since it was made"):
        late()


@pytest.fixture
def no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing compiled before, so that signatures tell what a call compiles."""
    monkeypatch.setenv("KS_ENV_CACHE_DIR", str(tmp_path))


def test_numbers_written_in_calls_are_not_compiled_for_one_by_one(no_cache: None) -> None:
    @jit.kernel
    def inner(x: int, doubled: bool) -> int:
        return 2 * x if doubled else x

    @jit.kernel
    def outer(x: int) -> int:
        return inner(1, True) + inner(2, False) + inner(x, doubled=x > 2)

    assert outer(3) == 10
    assert len(jit.as_called(inner).signatures) == 1


def test_a_kernel_has_an_entry_for_python_once_python_calls_it(no_cache: None) -> None:
    @jit.kernel
    def inner(x: int) -> int:
        return 2 * x

    @jit.kernel
    def outer(x: int) -> int:
        return inner(x) + 1

    dispatcher: Any = inner
    assert outer(3) == 7
    assert (len(dispatcher.signatures), len(jit.as_called(inner).signatures)) == (0, 1)
    assert inner(3) == 6
    assert len(dispatcher.signatures) == 1


def test_a_kernel_may_call_itself() -> None:
    assert _factorial(5) == _half_factorial(5) * 2 == 120


@jit.kernel
def _factorial(x: int) -> int:
    return 1 if x < 2 else x * _factorial(x - 1)


@jit.kernel
def _half_factorial(x: int) -> int:
    return _factorial(x) // 2
