"""The command: figures in the tables and the file, players by name, and an end at a contradiction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ks_env.core.ruleset import RULESETS
from tests.belief.metaposition import run

SMALL = ["--plies", "60", "--games", "1", "--player-plies", "20"]


@pytest.fixture(autouse=True)
def _two_rulesets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command goes through all alike; `test_containment` and others play under each."""
    monkeypatch.setattr(run, "RULESETS", {name: RULESETS[name] for name in ("icc", "berkeley-any")})


def test_the_figures_of_a_run(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    done = CliRunner().invoke(run.app, [*SMALL, "--player", "random", "--result", str(path)])
    assert done.exit_code == 0, done.output
    result = json.loads(path.read_text())
    assert result["containment"]["icc"]["plies"] >= 10
    assert result["containment"]["random and random, all rulesets"]["plies"] >= 20
    assert {row["contradictions"] for row in result["containment"].values()} == {0}
    assert set(result["information sets"]) == set(run.PHASES)
    rows = [row for by_turn in result["information sets"]["ending"].values() for row in by_turn.values()]
    assert all(row["ratio"] >= 1 for row in rows)
    assert {row["not exact"] for row in result["bare kings"].values()} == {0}
    assert {row["of them against the claim of the paper"] for row in result["entropy"].values()} == {0}
    assert "Containment" in done.output


def test_a_contradiction_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_: object, **__: object) -> tuple[int, int]:
        raise AssertionError("icc, seed 7: a ghost is contradicted")

    monkeypatch.setattr(run, "check_game", found)
    done = CliRunner().invoke(run.app, SMALL)
    assert done.exit_code == 1
    assert "seed 7" in done.output
