"""Ratings beside published fits and an independent library."""

from typing import Any

import choix
import numpy as np
import pytest
from ks_arena.statistics.ratings import Ratings, fit

# R. R. Davidson, JASA 65, 1970: 317-328, chocolate puddings: i, j, preferring i, preferring j, no preference.
# Data (`pudding`) and Davidson's estimates as in the R package PlackettLuce and its vignette.
PUDDINGS = """
1 2 19 22 16   1 3 16 19 12   2 3 19 19 10   1 4 18 23 13   2 4 23 19 9    3 4 19 20 15   1 5 13 19 18
2 5 16 20 12   3 5 16 15 17   4 5 17 14 16   1 6 18 21 12   2 6 22 20 12   3 6 13 18 10   4 6 14 19 18
5 6 11 21 12
"""
WORTHS = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
TIE = 0.7468147

# A. Agresti, Categorical Data Analysis, 2nd ed. 2002, §10.6: American League, Eastern Division, 1987. Wins
# and losses of the home team; `baseball` in the R package BradleyTerry2, whose tests have the estimates.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
HOME = """
-   4-3 4-2 4-3 6-1 4-2 6-0
3-3 -   4-2 4-3 6-0 6-1 4-3
2-5 4-3 -   2-4 4-3 4-2 6-0
3-3 5-1 2-5 -   4-3 4-2 6-1
5-1 2-5 3-3 4-2 -   5-2 6-0
2-5 3-3 3-4 4-3 4-2 -   2-4
2-5 1-5 1-6 2-4 1-6 3-4 -
"""


def fit_rows(labels: tuple[str, ...], rows: list[tuple[int, int, int]], **options: Any) -> Ratings:
    white, black, outcome = np.array(rows).T
    return fit(labels, white, black, outcome, np.arange(len(rows)), **options)


def baseball() -> list[tuple[int, int, int]]:
    games: list[tuple[int, int, int]] = []
    for home, line in enumerate(HOME.split("\n")[1:-1]):
        for away, cell in enumerate(line.split()):
            if cell != "-":
                won, lost = map(int, cell.split("-"))
                games += [(home, away, 1)] * won + [(home, away, -1)] * lost
    return games


def test_davidsons_puddings() -> None:
    numbers = np.array(PUDDINGS.split(), dtype=int).reshape(-1, 5)
    rows = []
    for i, j, first, second, none in numbers - [1, 1, 0, 0, 0]:
        # each comparison in both orders, as Davidson's model has none
        for outcome, times in ((1, first), (-1, second), (0, none)):
            rows += [(i, j, outcome), (j, i, -outcome)] * times
    assert len(rows) == 2 * 745
    ratings = fit_rows(tuple("123456"), rows, prior=None)
    worths = np.exp(ratings.parameters[:6])
    # Davidson stopped short of the maximum: PlackettLuce takes seven rounds to get his figures
    assert worths / worths.sum() == pytest.approx(WORTHS, abs=5e-5)
    assert ratings.nu == pytest.approx(TIE, abs=5e-5)
    assert ratings.white_advantage.value == pytest.approx(0, abs=1e-9)


def test_agrestis_baseball() -> None:
    ratings = fit_rows(TEAMS, baseball(), prior=None, intervals="hessian")
    worths = np.exp(ratings.parameters[:7])
    published = [0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044]  # table 10.11, column 5
    assert np.sort(worths / worths.sum())[::-1].round(3).tolist() == published
    assert round(ratings.parameters[7], 3) == 0.302  # home advantage
    # without draws the scale is that of logistic Elo
    assert ratings.white_advantage.value == pytest.approx(ratings.parameters[7] * 400 / np.log(10))
    low, high = ratings.white_advantage.interval
    assert (high - low) / 2 / 1.959964 * np.log(10) / 400 == pytest.approx(0.1308, abs=2e-3)


def test_plain_model_is_that_of_choix() -> None:
    """Wins and losses alone: each game in both orders, so that there is no order effect."""
    rng = np.random.default_rng(4)
    strength = rng.normal(size=5)
    wins, rows = [], []
    for _ in range(300):
        i, j = rng.choice(5, size=2, replace=False)
        if rng.random() > 1 / (1 + np.exp(strength[i] - strength[j])):
            i, j = j, i
        wins.append((j, i))
        rows += [(j, i, 1), (i, j, -1)]
    ratings = fit_rows(tuple("abcde"), rows, prior=None)
    assert ratings.parameters[:5] == pytest.approx(choix.opt_pairwise(5, wins), abs=1e-4)
