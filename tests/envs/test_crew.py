"""Threads that step a batch together."""

from __future__ import annotations

import gc
import threading
import time
from typing import Any

import numpy as np
import pytest

from ks_env import GameVectorEnv, SelfPlayVectorEnv
from ks_env.envs import crew


def play(env: Any, steps: int, pause: float = 0.0) -> list[bytes]:
    seen, _ = env.reset(seed=7)
    rng, found = np.random.default_rng(1), []
    for _ in range(steps):
        mask = seen["action_mask"]
        seen, rewards, over, cut, _ = env.step(np.argmax(rng.random(mask.shape) * mask, axis=1))
        found.append(
            b"".join(a.tobytes() for a in (seen["observation"], seen["action_mask"], rewards, over, cut))
        )
        time.sleep(pause)
    return found


@pytest.mark.parametrize("games", [1, 3, 130, 400])
@pytest.mark.parametrize("kind", [SelfPlayVectorEnv, GameVectorEnv], ids=["self-play", "against"])
def test_any_number_of_threads_plays_the_same_games(kind: Any, games: int) -> None:
    expected = play(kind(games), 30)
    for threads in (2, 3, 5):
        assert play(kind(games, threads=threads), 30) == expected


def test_helpers_that_fell_asleep_are_called() -> None:
    assert play(SelfPlayVectorEnv(64, threads=2), 20, pause=0.01) == play(SelfPlayVectorEnv(64), 20)


def test_arrays_bound_between_steps() -> None:
    """A helper that still looks for work must not write into the arrays of before."""
    env, alone = SelfPlayVectorEnv(200, threads=2, copy=False), SelfPlayVectorEnv(200, copy=False)
    shape = alone.observation_space["observation"].shape  # type: ignore[index]
    kept = np.zeros(shape, np.uint8)
    env.bind(observations=kept)
    for each in (env, alone):
        each.reset(seed=1)
    for _ in range(40):
        mine = np.zeros(shape, np.uint8)
        env.bind(observations=mine)
        actions = alone.action_masks().argmax(axis=1)
        before = kept.copy()
        seen = env.step(actions)[0]["observation"]
        assert np.shares_memory(seen, mine)
        assert np.array_equal(mine, alone.step(actions)[0]["observation"])
        assert np.array_equal(kept, before)
        kept = mine


def test_helpers_go_home_with_the_environment() -> None:
    others = set(threading.enumerate())  # helpers of other tests' environments may still be on their way
    env = SelfPlayVectorEnv(8, threads=3)
    play(env, 3)
    helpers = set(threading.enumerate()) - others
    assert len(helpers) == 2
    del env
    gc.collect()
    for helper in helpers:
        helper.join(30)
        assert not helper.is_alive()


def test_a_step_that_is_interrupted_is_finished_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a helper still steps when the caller is interrupted must not count in the next step."""
    env = SelfPlayVectorEnv(64, threads=2)
    play(env, 1)
    made = env.engine._crew._helpers()
    made.send_out()
    answers = iter([False, False, True])
    asked: list[bool] = []

    def share(*given: Any) -> bool:
        asked.append(given[-1])
        return next(answers)

    def interrupt(_seconds: float) -> None:
        if len(asked) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr("ks_env.envs.crew.time.sleep", interrupt)
    monkeypatch.setattr(made, "call", lambda: None)
    with pytest.raises(KeyboardInterrupt):
        env.engine._crew.step(share, env.engine.batch, env.engine.buffers, env.engine._actions)
    assert asked == [True, False, False]


def test_a_crew_may_be_collected_by_its_own_helper() -> None:
    shared = crew._Shared(2)
    ended = threading.Event()

    def work(*_given: Any) -> None:
        shared.end()  # as the collector of garbage may
        ended.set()

    shared.work = (work,)
    helper = threading.Thread(target=shared.serve, args=(1,), daemon=True)
    helper.start()
    shared.call()
    helper.join(30)
    assert ended.is_set()
    assert not helper.is_alive()
