"""How figures are written."""

from math import inf
from pathlib import Path
from typing import Any, cast

import pytest
from ks_arena.reproduce.measures import Measured, Work
from ks_arena.reproduce.outcome import Outcome, as_dict, cells, outcome_of, published_text, summary_line
from ks_arena.reproduce.published import PublishedTable, Row
from ks_arena.reproduce.state import table_states
from ks_arena.reproduce.verdict import Judgement, Verdict
from ks_arena.statistics.score import Estimate
from ks_arena.study.study import Study


def row(kind: str, **published: Any) -> Row:
    measure = {"kind": kind, "player": "A", "against": "B"}
    return Row.model_validate(
        {"what": "w", "section": "§", "published": published, "study": "s", "measure": measure}
    )


@pytest.mark.parametrize(
    ("kind", "published", "wanted"),
    [
        ("wins", {"value": 93}, "93.0 %"),
        ("wins", {"value": 99.47}, "99.47 %"),
        ("points", {"value": 75, "games": 8000}, "75.0 % (8,000 games)"),
        ("elo", {"value": 100, "relation": ">"}, "> 100 Elo"),
        ("spoken", {"value": 20, "to": 30, "relation": "range"}, "20 to 30 % of moves"),
        ("tries_a_move", {"value": 1.415}, "1.415 tries a move"),
    ],
)
def test_published_figures(kind: str, published: dict[str, Any], wanted: str) -> None:
    assert published_text(row(kind, **published)) == wanted


def outcome(
    estimate: Estimate | None, *, kind: str = "elo", games: int = 100, forfeits: int = 0, **work: Any
) -> Outcome:
    measured = Measured(estimate, games, forfeits, Work(**{"seconds": 1.234, "nodes": 5678.9} | work))
    judgement = None if estimate is None else Judgement(Verdict.AGREES, settled=False)
    return Outcome(row(kind, value=1), measured, 100, "2 seconds a move", judgement, "as it is")


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (
            outcome(Estimate(-0.4, -12.6, inf)),
            ["0 [−13, ∞]", "100", "1.23 s, 5,679 nodes; budget 2 seconds a move", "agrees (not settled)"],
        ),
        (
            outcome(
                Estimate(1.5, 1.25, 1.75),
                kind="wins_per_loss",
                games=40,
                forfeits=3,
                seconds=1e-5,
                nodes=None,
            ),
            [
                "1.50 [1.25, 1.75]",
                "40 of 100, 3 forfeited",
                "under 1 ms, nodes not counted; budget 2 seconds a move",
                "agrees (not settled)",
            ],
        ),
        (outcome(None), ["–", "100", "1.23 s, 5,679 nodes; budget 2 seconds a move", "as it is"]),
    ],
)
def test_our_figures(made: Outcome, wanted: list[str]) -> None:
    assert cells(made)[2:] == wanted


def test_an_end_without_bound_is_null() -> None:
    kept = as_dict(outcome(Estimate(inf, 100.0, inf), forfeits=2))
    assert kept["ours"] == {"value": None, "low": 100.0, "high": None}
    assert (kept["forfeits"], kept["settled"], kept["budget"]) == (2, False, "2 seconds a move")


def test_chance_is_recalled_where_something_does_not_agree() -> None:
    agreeing = outcome(Estimate(1, 0, 2))
    other = Outcome(agreeing.row, agreeing.measured, 100, "", Judgement(Verdict.WEAKER), "")
    assert summary_line([agreeing, agreeing, outcome(None)]) == (
        "2 of 3 figures compared: 2 agree (not settled)"
    )
    assert "2 agree (not settled), 1 weaker; were all of them equal, about 1 in 20" in summary_line(
        [agreeing, other, agreeing]
    )
    assert "1 in 20" in summary_line([other])


def test_an_earlier_figure_of_two_studies_counts_where_neither_is_there(tmp_path: Path) -> None:
    study = {"name": "s", "games": 4, "tournament": {"kind": "round-robin", "players": ["capture", "random"]}}
    rivals = [{"study": "theirs", "player": "capture"}]
    lead = {
        "what": "ahead",
        "section": "§",
        "published": {"value": 0, "relation": ">"},
        "study": "ours",
        "measure": {"kind": "lead", "player": "capture", "against": "random", "rivals": rivals},
    }
    told = {"title": "t", "source": "s", "studies": {"ours": study, "theirs": study}, "rows": [lead]}
    table = PublishedTable.model_validate(told)
    states, earlier = table_states(tmp_path, table), {"ahead": Measured(None, 4, 0, Work(1.0, None))}
    played = cast(Study, object())  # never looked into
    assert outcome_of(table.rows[0], table, {}, states, earlier).measured is earlier["ahead"]
    for key in table.studies:
        found = outcome_of(table.rows[0], table, {key: played}, states, earlier)
        assert found.measured is None
        assert found.state == "not run"
