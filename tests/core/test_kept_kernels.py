"""Kernels on disk: kept by one process and loaded by the next, and compiled by one of several."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ks_env.core import cache, jit

ROOT = Path(jit.__file__).resolve().parents[2]  # the folder that holds the packages

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


def _run(script: Path, folder: Path, *words: str, **environment: str) -> tuple[list[str], str]:
    variables = {**os.environ, "KS_ENV_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(
        [sys.executable, str(script), *words], env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
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


FACTORY = {
    "helper.py": """
from ks_env.core import jit
@jit.kernel
def shift(x):
    return x + 100
""",
    "judges.py": """
from ks_env.core import jit
import helper
shift = helper.shift
def make_judge(n):
    @jit.kernel
    def judge(x):
        return shift(x) * n
    return judge
""",
    "factory.py": """
from ks_env.core import jit
def make(judge):
    @jit.kernel
    def step(x):
        return judge(x) + 1
    @jit.kernel
    def steps(x):
        return step(x) + step(x + 1)
    return steps, step
""",
    "main.py": """
import sys, factory, judges
from ks_env.core import jit
made = []
for n in map(int, sys.argv[1:]):
    steps, step = factory.make(judges.make_judge(n))
    print(n, steps(1), step(1), *(sum(k.stats.cache_hits.values()) for k in (steps, step)))
    made.append(step)
def make_both(one, two):
    @jit.kernel
    def both(x):
        return 1000 * one(x) + two(x)
    return both
if len(made) == 2:
    print(make_both(*made)(1))
""",
}


def _expect(n: int, hits: str, offset: int = 100) -> list[str]:
    one, two = n * (1 + offset) + 1, n * (2 + offset) + 1
    return f"{n} {one + two} {one} {hits}".split()


def test_kernels_made_by_a_function_are_kept_and_do_not_mix(tmp_path: Path) -> None:
    for name, text in FACTORY.items():
        (tmp_path / name).write_text(text)
    script, folder = tmp_path / "main.py", tmp_path / "cache"
    assert _run(script, folder, "2")[0] == _expect(2, "0 0")
    assert _run(script, folder, "3")[0] == _expect(3, "0 0")  # compiled as the first of its process, like 2
    files = sorted(folder.rglob("*.nbc"))
    for order, both in (((2, 3), 203304), ((3, 2), 304203)):
        found = _run(script, folder, *map(str, order))[0]
        assert found == [*_expect(order[0], "1 1"), *_expect(order[1], "1 1"), str(both)]
    assert len(files) == 9  # shift, and twice: judge, steps, and step for Python and for steps
    assert {path for path in folder.rglob("*.nbc") if "both" not in path.name} == set(files)
    (tmp_path / "helper.py").write_text(FACTORY["helper.py"].replace("100", "200"))
    assert _run(script, folder, "2")[0] == _expect(2, "0 0", 200)  # factory.py does not import it
    assert _run(script, folder, "2")[0] == _expect(2, "1 1", 200)


def test_a_namedtuple_of_kernels_is_closed_over(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        """
import sys
from typing import NamedTuple
from ks_env.core import jit
class Game(NamedTuple):
    judge: object
    size: int
@jit.kernel
def judge(x):
    return 2 * x
def make(game):
    judge, size = game
    @jit.kernel
    def step(x):
        return judge(x) + size
    return step
for size in (3, 4):
    step = make(Game(judge, size))
    print(step(1), sum(step.stats.cache_hits.values()))
"""
    )
    assert _run(script, tmp_path / "cache")[0] == ["5", "0", "6", "0"]
    assert _run(script, tmp_path / "cache")[0] == ["5", "1", "6", "1"]


@pytest.mark.parametrize("keep", [0, 0.5])
def test_a_damaged_file_is_compiled_anew_and_replaced(tmp_path: Path, keep: float) -> None:
    script, folder = tmp_path / "script.py", tmp_path / "cache"
    script.write_text(SCRIPT)
    _run(script, folder)
    files = list(folder.rglob("*.nbc"))
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[: int(keep * path.stat().st_size)])
    assert [_run(script, folder)[0][0] for _ in range(2)] == ["0", "1"]
    for path in files:
        path.write_bytes(path.read_bytes()[:-64] + bytes(64))  # as long as it was
    (hits, _), said = _run(script, folder)
    assert (hits, said) == ("0", "")


def test_a_folder_that_cannot_be_written_gives_way_to_a_temporary_one(tmp_path: Path) -> None:
    script, refused = tmp_path / "script.py", tmp_path / "file"
    refused.write_text("kept")
    inner = "import subprocess; subprocess.run([sys.executable, __file__, 'child'], check=True)"
    script.write_text(SCRIPT + f"\nif len(sys.argv) == 1:\n    {inner}\n")
    (tmp_path / "temporary").mkdir()
    (child_hits, where, hits, path), said = _run(
        script, refused / "below", TMPDIR=str(tmp_path / "temporary")
    )
    assert sorted((hits, child_hits)) == ["0", "1"]
    assert where == path
    assert said.count("KS_ENV_CACHE_DIR") == 1
    assert Path(path).is_relative_to(tmp_path / "temporary")
    assert not any((tmp_path / "temporary").iterdir())
    assert not (tmp_path / "__pycache__").exists()


def test_without_any_folder_kernels_are_compiled_without_a_cache(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    (tmp_path / "file").write_text("kept")
    script.write_text(f"import tempfile\ntempfile.tempdir = {str(tmp_path / 'none')!r}\n{SCRIPT}")
    (hits, path), said = _run(script, tmp_path / "file" / "below")
    assert (hits, path) == ("0", "None")
    assert said.count("KS_ENV_CACHE_DIR") == 1
    assert not (tmp_path / "__pycache__").exists()


def test_kernels_without_a_file_are_not_kept(tmp_path: Path) -> None:
    variables = {**os.environ, "KS_ENV_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable], input=SCRIPT, env=variables, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0", "None"]


def test_of_processes_that_begin_at_once_one_compiles(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("lambda: double(3)", "lambda: (double(3), time.sleep(1))"))
    script.write_text("import time\n" + script.read_text())
    variables = {**os.environ, "KS_ENV_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(script)]
    running = [
        subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate() for process in running]
    assert sorted(out.split()[0] for out, _ in outputs) == ["0", "1"]
    assert sum(err.count("compiling kernels") for _, err in outputs) == 1


def test_who_waits_is_told_what_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KS_ENV_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(jit, "SAID_AFTER", 0.0)
    answers = iter([False, False, True])
    monkeypatch.setattr(jit, "_lock", lambda _: next(answers))
    jit.compile_once("some", lambda: None)
    assert capsys.readouterr().err.count("waiting for another process that compiles kernels for some") == 1


def test_code_for_another_processor_is_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    here = jit.flags_digest()
    assert here == jit.FLAGS_DIGEST
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: "another")
    assert jit.flags_digest() != here


def test_a_run_that_fails_to_compile_leaves_the_kernels_cold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KS_ENV_CACHE_DIR", str(tmp_path))

    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        jit.compile_once("some", fail)
    assert jit.is_cold("some", __name__)
    calls: list[int] = []
    jit.compile_once("some", lambda: calls.append(1))
    jit.compile_once("some", lambda: calls.append(2))
    assert calls == [1]
    assert not jit.is_cold("some", __name__)
    assert jit.is_cold("others", __name__)
    assert capsys.readouterr().err.count("compiling kernels for some") == 2


def test_old_folders_are_forgotten_but_the_newest_four(tmp_path: Path) -> None:
    flags = tmp_path / ("f" * 20)
    for label in ("ks_env.a", "ks_env.a+12345678", "ks_env.b"):
        for age, letter in enumerate("fedcba"):
            folder = flags / f"{label}-{letter * 20}"
            folder.mkdir(parents=True)
            os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    for age, letter in enumerate("abcde"):
        (tmp_path / (letter * 20) / f"ks_env.a-{letter * 20}").mkdir(parents=True)
        os.utime(tmp_path / (letter * 20), (1_000_000 - age, 1_000_000 - age))
    strangers = ["photos", "0" * 20]  # no digest, nothing compiled
    for name in strangers:
        (tmp_path / name).mkdir()
        (flags / name).mkdir()
        os.utime(tmp_path / name, (1, 1))
    cache.make_folder(flags / f"ks_env.a-{'0' * 20}")
    names = {path.name for path in flags.iterdir()}
    assert {n[-1] for n in names if n.startswith("ks_env.a-")} == set("0fed")
    assert sum(n.startswith(("ks_env.a+", "ks_env.b-")) for n in names) == 12
    assert names >= set(strangers)
    assert {path.name for path in tmp_path.iterdir()} == {*strangers, *(letter * 20 for letter in "fabc")}


def test_the_cache_folder_is_the_users_unless_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KS_ENV_CACHE_DIR", str(tmp_path))
    assert jit.cache_root() == tmp_path
    monkeypatch.delenv("KS_ENV_CACHE_DIR")
    assert jit.cache_root().name == "ks_env"
    assert jit.cache_root().is_absolute()


CALLING = """
from ks_env.core import jit

@jit.kernel
def inner(x, words):
    if x < 0:
        raise ValueError("below zero", x)
    words.append(str(x))
    return 2 * x

@jit.kernel
def outer(x):
    words = ["begin"]
    return inner(x, words) + len(words)

assert outer(4) == 10
try:
    outer(-1)
except ValueError as fault:
    print(fault.args[0])
called = jit.as_called(inner)
(code,) = called.overloads.values()
hits = [sum(each.stats.cache_hits.values()) for each in (called, outer)]
print(type(code.library).__name__, *hits)
"""


def test_called_kernels_have_no_machine_code_and_are_linked_in(tmp_path: Path) -> None:
    script = tmp_path / "calling.py"
    script.write_text(CALLING)
    first, _ = _run(script, tmp_path / "cache")
    assert first == ["below", "zero", "CalledLibrary", "0", "0"]
    for path in (tmp_path / "cache").rglob("outer-*.nbc"):
        path.unlink()
    second, _ = _run(script, tmp_path / "cache")
    assert second == ["below", "zero", "CalledLibrary", "1", "0"]
