"""Faults at every call that changes a file: nothing is lost, and nothing is counted twice."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MOST = int(os.environ.get("KS_TEST_FAULTS", "25"))  # of each kind; all of them where there are fewer


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler and Linux")
    made = tmp_path_factory.mktemp("faults") / "faults.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(HERE / "faults.c"), "-ldl"], check=True
    )
    return made


@pytest.mark.parametrize("kind", ["study", "play", "files"])
def test_nothing_is_lost_or_counted_twice(kind: str, library: Path, tmp_path: Path) -> None:
    paths = [str(ROOT), *(str(ROOT / room) for room in ("arena", "baselines", "train", "play"))]
    done = subprocess.run(
        [sys.executable, str(HERE / "driver.py"), kind, str(library), str(tmp_path / "there"), str(MOST)],
        env=os.environ | {"LD_PRELOAD": str(library), "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) > 40
