"""Invisible chess beside Kriegspiel: the vector environments in one run, for several sets of hidden men."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmarks import ours
from benchmarks.measure import Contestant, Plan, ratios, run_rounds, spread

SELF_PLAY = "self-play"
OPPONENTS = (SELF_PLAY, "random", "capture")
HIDDEN = ("none v none", "2B v 2B", "Q 2R 2B 2N 8P v Q 2R 2B 2N 8P")


def _kriegspiel(opponent: str) -> Contestant:
    make = ours.self_play if opponent == SELF_PLAY else partial(ours.against, opponent)
    return Contestant("Kriegspiel", make)


def _invisible(opponent: str, hidden: str) -> Contestant:
    if opponent == SELF_PLAY:
        return Contestant(hidden, partial(ours.invisible_self_play, hidden))
    return Contestant(hidden, partial(ours.invisible_against, opponent, hidden))


def measure_invisible(plan: Plan, hidden: Sequence[str] = HIDDEN) -> list[dict[str, Any]]:
    """A row for each way to play and set of hidden men.

    Returns:
        Tries per second in `kriegspiel` and in `invisible` chess, and the `ratio` of the second to the
        first, by round.
    """
    groups = [[_kriegspiel(each), *(_invisible(each, men) for men in hidden)] for each in OPPONENTS]
    found = iter(run_rounds([one for group in groups for one in group], plan))
    rows = []
    for opponent in OPPONENTS:
        base = next(found)
        for men in hidden:
            rates = next(found)
            rows.append(
                {
                    "opponent": opponent,
                    "hidden": men,
                    "kriegspiel": spread(base.rates),
                    "invisible": spread(rates.rates),
                    "ratio": spread(ratios(rates, base)),
                }
            )
    return rows
