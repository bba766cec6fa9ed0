"""What terms of tries cost: microseconds of processor time a state.

    python -m benchmarks.terms --rounds 7

Both seats of games of random tries are described. "describe" is a second description of views that have been
taken in, "follow" what the first one takes beyond it, to bring the memory up to date. The terms take turns,
and seconds are those of the process, so that a busy machine takes few of them away.
"""

import argparse
from time import process_time
from typing import Any

import numpy as np

from benchmarks.measure import spread
from ks_env.belief.terms import make_terms, room_for, terms_names
from ks_env.envs.vector import SelfPlayVectorEnv

Array = np.ndarray[Any, Any]
GAMES = 64
STEPS = 100


class Timed:
    """Terms that measure the time they take, with their memory.

    Attributes:
        times: seconds of the last game: of first descriptions, of second ones.
        described: states and tries of the same.
    """

    def __init__(self, name: str) -> None:
        made = make_terms(name)
        assert made is not None
        self._terms = made
        self.tries, self.states, self.memory = made.tries, made.states, made.memory
        self.begin = made.begin
        self._room = room_for(made, GAMES)
        self.times = np.zeros(2)
        self.described = np.zeros(2, np.int64)

    def describe(self, views: Array, memory: Array, rules: Any, level: int, out: Any) -> None:
        """See `Terms`."""
        room = self._room if len(views) == GAMES else room_for(self._terms, len(views))
        for again in range(2):
            begun = process_time()
            self._terms.describe(views, memory, rules, level, room)
            self.times[again] += process_time() - begun
        self.described += len(views), int(room.offsets[-1])
        for array, made in zip(out, room, strict=True):
            array[...] = made


def measure(timed: Timed, seed: int) -> tuple[float, float, float]:
    """Microseconds a state of a description and of following, and tries a state, over some steps."""
    timed.times[:], timed.described[:] = 0, 0
    env = SelfPlayVectorEnv(GAMES, terms=timed, ragged_tries=True, autoreset_mode="SameStep")
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(STEPS):
        tries = env.tries()
        places = tries.offsets[:-1] + (rng.random(GAMES) * np.diff(tries.offsets)).astype(np.int64)
        env.step(tries.actions[places].astype(np.int64))
    first, second = timed.times / timed.described[0] * 1e6
    return float(second), float(first - second), float(timed.described[1] / timed.described[0])


def main() -> None:
    """Measure all terms in turns, and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    terms = {name: Timed(name) for name in terms_names()}
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in terms}
    for seed in range(rounds):
        for name, timed in terms.items():
            found[name].append(measure(timed, seed))
    print(f"microseconds a state: median of {rounds} rounds (least to greatest)")
    for name, values in found.items():
        describing, following, tries = zip(*values, strict=True)
        cells = []
        for what, times in (("describe", describing), ("follow", following)):
            s = spread(times)
            cells.append(f"{what} {s['median']:.1f} ({s['min']:.1f} to {s['max']:.1f})")
        print(f"{name:10s} {'  '.join(cells)}  at {np.mean(tries):.0f} tries a state")


if __name__ == "__main__":
    main()
