"""The speed command: positions of all stages, sums that add up, and a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.mcts import LOOP, main, sample_positions, summary


def test_positions_are_of_all_stages() -> None:
    samples = sample_positions(1, ((0, 10), (10, 30), (30, 60)))
    assert len(samples) == 3
    assert all(len(sample.tries) > 1 for sample in samples)


def test_ratios_are_of_the_same_round() -> None:
    rates = {"mcts-c": [10.0, 30.0, 20.0], "mcts-b:k=1": [1.0, 2.0, 4.0]}
    found = summary(rates, {"mcts-c": [1.9]}, {"mcts-c": [0.95]})
    assert found["two threads to one, by core"]["mcts-c"]["median"] == 0.95
    assert found["ratio"]["mcts-c to mcts-b:k=1"] == {"median": 10.0, "min": 5.0, "max": 15.0}


@pytest.mark.slow
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "speed.json"
    main(["--rounds", "1", "--seconds", "0.05", "--nodes", "100", "--json", str(file)])
    found = json.loads(file.read_text())
    assert set(found) == {
        "setting",
        "nodes a second",
        "ratio",
        *(f"two threads to one{how}" for how in ("", ", by core")),
    }
    assert all(row["median"] > 0 for row in found["nodes a second"].values())
    assert set(found["two threads to one"]) == {"mcts-c", "mcts-b:k=1", LOOP}
    shown = " ".join(capsys.readouterr().out.split())
    assert "mcts-b:k=1" in shown
    assert all(word in shown for word in ["the", "paper:", "10", "to", "20"])  # the table may break the line


@pytest.mark.parametrize("wrong", [["--rounds", "0"], ["--seconds", "-1"], ["--nodes", "0"]])
def test_settings_that_measure_nothing(wrong: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(wrong)
