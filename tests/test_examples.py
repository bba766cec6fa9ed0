"""The examples run as they stand."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_ppo_in_one_file(tmp_path: Path) -> None:
    options = ["--seconds", "1", "--opponents", "random*2,capture*2", "--games", "5", "--save", "weights.pt"]
    run = [sys.executable, str(EXAMPLES / "ppo.py"), *options]
    printed = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    lines = printed.splitlines()
    assert [line.partition(":")[0] for line in lines[-2:]] == ["random", "capture"]
    assert (tmp_path / "weights.pt").stat().st_size > 10_000
    assert len((EXAMPLES / "ppo.py").read_text().splitlines()) <= 250
