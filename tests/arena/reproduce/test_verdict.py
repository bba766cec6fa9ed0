"""Each verdict, and what it takes for it."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ks_arena.reproduce.published import Measure, Published
from ks_arena.reproduce.verdict import Verdict, judge_figure
from ks_arena.statistics.score import Estimate


def measure(kind: str) -> Measure:
    rivals = ("C",) if kind in ("lead", "nodes_ratio") else ()
    return Measure.model_validate({"kind": kind, "player": "A", "against": "B", "rivals": rivals})


@pytest.mark.parametrize(
    ("kind", "published", "ours", "verdict", "settled"),
    [
        ("wins", {"value": 94.8}, (95, 94, 96), "agrees", True),
        ("wins", {"value": 94.8}, (97, 96, 98), "stronger", True),
        ("wins", {"value": 94.8}, (90, 88, 92), "weaker", True),
        ("losses", {"value": 5}, (8, 7, 9), "weaker", True),
        ("losses", {"value": 5}, (2, 1, 3), "stronger", True),
        ("tries_a_move", {"value": 1.415}, (1.6, 1.5, 1.7), "differs", True),
        ("tries_a_move", {"value": 1.415}, (1.3, 1.2, 1.4), "differs", True),
        ("elo", {"value": 100, "relation": ">"}, (150, 120, 180), "agrees", True),
        ("elo", {"value": 100, "relation": ">"}, (120, 80, 160), "agrees", False),
        ("elo", {"value": 100, "relation": ">"}, (50, 20, 80), "weaker", True),
        ("wins", {"value": 2, "relation": "<"}, (1, 0.5, 1.9), "agrees", True),
        ("wins", {"value": 2, "relation": "<"}, (4, 3, 5), "stronger", True),
        ("spoken", {"value": 20, "to": 30, "relation": "range"}, (25, 24, 26), "agrees", True),
        ("spoken", {"value": 20, "to": 30, "relation": "range"}, (31, 29, 33), "agrees", False),
        ("spoken", {"value": 20, "to": 30, "relation": "range"}, (40, 35, 45), "differs", True),
        ("nodes_ratio", {"value": 10, "to": 20, "relation": "range"}, (5, 4, 6), "differs", True),
        # 6–2 is a rough figure itself: from 8 games it does not contradict 45 %, as an exact one would
        ("points", {"value": 75, "games": 8}, (45, 40, 50), "agrees", True),
        ("points", {"value": 75}, (45, 40, 50), "weaker", True),
        ("points", {"value": 75, "games": 8000}, (45, 40, 50), "weaker", True),
        ("elo", {"value": 75, "games": 8}, (45, 40, 50), "weaker", True),  # no share: the games do not help
    ],
)
def test_each_verdict(
    kind: str,
    published: dict[str, Any],
    ours: tuple[float, float, float],
    verdict: str,
    settled: bool,
) -> None:
    found = judge_figure(Estimate(*ours), Published.model_validate(published), measure(kind))
    assert (found.verdict, found.settled) == (Verdict(verdict), settled)


percent = st.floats(0, 100)


@given(st.tuples(percent, percent, percent).map(sorted), percent)
def test_an_exact_figure_agrees_if_it_lies_in_the_interval(ends: list[float], value: float) -> None:
    low, middle, high = ends
    assume(all(abs(value - end) > 1e-6 for end in ends))
    found = judge_figure(Estimate(middle, low, high), Published(value=value), measure("points"))
    assert (found.verdict is Verdict.AGREES) == (low < value < high)


@given(st.tuples(percent, percent, percent).map(sorted), percent, st.integers(1, 10_000))
def test_a_figure_from_games_agrees_wherever_an_exact_one_does(
    ends: list[float], value: float, games: int
) -> None:
    low, middle, high = ends
    exact = judge_figure(Estimate(middle, low, high), Published(value=value), measure("wins"))
    rough = judge_figure(Estimate(middle, low, high), Published(value=value, games=games), measure("wins"))
    if exact.verdict is Verdict.AGREES:
        assert rough.verdict is Verdict.AGREES
    elif rough.verdict is not Verdict.AGREES:
        assert rough.verdict is exact.verdict
