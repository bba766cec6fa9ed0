"""Timing in interleaved rounds: A B C A B C ..., so that a busy moment of the machine meets them all."""

import gc
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

Step = Callable[[], int]  # plays on a little; how many tries it made


class NotInstalledError(Exception):
    """A peer's package is missing."""


@dataclass(frozen=True)
class Contestant:
    """One thing that is timed.

    Attributes:
        name: as the tables show it.
        make: builds it; what it returns plays on at each call.
        ours: it is this project's.
    """

    name: str
    make: Callable[[], Step]
    ours: bool = True


@dataclass(frozen=True)
class Plan:
    """How long to measure.

    Attributes:
        rounds: how often each contestant has its turn.
        seconds: how long a turn lasts.
    """

    rounds: int
    seconds: float


@dataclass
class Rates:
    """Tries per second of one contestant, a number a round; none if it is not installed."""

    name: str
    ours: bool
    rates: list[float] = field(default_factory=list)
    missing: str = ""


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, least and greatest value."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def ratios(ours: Rates, peer: Rates) -> list[float]:
    """How many times faster, round by round."""
    return [a / b for a, b in zip(ours.rates, peer.rates, strict=True)]


def rate(step: Step, seconds: float) -> float:
    """Tries per second of a turn of at least so many seconds."""
    tries = 0
    begin = perf_counter()
    while (taken := perf_counter() - begin) < seconds:
        tries += step()
    return tries / taken


def run_rounds(contestants: Sequence[Contestant], plan: Plan) -> list[Rates]:
    """Time all contestants in turn, after a warm-up turn each that is not counted."""
    found = [Rates(contestant.name, contestant.ours) for contestant in contestants]
    ready: list[tuple[Rates, Step]] = []
    for contestant, result in zip(contestants, found, strict=True):
        try:
            step = contestant.make()
        except NotInstalledError as error:
            result.missing = str(error)
            continue
        rate(step, plan.seconds / 4)
        ready.append((result, step))
    gc.collect()
    for _ in range(plan.rounds):
        for result, step in ready:
            result.rates.append(rate(step, plan.seconds))
    return found
