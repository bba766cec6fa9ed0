"""Records: the dtype that a declaration gives, and what mypy makes of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from ks_env.core.record import Array, Record, dtype_of, field

ROOT = Path(__file__).resolve().parents[2]

WRONG = """
from ks_env.core.layout import Rules
from ks_env.core.record import Array
from ks_env.core.tries import INFORMED
from ks_env.games.kriegspiel.layout import GameRow
from ks_env.games.kriegspiel.tries import list_tries

def leak(game: GameRow, rules: Rules, out: Array) -> int:
    return list_tries(game.truth, rules, INFORMED, out)
"""


class Base(Record):
    boards: Array = field("u8", (7,))
    told: int


class Sized(Base):
    told: int = field("u1")
    rows: Array = field("i2", ("rows", 3))


def test_a_declaration_gives_an_aligned_dtype() -> None:
    sized = dtype_of(Sized, rows=5)
    assert sized == np.dtype([("boards", "u8", (7,)), ("told", "u1"), ("rows", "i2", (5, 3))], align=True)
    assert np.zeros(2, sized)["rows"].shape == (2, 5, 3)


def _mypy(path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_mypy_refuses_the_truth_where_a_view_belongs(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "right.py").write_text(WRONG.replace("game.truth", "game.views[0]"))
    wrong, right = _mypy(tmp_path / "wrong.py"), _mypy(tmp_path / "right.py")
    assert 'has incompatible type "Truth"; expected "View"' in wrong.stdout
    assert right.returncode == 0, right.stdout
