"""Seconds from nothing to the first steps of one interface, as JSON; run in a fresh process.

python -m benchmarks.first_step gymnasium|darkboard|vector|aec|sb3
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time

import numpy as np


def single(opponent: str) -> None:
    """`gymnasium.make`."""
    import gymnasium

    env = gymnasium.make("ks_env/Kriegspiel-v0", opponent=opponent)
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))


def vector() -> None:
    """`gymnasium.make_vec`."""
    import gymnasium

    env = gymnasium.make_vec("ks_env/Kriegspiel-v0", num_envs=4, opponent="random")
    masks = env.reset(seed=1)[0]["action_mask"]
    env.step(masks.argmax(1))


def aec() -> None:
    """`kriegspiel_v0.env`."""
    from ks_env import kriegspiel_v0

    env = kriegspiel_v0.env()
    env.reset(seed=1)
    observation = env.last()[0]
    assert observation is not None
    env.step(int(observation["action_mask"].argmax()))


def sb3() -> None:
    """`GameVecEnv`."""
    from ks_env.envs.sb3 import GameVecEnv

    env = GameVecEnv(4, opponent="capture")
    env.reset()
    env.step(np.asarray(env.action_masks()).argmax(1))


INTERFACES: dict[str, tuple[Callable[[], None], tuple[str, ...]]] = {
    "gymnasium": (partial(single, "random"), ("gymnasium", "ks_env.envs.solo")),
    "darkboard": (partial(single, "darkboard"), ("gymnasium", "ks_env.envs.solo")),
    "vector": (vector, ("gymnasium", "ks_env.envs.vector")),
    "aec": (aec, ("pettingzoo", "ks_env.envs.aec")),
    "sb3": (sb3, ("ks_env.envs.sb3",)),
}


def main(name: str) -> None:
    """Import first, then step; print both times, and the processor's of all since the process began."""
    run, modules = INTERFACES[name]
    begin = perf_counter()
    for module in modules:
        __import__(module)
    imported = perf_counter()
    run()
    times = {"import": imported - begin, "first_step": perf_counter() - imported, "cpu": process_time()}
    print(json.dumps(times))


if __name__ == "__main__":
    main(sys.argv[1])
