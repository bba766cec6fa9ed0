import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ks_arena.statistics.davidson import chances
from ks_arena.statistics.pairs import SHARES
from ks_arena.statistics.sprt import Sprt
from typer.testing import CliRunner

from research import coverage
from research.coverage import SPRT_SCENARIOS, app, judge, judge_sprt, run_tests
from research.scenarios import SCENARIOS, Scenario, classes_of, joint, pair_law

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/statistics.md"
# Columns of the table in the page
IN_PAGE = (
    "wins with White: Wilson",
    "points by pair: likelihood",
    "ratings: sandwich",
    "White's advantage: sandwich",
    "points by pair: score",
    "points by pair: normal",
    "points by pair: bootstrap",
    "ratings: hessian",
    "ratings: bootstrap",
)

LAWS = st.tuples(*[st.floats(0.05, 1)] * 3).map(lambda each: np.array(each) / sum(each))


@settings(max_examples=40, deadline=None)
@given(LAWS, LAWS, st.floats(-0.9, 0.9))
def test_games_that_hang_together_keep_their_own_chances(
    first: np.ndarray, second: np.ndarray, correlation: float
) -> None:
    table = joint(first, second, correlation).reshape(3, 3)
    assert table.sum(1) == pytest.approx(first, abs=1e-4)
    assert table.sum(0) == pytest.approx(second, abs=1e-4)
    points = np.array([1, 0.5, 0])
    together = points @ table @ (1 - points) - (points @ first) * ((1 - points) @ second)
    if abs(correlation) > 0.05:
        assert np.sign(together) == np.sign(correlation)


def test_drawn_studies_have_the_chances_of_the_model() -> None:
    scenario = Scenario("s", (0.5, 0.0, -0.3), (300, 0, 200), 0.4, 2.0, 0.5)
    times = scenario.draw(400, np.random.default_rng(1))
    counts = scenario.design.counts(times).sum(0)
    assert counts.sum(-1).tolist() == [400 * 300] * 2 + [400 * 200] * 2
    expected = chances(scenario.design, scenario.parameters[None])[0]
    assert counts / counts.sum(-1, keepdims=True) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize("correlation", [-0.7, 0.0, 0.7])
def test_law_of_a_pair_has_the_points_asked_for(correlation: float) -> None:
    law = pair_law(0.55, 3.0, 0.2, correlation)
    assert law.sum() == pytest.approx(1)
    assert law @ SHARES == pytest.approx(0.55, abs=1e-6)


def test_classes_count_the_first_players_points() -> None:
    # won both, drew with White and lost with Black (White won), lost both
    kinds = np.zeros((3, 9), dtype=int)
    kinds[0, 0 * 3 + 2] = kinds[1, 1 * 3 + 0] = kinds[2, 2 * 3 + 0] = 1
    assert classes_of(kinds).argmax(-1).tolist() == [4, 1, 0]


def test_defaults_hold_in_a_small_run() -> None:
    """300 studies: the standard error of a coverage of 95 % is 1.3 %, so all within three of them."""
    scenario = Scenario("small", (0.4, 0.0, -0.4), 50, 0.3, 1.0, 0.6)
    rows = {row["method"]: row for row in judge(scenario, 300, np.random.default_rng(2))}
    for row in rows.values():
        if row["default"]:
            assert 0.91 <= row["coverage"] <= 0.985, row
    # what ignores the pairs is too short where the start suits a player
    assert rows["ratings: hessian"]["coverage"] < 0.93
    assert rows["wins with both colours: Wilson, pairs ignored"]["coverage"] < 0.93


def test_sequential_test_keeps_its_word_in_a_small_run() -> None:
    row = judge_sprt(SPRT_SCENARIOS[2], 300, np.random.default_rng(3))
    for truth in ("H0", "H1"):
        assert row[f"wrong under {truth}"] <= 0.09  # 5 % and three standard errors
        assert row[f"undecided under {truth}"] == 0
        assert 40 < row[f"mean pairs under {truth}"] < 160


def test_simulated_test_is_the_one_of_users() -> None:
    law, test = np.array([0.1, 0.2, 0.3, 0.25, 0.15]), Sprt(0, 60)
    accepted, lengths = run_tests(test, law, 8, np.random.default_rng(4))
    # the same draws again, one study after the other
    generator, counts = np.random.default_rng(4), list(range(8))
    pairs: dict[int, Any] = {}
    found: dict[int, Any] = {}
    while counts:
        block = generator.multinomial(1, law, size=(len(counts), 100)).argmax(-1)
        for study, classes in zip(list(counts), block, strict=True):
            pairs.setdefault(study, []).extend([(min(c / 2, 1), max(c / 2 - 1, 0)) for c in classes.tolist()])
            found[study] = test.run_in_order(pairs[study])
        counts = [study for study in counts if found[study] is None]
    assert [found[study].stopped_at for study in range(8)] == lengths.tolist()
    assert [{"H1": 1, "H0": -1}[found[study].accepted] for study in range(8)] == accepted.tolist()


def test_command_writes_what_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "SCENARIOS", SCENARIOS[:1])
    monkeypatch.setattr(coverage, "SPRT_SCENARIOS", SPRT_SCENARIOS[2:3])
    path = tmp_path / "coverage.json"
    result = CliRunner().invoke(app, ["--studies", "20", "--seed", "3", "--result", str(path)])
    assert result.exit_code == 0, result.output
    summary = json.loads(path.read_text())
    assert summary["command"].endswith(f"--studies 20 --seed 3 --result {path}")
    assert {"numpy", "python"} <= set(summary["versions"])
    assert {row["scenario"] for row in summary["intervals"]} == {SCENARIOS[0].name}
    assert len(summary["sprt"]) == 1


def test_published_figures_are_of_these_scenarios_and_hold() -> None:
    summary = json.loads((ROOT / "docs/results/coverage.json").read_text())
    assert summary["studies"] >= 1000
    assert [each["name"] for each in summary["scenarios"]] == [each.name for each in SCENARIOS]
    assert [row["scenario"] for row in summary["sprt"]] == [each.name for each in SPRT_SCENARIOS]
    fallen = {row["scenario"] for row in summary["intervals"] if row["default"] and not row["holds"]}
    assert fallen <= {each.name for each in SCENARIOS if each.beyond}
    assert all(row["holds under H0"] and row["holds under H1"] for row in summary["sprt"])


def test_the_page_has_the_published_figures() -> None:
    summary = json.loads((ROOT / "docs/results/coverage.json").read_text())
    lines = {
        line.split("|")[1].strip(): line for line in PAGE.read_text().splitlines() if line.startswith("|")
    }
    for scenario in SCENARIOS:
        rows = {row["method"]: row for row in summary["intervals"] if row["scenario"] == scenario.name}
        shown = [cell.strip().rstrip("*") for cell in lines[scenario.name].split("|")[2:-1]]
        assert shown == [f"{100 * rows[method]['coverage']:.1f}" for method in IN_PAGE]
    for row in summary["sprt"]:
        for truth in ("H0", "H1"):
            assert f"{100 * row[f'wrong under {truth}']:.1f}" in lines[row["scenario"]]
            assert f"{row[f'mean pairs under {truth}']:.0f}" in lines[row["scenario"]]
