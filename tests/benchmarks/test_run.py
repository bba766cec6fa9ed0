import json
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer import BadParameter
from typer.testing import CliRunner

from benchmarks import arena, encoding, invisible, kernels, machine, measure, ours, peers, report, run
from benchmarks.learning import measure_learning
from benchmarks.measure import Contestant, NotInstalledError, Plan, Rates
from ks_env.core.actions import ACTIONS
from ks_env.core.cache import cache_root
from ks_env.games.kriegspiel.planes import COUNT

SHORT = Plan(rounds=2, seconds=0.01)


def contestant(name: str, tries: int, *, ours: bool) -> Contestant:
    """Makes so many tries at every call."""
    return Contestant(name, lambda: lambda: tries, ours)


def missing() -> measure.Step:
    raise NotInstalledError("peer: no such package")


@pytest.mark.parametrize(
    "make",
    [
        lambda: ours.self_play(4),
        lambda: ours.against("random", 4),
        lambda: ours.against("capture", 4),
        ours.aec,
        ours.solo,
    ],
    ids=["self-play", "random", "capture", "aec", "solo"],
)
def test_ours_play_whole_games(make: Any) -> None:
    step = make()
    assert sum(step() for _ in range(2000)) >= 1900  # all but the calls that begin a new game


def test_rounds_alternate_and_the_warm_up_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []

    def note(name: str) -> Contestant:
        def step() -> int:
            turns.append(name)
            return 1

        return Contestant(name, lambda: step)

    monkeypatch.setattr(measure, "rate", lambda step, seconds: float(step()))
    found = measure.run_rounds([note("a"), note("b")], Plan(rounds=3, seconds=1.0))
    assert turns == ["a", "b"] + ["a", "b"] * 3
    assert [rates.rates for rates in found] == [[1.0] * 3] * 2


def test_ratios_are_taken_within_a_round() -> None:
    fast, slow = Rates("fast", True, [10.0, 30.0, 40.0]), Rates("slow", False, [1.0, 2.0, 10.0])
    assert measure.ratios(fast, slow) == [10.0, 15.0, 4.0]
    assert measure.spread([10.0, 15.0, 4.0]) == {"median": 10.0, "min": 4.0, "max": 15.0}


def test_a_missing_peer_is_reported_and_gets_no_figure() -> None:
    part = run.compare(
        [
            contestant("own", 8, ours=True),
            contestant("peer", 2, ours=False),
            Contestant("gone", missing, False),
        ],
        SHORT,
        "title",
        "note",
    )
    own, peer, gone = part["rows"]
    assert part["peers"] == ["peer"]
    assert set(own["ratios"]) == {"peer"}
    assert own["ratios"]["peer"]["median"] > 1
    assert peer["ratios"] == {}
    assert gone["missing"] == "peer: no such package"
    assert "rate" not in gone
    page = report.markdown({"machine": _machine(), "parts": {"vector": part}})
    assert "| gone | not measured: peer: no such package |" in page


def _machine() -> dict[str, Any]:
    return machine.describe("command")


def test_open_spiel_is_missing_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(NotInstalledError, match="open-spiel"):
        peers.open_spiel(with_mask=False)


def test_quick_run_writes_both_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "BATCHES", (4,))
    app = typer.Typer()
    app.command()(run.main)
    done = CliRunner().invoke(app, ["--quick", "--only", "limits", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    results = json.loads((tmp_path / "speed.json").read_text())
    (row,) = results["parts"]["limits"]["rows"]
    assert row["bytes_written"] == COUNT * 64 + ACTIONS
    assert 0 < row["share"] < 1
    assert row["step_ns"] > row["fill_ns"]
    assert "## Batch size and limit" in (tmp_path / "speed.md").read_text()


def test_encoders_are_measured_against_players_by_name() -> None:
    rows = encoding.measure_encoders(["capture", "tests.envs.play:Scribe"], SHORT)
    opponents = [row["opponent"] for row in rows if row["encoder"] == "metaposition"]
    assert opponents == ["self-play", "capture", "tests.envs.play:Scribe"]
    for row in rows:
        assert 0 < row["ratio"]["min"] <= row["ratio"]["max"]
    part = {"title": "Encoders", "note": "note", "rows": rows}
    page = report.markdown({"machine": _machine(), "parts": {"encoders": part}})
    assert "| metaposition | capture | " in page


def test_invisible_chess_is_measured_beside_kriegspiel() -> None:
    rows = invisible.measure_invisible(SHORT, ["2B v 2B"])
    assert [row["opponent"] for row in rows] == ["self-play", "random", "capture"]
    assert all(0 < row["ratio"]["min"] <= row["ratio"]["max"] for row in rows)
    part = {"title": "Invisible chess", "note": "note", "rows": rows}
    page = report.markdown({"machine": _machine(), "parts": {"invisible": part}})
    assert "| random | 2B v 2B | " in page


def test_an_unknown_part_is_named() -> None:
    with pytest.raises(BadParameter, match="unknown part 'vectr'; expected some of vector, aec"):
        run.chosen_parts("vectr", quick=True)


def test_kernels_load_warm_in_a_process_of_their_own() -> None:
    ours.aec()()  # the same kernels, compiled into the cache that the child is told to use
    times = kernels.first_step("aec", str(cache_root()))
    assert 0 < times["first_step"] < 30


def test_a_child_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="KeyError: 'no-such-interface'"):
        kernels.first_step("no-such-interface", str(tmp_path))


def test_the_arena_counts_its_own_time_apart() -> None:
    for row in arena.measure_arena(games=4, rounds=1):
        assert row["games_per_minute"]["median"] > 0
        assert 0 < row["players_ms"]["median"] < row["game_ms"]["median"]
        assert row["around_ms"]["median"] > 0
        assert row["tries"]["median"] > 50


def test_learning_is_measured_on_both_environments() -> None:
    found = measure_learning(1, 1, quick=True)
    assert [row["name"] for row in found] == ["GameVecEnv(64)", "DummyVecEnv of 8 GameEnv"]
    for row in found:
        assert row["rollout"] == 512
        assert row["tries_per_second"]["median"] > 0
        assert 0 < row["environment_share"]["median"] < 1
