"""The commands of the long runs: progress, resuming, results, replaying a transcript."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests import fuzz, long_run
from tests.duel import Duel
from tests.games.dark.oracle import DarkOracle
from tests.leaks import run as leaks

FUZZ = ["--ruleset", "rand", "--tries"]
LEAKS = ["--ruleset", "icc", "--pairs"]


def invoke(app: object, folder: Path, *arguments: str) -> str:
    done = CliRunner().invoke(app, [*arguments, "--progress-folder", str(folder)])  # type: ignore[arg-type]
    assert done.exit_code == 0, done.output
    return done.output


def test_a_resumed_fuzz_is_the_same_run(tmp_path: Path) -> None:
    once, twice = tmp_path / "once", tmp_path / "twice"
    invoke(fuzz.app, once, *FUZZ, "900")
    invoke(fuzz.app, twice, *FUZZ, "300")
    invoke(fuzz.app, twice, *FUZZ, "900", "--resume", "--result", str(tmp_path / "result.json"))
    counts = [json.loads((folder / "rand-1.json").read_text())["counts"] for folder in (once, twice)]
    assert counts[0] == counts[1]
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["in all"] == {"rand": {"tries": counts[0]["tries"]}}
    assert counts[0]["tries"] >= 900
    assert [run["sources"] for run in result["runs"]] == [long_run.SOURCES]


def test_a_result_is_the_sum_of_its_runs(tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    for seed, ruleset in ((1, "rand"), (2, "rand"), (2, "dark"), (2, "rand")):
        arguments = ("--ruleset", ruleset, "--tries", "60", "--seed", str(seed), "--result", str(result))
        invoke(fuzz.app, tmp_path, *arguments)
    told = json.loads(result.read_text())
    assert [(run["name"], run["seed"]) for run in told["runs"]] == [("rand", 1), ("rand", 2), ("dark", 2)]
    first, second, dark = (run["counts"]["tries"] for run in told["runs"])
    assert told["in all"] == {"rand": {"tries": first + second}, "dark": {"tries": dark}}
    assert min(first, second, dark) >= 60


def test_progress_of_other_sources_is_not_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    invoke(fuzz.app, tmp_path, *FUZZ, "50")
    monkeypatch.setattr(long_run, "SOURCES", "others")
    done = CliRunner().invoke(fuzz.app, [*FUZZ, "99", "--resume", "--progress-folder", str(tmp_path)])
    assert done.exit_code != 0


def test_a_difference_ends_the_run_with_its_transcript(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Duel, "compare_boards", lambda duel: duel._fail("made up"))
    done = CliRunner().invoke(fuzz.app, [*FUZZ, "50", "--progress-folder", str(tmp_path)])
    assert done.exit_code == 1
    assert "made up" in done.output
    recipe = next(line for line in done.output.splitlines() if line.startswith("{"))
    transcript = tmp_path / "transcript.json"
    transcript.write_text(recipe)
    monkeypatch.undo()
    assert "No difference" in invoke(fuzz.app, tmp_path, "--replay", str(transcript))


def test_the_leak_run_counts_pairs(tmp_path: Path) -> None:
    invoke(leaks.app, tmp_path, *LEAKS, "5")
    invoke(leaks.app, tmp_path, *LEAKS, "25", "--resume", "--result", str(tmp_path / "result.json"))
    result = json.loads((tmp_path / "result.json").read_text())
    counts = result["runs"][0]["counts"]
    assert result["in all"] == {"icc": {"pairs": counts["pairs"]}}
    assert counts["comparisons"] > counts["pairs"] >= 25
    invoke(
        leaks.app, tmp_path, "--ruleset", "dark", "--pairs", "3", "--result", str(tmp_path / "result.json")
    )
    assert json.loads((tmp_path / "result.json").read_text())["in all"]["dark"]["pairs"] >= 3


def test_a_difference_in_dark_chess_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DarkOracle, "in_sight", lambda *_: [0] * 7)
    done = CliRunner().invoke(fuzz.app, ["--ruleset", "dark", "--progress-folder", str(tmp_path)])
    assert done.exit_code == 1
    recipe = next(line for line in done.output.splitlines() if line.startswith("{"))
    transcript = tmp_path / "transcript.json"
    transcript.write_text(recipe)
    assert CliRunner().invoke(fuzz.app, ["--replay", str(transcript)]).exit_code == 1
    monkeypatch.undo()
    assert "No difference" in invoke(fuzz.app, tmp_path, "--replay", str(transcript))
