"""How far the vector environment is from the least that any environment of its outputs must do."""

from dataclasses import asdict, dataclass
from time import perf_counter

import numpy as np

from benchmarks.measure import Plan, rate, spread
from benchmarks.ours import stream_of_tries


@dataclass(frozen=True)
class Limit:
    """Nanoseconds a try (medians), and the bytes that it writes.

    Attributes:
        games: N.
        bytes_written: of observation and mask.
        fill_ns: the same two arrays set to one value, as fast as the machine can.
        step_ns: a try in the environment, the random draw included.
        share: fill_ns / step_ns.
    """

    games: int
    bytes_written: int
    fill_ns: float
    step_ns: float
    share: float


def _fill_seconds(arrays: list[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]], seconds: float) -> float:
    """Mean seconds of filling all arrays once."""
    times = 0
    begin = perf_counter()
    while (taken := perf_counter() - begin) < seconds:
        for array in arrays:
            array.fill(1)
        times += 1
    return taken / times


def measure_limit(games: int, plan: Plan) -> dict[str, float]:
    """Interleave steps of self-play with plain filling of arrays of the same shapes."""
    env, step = stream_of_tries(games)
    buffers = env.engine.buffers
    arrays = [np.zeros(a.shape, np.uint8) for a in (buffers.observations, buffers.masks)]
    steps, fills = [], []
    rate(step, plan.seconds / 4)
    for _ in range(plan.rounds):
        steps.append(1e9 / rate(step, plan.seconds))
        fills.append(1e9 * _fill_seconds(arrays, plan.seconds / 4) / games)
    step_ns, fill_ns = spread(steps)["median"], spread(fills)["median"]
    written = sum(array.nbytes for array in arrays) // games
    return asdict(Limit(games, written, fill_ns, step_ns, fill_ns / step_ns))
