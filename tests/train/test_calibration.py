"""Calibration of location maps: better than a guess, as often as foreseen, and the sums by another route."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from ks_train.belief.calibration import (
    FORESEERS,
    PHASES,
    QUESTIONS,
    Calibration,
    intervals,
    losses_of,
    reliability,
    summarise,
)
from ks_train.commands.main import app
from typer.testing import CliRunner

from ks_env.belief.network import shipped_network


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    made = Calibration()
    for _ in made.play(("capture", "capture"), 6, 0):
        pass
    return made


def test_maps_foresee_more_than_the_metaposition_alone(calibration: Calibration) -> None:
    rows = {row["question"]: row for row in summarise(calibration.samples) if row["phase"] == "all"}
    for question in QUESTIONS:
        row = rows[question]
        assert row["log loss of the location map"] < 0.95 * row["log loss of the uniform map"], question
    king = rows["king"]
    assert king["log loss of the location map"] < 0.75 * king["log loss of the uniform map"]


def test_what_is_foreseen_comes_about_as_often(calibration: Calibration) -> None:
    for row in summarise(calibration.samples):
        if row["question"] != "king" and row["phase"] == "all":
            assert row["foreseen by the location map"] == pytest.approx(row["came"], rel=0.2), row["question"]


def test_every_question_is_asked_in_every_phase(calibration: Calibration) -> None:
    asked = {(row["question"], row["phase"]) for row in summarise(calibration.samples)}
    assert asked == {(question, phase) for question in QUESTIONS for phase in (*PHASES, "all")}


def test_log_loss_of_certain_and_of_even_chances() -> None:
    came = np.array([True, False, True])
    assert losses_of(np.full(3, 0.5), came).mean() == pytest.approx(np.log(2))
    assert losses_of(np.array([1.0, 0.0, 1.0]), came).mean() == pytest.approx(1e-4, rel=1e-3)
    assert losses_of(np.array([0.8, 0.3, 0.6]), came).mean() == pytest.approx(-np.log([0.8, 0.7, 0.6]).mean())


def test_intervals_are_by_game_and_hold_the_means() -> None:
    rng = np.random.default_rng(0)
    games = np.repeat(np.arange(50), 20)
    first = 1 + rng.normal(size=50).repeat(20) / 10  # all that differs lies between the games
    means, saved = intervals(np.stack([first, 0.9 * first]), games)
    assert means[0, 0] < first.mean() < means[0, 1]
    assert np.diff(means[0])[0] == pytest.approx(2 * 1.96 * first.std() / np.sqrt(50), rel=0.15)
    assert saved[0] == pytest.approx(0)
    assert saved[1] == pytest.approx(0.1)


def test_reliability_counts_every_prediction_once() -> None:
    rng = np.random.default_rng(0)
    chances = rng.random(5000)
    came = rng.random(5000) < chances
    points = reliability(chances, came)
    assert sum(number for *_, number in points) == 5000
    assert len(points) == 10
    for foreseen, happened, _ in points:
        assert happened == pytest.approx(foreseen, abs=0.08)


def test_the_command_writes_what_it_prints(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["calibrate", "--players", "random", "--games", "1", "--out", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    result = json.loads((tmp_path / "calibration.json").read_text())
    assert result["players"] == ["random"]
    assert {row["question"] for row in result["rows"]} == set(QUESTIONS)
    assert all(f"log loss of the {name}" in result["rows"][0] for name in FORESEERS)
    assert (tmp_path / "calibration.png").stat().st_size > 10_000


def test_an_unknown_player_is_named() -> None:
    done = CliRunner().invoke(app, ["calibrate", "--players", "nobody"])
    assert done.exit_code != 0
    assert "nobody" in done.output


def test_a_network_that_is_told_of_particles_wants_them() -> None:
    with pytest.raises(ValueError, match="expected a number of them"):
        Calibration(shipped_network(particles=True))


def test_particles_are_judged_beside_maps(tmp_path: Path) -> None:
    options = ["--players", "random", "--games", "1", "--particles", "400", "--model", "uniform"]
    done = CliRunner().invoke(app, ["calibrate", *options, "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    result = json.loads((tmp_path / "calibration.json").read_text())
    assert (result["particles"], result["model"]) == (400, "uniform")
    rows = {row["question"]: row for row in result["rows"] if row["phase"] == "all"}
    for question in ("piece", "legal"):
        row = rows[question]
        assert row["log loss of the particles"] < row["log loss of the uniform map"]
        assert row["foreseen by the particles"] == pytest.approx(row["came"], rel=0.25)
        for name in ("particles", "network with particles"):
            better, low, high = row[f"{name} below the location map"]
            assert low <= better <= high
    done = CliRunner().invoke(app, ["calibrate", "--particles", "5", "--model", "x"])
    assert done.exit_code != 0
    assert "unknown model 'x'" in done.output
