"""The benchmark of particles: a row for each size and care, and what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import particles


def test_it_measures_and_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(particles, "PLIES", 20)
    file = tmp_path / "new" / "speed.json"
    particles.main("5,20", "uniform", 2, 3, file)
    found = json.loads(file.read_text())
    assert [row["boards"] for row in found["rows"]] == [5, 5, 20, 20]
    for row in found["rows"]:
        times = row["microseconds a turn"]
        assert 0 < times["min"] <= times["median"] <= times["max"]
    assert "not rejuvenated" in capsys.readouterr().out
