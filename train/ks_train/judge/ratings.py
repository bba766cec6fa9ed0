"""Ratings of a policy as it was at each evaluation while training, by the arena's model."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np
from ks_arena.statistics.ratings import fit


def rate(evaluations: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Elo above the first opponent at each evaluation, all games fitted together.

    Args:
        evaluations: rows of `ks_train.judge.evaluate.Series.row` with the `timesteps` that they were made
            after.

    Returns:
        For each evaluation `timesteps`, `elo` and `elo_95`, an end of which is None where nothing bounds it.
    """
    if not evaluations:
        return []
    times = list(dict.fromkeys(row["timesteps"] for row in evaluations))
    opponents = list(dict.fromkeys(row["opponent"] for row in evaluations))
    labels = [*(f"after {time:,} tries" for time in times), *opponents]
    games: list[tuple[int, int, int]] = []
    for row in evaluations:
        mine, other = times.index(row["timesteps"]), len(times) + opponents.index(row["opponent"])
        for count, outcome in zip(row["as_white"], (1, 0, -1), strict=True):
            games += [(mine, other, outcome)] * count
        for count, outcome in zip(row["as_black"], (-1, 0, 1), strict=True):
            games += [(other, mine, outcome)] * count
    white, black, outcome = np.array(games, np.int64).T
    found = fit(labels, white, black, outcome, np.arange(len(games)), anchor=opponents[0])
    return [
        {
            "timesteps": time,
            "elo": estimate.value,
            "elo_95": [end if isfinite(end) else None for end in estimate.interval],
        }
        for time, estimate in zip(times, found.players, strict=False)
    ]
