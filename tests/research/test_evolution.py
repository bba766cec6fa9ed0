"""The search for constants: what it changes, what it estimates, and that a stopped run is resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ks_baselines.darkboard.constants import DEFAULT

from research import evolution
from research import tune_darkboard as tune
from research import tune_mcts as mcts_tune


def at(**powers: float) -> tuple[float, ...]:
    """Zeros, but for the constants named; a dot is written as two underscores."""
    x = np.zeros(len(tune.NAMES))
    for name, power in powers.items():
        x[tune.NAMES.index(name.replace("__", "."))] = power
    return tuple(x)


def test_constants_are_scaled_each_for_itself() -> None:
    double = float(np.log(2.0))
    assert tune.scaled(DEFAULT, at()) == DEFAULT
    changed = tune.scaled(DEFAULT, at(threat=double, material__2=-double, advancement=double))
    assert changed.threat == pytest.approx(2 * DEFAULT.threat)
    assert changed.material[2] == pytest.approx(DEFAULT.material[2] / 2)
    assert changed.material[3] == DEFAULT.material[3]
    assert changed.advancement == pytest.approx([2 * v for v in DEFAULT.advancement])
    assert changed.enemy_pawn == DEFAULT.enemy_pawn


def test_chances_stay_chances() -> None:
    most = tune.scaled(DEFAULT, at(piece_retakes=5.0, recapture__1=5.0))
    assert most.piece_retakes == 1.0
    assert most.recapture[1] == 1.0


def test_the_gradient_of_a_known_score() -> None:
    """Scores that rise with one constant, fall with another and are noise else."""
    rng = np.random.default_rng(0)
    noise = rng.standard_normal((2000, len(tune.NAMES)))
    scores = np.empty(4000)
    for sign, place in ((1.0, 0), (-1.0, 1)):
        chance = 0.5 + 0.1 * sign * (noise[:, 3] - noise[:, 7])
        scores[place::2] = rng.random(2000) < np.clip(chance, 0, 1)
    t = evolution.t_values(noise, scores)
    assert t[3] > 4 > -4 > t[7]
    others = np.delete(t, [3, 7])
    assert np.abs(others).max() < 4


def test_a_pair_differs_in_its_sign_alone() -> None:
    mean = np.full(len(tune.NAMES), 0.25)
    noise = np.random.default_rng(1).standard_normal((5, len(tune.NAMES)))
    tasks = list(evolution.draw_tasks(tune.SPACE, DEFAULT, mean, noise, np.random.default_rng(2)))
    assert len(tasks) == 10
    for one, other in zip(tasks[::2], tasks[1::2], strict=True):
        assert (one.seed, one.opponent) == (other.seed, other.opponent)
        assert np.array(one.x) + np.array(other.x) == pytest.approx(2 * mean)


def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    space = replace(tune.SPACE, opponents={"random": 1})
    for folder, rounds in (("whole", 2), ("parts", 1), ("parts", 2)):
        run = evolution.Run.load(tmp_path / folder, space)
        evolution.search(space, run, tmp_path / folder, rounds, 1, 1)
    whole, parts = (evolution.Run.load(tmp_path / folder, space) for folder in ("whole", "parts"))
    assert whole == parts
    assert len(whole.means) == 3


def test_a_run_of_other_constants_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"names": ["threat"], "means": [[0.0]], "scores": []}')
    with pytest.raises(SystemExit, match="is of other constants"):
        evolution.Run.load(tmp_path, tune.SPACE)


def test_constants_of_mcts_are_scaled_or_shifted() -> None:
    x = np.zeros(len(mcts_tune.NAMES))
    start = mcts_tune.SPACE.default
    assert mcts_tune.SPACE.vary(start, tuple(x)) == start
    x[mcts_tune.NAMES.index("own.2")] = np.log(2.0)
    x[mcts_tune.NAMES.index("check")] = -1.0
    found = mcts_tune.SPACE.vary(start, tuple(x))
    assert found.own[2] == pytest.approx(2 * start.own[2])
    assert found.own[3] == start.own[3]
    assert found.check == pytest.approx(start.check - mcts_tune.SHIFTS["check"])
