"""Seconds from nothing to the first steps of one interface, as JSON; run in a fresh process.

python -m benchmarks.first_step vector|aec|sb3
"""

import json
import sys
from time import perf_counter

import numpy as np


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


INTERFACES = {
    "vector": (vector, ("gymnasium", "ks_env.envs.vector")),
    "aec": (aec, ("pettingzoo", "ks_env.envs.aec")),
    "sb3": (sb3, ("ks_env.envs.sb3",)),
}


def main(name: str) -> None:
    """Import first, then step; print both times."""
    run, modules = INTERFACES[name]
    begin = perf_counter()
    for module in modules:
        __import__(module)
    imported = perf_counter()
    run()
    print(json.dumps({"import": imported - begin, "first_step": perf_counter() - imported}))


if __name__ == "__main__":
    main(sys.argv[1])
