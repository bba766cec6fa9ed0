"""A process that is forked from one with threads goes on with threads of its own."""

import os
import signal
from typing import Any

import numpy as np
import pytest

from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks on this system")


class Quiet:
    """A player that says it is compiled, so that its rows are asked in threads."""

    name = "quiet"
    compiled = True

    def begin(self, opening: Any) -> None:
        """Nothing to get ready."""

    def choose(self, view: Any) -> int:
        """A try that is always nonsense: the last answer of a turn loses."""
        return -1


def step(env: Any) -> bytes:
    seen = env.step(np.zeros(env.num_envs, np.int64))[0]
    return bytes(seen["observation"].tobytes())


@pytest.mark.parametrize(
    "make",
    [
        lambda: SelfPlayVectorEnv(4, threads=2),
        lambda: GameVectorEnv(4, "random", threads=2),
        lambda: GameVectorEnv(4, Quiet, threads=2, seat="black", ruleset_options={"max_tries": 2}),
    ],
    ids=["self-play", "a kernel", "a player"],
)
def test_the_child_steps_as_the_parent_does(make: Any) -> None:
    env = make()
    env.reset(seed=1)
    step(env)  # the threads are there
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(120)  # a child that waits for its parent's threads ends, and has said nothing
        try:
            os.write(sending, step(env)[:1000])
        finally:
            os._exit(0)
    os.close(sending)
    with os.fdopen(receiving, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    assert said == step(env)[:1000] != b""
