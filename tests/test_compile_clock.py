"""What Numba compiles is not charged to a test's time limit; all else is."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CONFTEST = "from tests import compile_clock\ncompile_clock.install()\n"
TESTS = """
from time import sleep
import numba
from numba.core.event import trigger_event

def compile_for(seconds):
    with trigger_event("numba:compile"):
        sleep(seconds / 2)
        with trigger_event("numba:compile"):  # of a kernel that is called
            sleep(seconds / 2)

def test_compiles_for_longer_than_the_limit():
    compile_for(2.0)
    compile_for(2.0)

def test_really_compiles():
    assert numba.njit(lambda x: x + 1)(1) == 2

def test_compiles_and_then_hangs():
    compile_for(2.0)
    sleep(20)

def test_hangs():
    sleep(20)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the limit is no signal here")
def test_the_limit_stands_still_while_kernels_are_compiled(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "--timeout", "1.5"]
    done = subprocess.run(
        [*command, "--rootdir", str(tmp_path), str(tmp_path)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.findall(r"^(PASSED|FAILED) \S+::(\w+)", done.stdout, re.MULTILINE)
    assert {name: verdict for verdict, name in found} == {
        "test_compiles_for_longer_than_the_limit": "PASSED",
        "test_really_compiles": "PASSED",
        "test_compiles_and_then_hangs": "FAILED",
        "test_hangs": "FAILED",
    }, done.stdout
