"""Ratings of the evaluations while training."""

from typing import Any

from ks_train.judge.ratings import rate


def row(timesteps: int, opponent: str, wins: int, losses: int) -> dict[str, Any]:
    draws = 50 - wins - losses
    counts = [wins, draws, losses]
    return {"timesteps": timesteps, "opponent": opponent, "as_white": counts, "as_black": counts}


def test_a_policy_that_wins_more_is_rated_higher() -> None:
    rows = [
        row(time, opponent, wins - weaker, losses)
        for time, wins, losses in ((100, 10, 20), (200, 20, 10), (300, 35, 5))
        for opponent, weaker in (("random", 0), ("capture", 5))
    ]
    ratings = rate(rows)
    assert [each["timesteps"] for each in ratings] == [100, 200, 300]
    assert ratings[0]["elo"] < 0 < ratings[1]["elo"] < ratings[2]["elo"], "zero is the first opponent"
    for each in ratings:
        low, high = each["elo_95"]
        assert low < each["elo"] < high


def test_no_evaluations_no_ratings() -> None:
    assert rate([]) == []
