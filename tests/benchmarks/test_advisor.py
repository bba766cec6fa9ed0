"""The speed command: the same positions every time, a table and a file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import advisor as speed


def test_positions_are_the_same_every_time() -> None:
    first = speed.sample_positions(2, 20)
    assert len(first) == 6
    assert np.array_equal(first, speed.sample_positions(2, 20))


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "DEPTHS", (1, 2))
    speed.main(["--rounds", "1", "--json", str(tmp_path / "speed.json")])
    found = json.loads((tmp_path / "speed.json").read_text())
    assert set(found["depths"]) == {"1", "2"}
    assert all(row["median"] > 0 for row in found["depths"].values())
    assert "ms a root" in " ".join(capsys.readouterr().out.split())
