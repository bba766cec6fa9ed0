"""The vector environment against an opponent: autoreset modes step by step, buffers, threads, seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ks_env.core.actions import ACTIONS
from ks_env.core.ruleset import ICC
from ks_env.envs.vector import GameVectorEnv
from ks_env.games.kriegspiel.observation import SHAPE
from tests.envs.play import CASES, FENS, FEW, SHORT, Case, case_id, draw, envs_of, numeric, same

MODES = list(AutoresetMode)
N = 4


def make(mode: AutoresetMode = AutoresetMode.NEXT_STEP, n: int = N, **options: Any) -> GameVectorEnv:
    made: GameVectorEnv = envs_of(options).vector(
        n, "capture", autoreset_mode=mode, ruleset_options=SHORT, start=FENS, **options
    )
    return made


def run(env: GameVectorEnv, steps: int, seed: int = 0, wild: float = 0.05) -> list[Any]:
    rng = np.random.default_rng(seed)
    observations, infos = env.reset(seed=seed)
    seen: list[Any] = [(observations, infos)]
    for _ in range(steps):
        seen.append(env.step(draw(seen[-1][-1]["action_mask"], rng, wild)))
    return seen


# -- step by step against environments of one game with the same seeds ---------------------------------------


class Row:
    """Row i of a vector environment as an environment of one game, begun anew as the mode says."""

    def __init__(self, mode: AutoresetMode, seed: int, case: Case) -> None:
        self.env = envs_of(case).solo("capture", ruleset_options=SHORT, start=FENS, **case)
        self.mode, self.ended = mode, False
        self.flags = (False, False)
        self.observation, self.info = self.env.reset(seed=seed)

    def reset(self) -> None:
        self.ended = False
        self.observation, self.info = self.env.reset()

    def step(self, action: int) -> tuple[float, bool, bool, Any]:
        """Reward, termination, truncation, and the final observation where the mode gives one."""
        if self.ended:
            if self.mode is AutoresetMode.NEXT_STEP:
                self.reset()
                return 0.0, False, False, None
            return 0.0, *self.flags, (None, self.info)
        self.observation, reward, terminated, truncated, self.info = self.env.step(action)
        self.flags = (terminated, truncated)
        self.ended = terminated or truncated
        final = self.observation
        if self.ended and self.mode is AutoresetMode.SAME_STEP:
            ending = self.info
            self.reset()
            return reward, terminated, truncated, (final, ending)
        return reward, terminated, truncated, (None, self.info)


@pytest.mark.parametrize("case", FEW, ids=case_id)
@pytest.mark.parametrize("mode", MODES)
def test_rows_are_games_with_seeds_of_their_own(mode: AutoresetMode, case: Case) -> None:
    env = make(mode, **case)
    assert env.metadata["autoreset_mode"] is mode
    rows = [Row(mode, 40 + i, case) for i in range(N)]
    observations, infos = env.reset(seed=40)
    rng, ends = np.random.default_rng(3), 0
    for _ in range(150):
        for i, row in enumerate(rows):
            assert same({key: array[i] for key, array in observations.items()}, row.observation)
            assert same(infos["action_mask"][i], row.observation["action_mask"])
        actions = draw(infos["action_mask"], rng, 0.05)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert observations in env.observation_space
        for i, row in enumerate(rows):
            reward, terminated, truncated, last = row.step(int(actions[i]))
            assert (rewards[i], terminations[i], truncations[i]) == (reward, terminated, truncated)
            if not (terminated or truncated):
                continue
            ends += 1
            final, ending = last
            told = infos["final_info"] if mode is AutoresetMode.SAME_STEP else infos
            for key in ("reason", "winner", "seat", "plies", "tries"):
                assert told[key][i] == ending[key]
                assert told["_" + key][i]
            if final is not None:
                assert same(infos["final_obs"][i], final)
                assert infos["_final_obs"][i]
                assert infos["_final_info"][i]
        if mode is AutoresetMode.DISABLED and env.engine.batch.ended.all():
            mask = np.array([True, False, True, True])
            observations, infos = env.reset(options={"reset_mask": mask})
            assert (env.engine.batch.ended == ~mask).all()
            for row in (rows[0], rows[2], rows[3]):
                row.reset()
    assert ends >= 5


def test_an_ended_row_rests_when_disabled() -> None:
    env = make(AutoresetMode.DISABLED)
    rng = np.random.default_rng(0)
    _, infos = env.reset(seed=0)
    while not env.engine.batch.ended.all():
        observations, *_, infos = env.step(draw(infos["action_mask"], rng))
    assert np.argwhere(infos["action_mask"]).tolist() == [[row, 0] for row in range(N)]
    again, rewards, terminations, truncations, infos = env.step(np.zeros(N, np.int64))
    assert same(again, observations)
    assert not rewards.any()
    assert (terminations | truncations).all()  # a game that is over goes on being over
    assert (infos["reason"] > 0).all()


def test_next_step_gives_the_final_observation_and_ignores_the_next_action() -> None:
    env = make(AutoresetMode.NEXT_STEP)
    ends = 0
    last = None
    rng = np.random.default_rng(1)
    _, infos = env.reset(seed=1)
    for _ in range(100):
        _, rewards, terminations, truncations, infos = env.step(draw(infos["action_mask"], rng))
        done = terminations | truncations
        if last is not None:
            assert not done[last].any()
            assert not rewards[last].any()
            assert infos["action_mask"][last].any(1).all()
            assert (env.engine.batch.games["truth"]["plies"][last] <= 1).all()
        assert (infos["action_mask"][done].sum(1) == infos["action_mask"][done, 0]).all()
        assert infos["action_mask"].any(1).all()  # there is always something to draw
        ends += done.sum()
        last = done
    assert ends > 4


# -- make_vec, seeds, threads, copies, buffers ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["ks_env/Kriegspiel-v0", "ks_env/InvisibleChess-v0"])
@pytest.mark.parametrize("mode", MODES)
def test_made_by_name(mode: AutoresetMode, name: str) -> None:
    env = gymnasium.make_vec(
        name,
        num_envs=3,
        vectorization_mode="vector_entry_point",
        opponent="capture",
        autoreset_mode=mode,
    )
    assert isinstance(env.unwrapped, GameVectorEnv)
    assert env.unwrapped.engine.game_played.id in name
    assert env.num_envs == 3
    assert env.metadata["autoreset_mode"] is mode
    planes = env.unwrapped.engine.game_played.planes.count
    assert env.single_observation_space["observation"].shape == (planes, 8, 8)  # type: ignore[index]
    observations, infos = env.reset(seed=1)
    assert observations in env.observation_space
    assert infos["action_mask"].shape == (3, ACTIONS)
    assert isinstance(gymnasium.make_vec(name, num_envs=2).unwrapped, GameVectorEnv)


def test_an_unknown_mode() -> None:
    with pytest.raises(ValueError, match="'Never'"):
        GameVectorEnv(2, autoreset_mode="Never")


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_seeds_repeat_for_any_number_of_threads(case: Case) -> None:
    runs = [run(make(n=5, threads=threads, **case), 60, seed=8) for threads in (1, 1, 2, 3)]
    for other in runs[1:]:
        assert same(runs[0], other)
    assert not same(runs[0], run(make(n=5, **case), 60, seed=9))


def test_more_threads_than_rows() -> None:
    assert same(run(make(n=2, threads=9), 30), run(make(n=2), 30))


def test_many_rows_in_blocks() -> None:
    """More rows than are stepped at once: each is still a game with its own seed."""
    many, few = make(n=70), make(n=2)
    a, b = many.reset(seed=100)[0], few.reset(seed=165)[0]
    assert same(a["observation"][65:67], b["observation"])
    rng = np.random.default_rng(0)
    for _ in range(30):
        actions = draw(a["action_mask"], rng)
        a, b = many.step(actions)[0], few.step(actions[65:67])[0]
        assert same({k: v[65:67] for k, v in a.items()}, b)


def test_seeds_as_a_list() -> None:
    listed, counted = make(n=3), make(n=3)
    assert same(listed.reset(seed=[7, 8, 9])[0], counted.reset(seed=7)[0])
    with pytest.raises(ValueError, match="2 seeds for 3 games; expected one each"):
        listed.reset(seed=[1, 2])
    with pytest.raises(ValueError, match="seed -3 is negative"):
        listed.reset(seed=[1, 2, -3])


def test_none_in_a_list_leaves_a_rows_stream_alone() -> None:
    env, twin = make(n=2), make(n=2)
    for each in (env, twin):
        each.reset(seed=5)
    streams = env.engine.batch.games["truth"]["random"].copy()
    env.engine.seed([None, 3])
    assert (env.engine.batch.games["truth"]["random"][0] == streams[0]).all()
    assert (env.engine.batch.games["truth"]["random"][1] != streams[1]).all()


def test_without_a_seed_runs_differ() -> None:
    assert not same(make(n=8).reset()[0], make(n=8).reset()[0])


def test_reset_mask_begins_and_seeds_the_chosen_rows_only() -> None:
    env = make()
    rng = np.random.default_rng(2)
    observations, infos = env.reset(seed=2)
    for _ in range(4):
        observations, *_, infos = env.step(draw(infos["action_mask"], rng))
    mask = np.array([False, True, False, True])
    streams = env.engine.batch.games["truth"]["random"].copy()
    again, _ = env.reset(seed=60, options={"reset_mask": mask})
    assert same({k: v[~mask] for k, v in again.items()}, {k: v[~mask] for k, v in observations.items()})
    assert (env.engine.batch.games["truth"]["random"][~mask] == streams[~mask]).all()
    fresh, _ = make().reset(seed=60)
    assert same({k: v[mask] for k, v in again.items()}, {k: v[mask] for k, v in fresh.items()})


@pytest.mark.parametrize("mask", [np.zeros(N, bool), np.ones(N + 1, bool), np.ones(N, np.int64), [1, 0]])
def test_a_bad_reset_mask(mask: Any) -> None:
    with pytest.raises(ValueError, match=rf"expected bool\[{N}\] with at least one True"):
        make().reset(options={"reset_mask": mask})


def test_copies_and_buffers() -> None:
    copied, shared = make(), make(copy=False)
    for env, alike in ((copied, False), (shared, True)):
        first, _ = env.reset(seed=1)
        kept = {key: array.copy() for key, array in first.items()}
        second, rewards, terminations, truncations, _ = env.step(
            draw(first["action_mask"], np.random.default_rng(0))
        )
        for key in first:
            assert np.shares_memory(first[key], second[key]) == alike
            assert same(first[key], kept[key]) != alike
        buffers = env.engine.buffers
        for array, name in (
            (rewards, "rewards"),
            (terminations, "terminations"),
            (truncations, "truncations"),
        ):
            assert np.shares_memory(array, getattr(buffers, name)) == alike
    assert same(run(copied, 20)[-1], run(shared, 20)[-1])


def arrays(n: int) -> dict[str, Any]:
    return {
        "observations": np.full((n, *SHAPE), 9, np.uint8),
        "masks": np.full((n, ACTIONS), 9, np.int8),
        "rewards": np.full(n, 9, np.float32),
        "terminations": np.ones(n, bool),
        "truncations": np.ones(n, bool),
    }


def test_the_callers_arrays_are_written() -> None:
    env, twin, mine = make(copy=False), make(), arrays(N)
    env.bind(**mine)
    rng = np.random.default_rng(4)
    out, _ = env.reset(seed=4)
    twin.reset(seed=4)
    assert np.shares_memory(out["observation"], mine["observations"])
    assert np.shares_memory(out["action_mask"], mine["masks"])
    for _ in range(30):
        actions = draw(mine["masks"], rng)
        result, expected = env.step(actions), twin.step(actions)
        for array, name in zip(result[1:4], ("rewards", "terminations", "truncations"), strict=True):
            assert np.shares_memory(array, mine[name])
        assert same(mine["observations"], expected[0]["observation"])
        assert same(mine["masks"], expected[0]["action_mask"])
        for number, name in enumerate(("rewards", "terminations", "truncations"), 1):
            assert same(mine[name], expected[number])


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("observation", np.zeros(1), "unknown buffer 'observation'; expected one of observations, masks"),
        ("masks", np.zeros((N, ACTIONS)), r"'masks' is float64\[4, 1859\]; expected int8\[4, 1859\]"),
        ("masks", np.zeros((ACTIONS, N), np.int8), r"'masks' is int8\[1859, 4\]"),
        ("rewards", np.zeros(N + 1, np.float32), r"'rewards' is float32\[5\]; expected float32\[4, 1\]"),
        ("observations", np.zeros((*SHAPE, N), np.uint8), "'observations' is uint8"),
        ("masks", np.zeros((ACTIONS, N), np.int8).T, "'masks' is not C-contiguous and writeable"),
        ("masks", np.broadcast_to(np.zeros(ACTIONS, np.int8), (N, ACTIONS)), "is not C-contiguous"),
    ],
)
def test_arrays_that_do_not_fit(name: str, array: Any, message: str) -> None:
    env = make()
    with pytest.raises(ValueError, match=message):
        env.bind(**{name: array})
    assert same(run(env, 5), run(make(), 5))  # nothing was bound


@pytest.mark.parametrize("actions", [np.zeros(N + 1, int), np.zeros((N, 1), int), 3])
def test_actions_of_the_wrong_shape(actions: Any) -> None:
    env = make()
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"actions have the shape .*; expected \(4,\)"):
        env.step(actions)


@pytest.mark.parametrize(("n", "threads"), [(0, 1), (-2, 1), (2, 0)])
def test_no_games_or_threads(n: int, threads: int) -> None:
    with pytest.raises(ValueError, match="expected an integer from 1 to 1,000,000"):
        GameVectorEnv(n, threads=threads)


@pytest.mark.parametrize("case", FEW, ids=case_id)
@pytest.mark.parametrize("mode", MODES)
def test_rendering_changes_nothing(mode: AutoresetMode, case: Case) -> None:
    assert same(run(make(mode, **case), 80), run(make(mode, render_mode="ansi", **case), 80))


@pytest.mark.parametrize("case", FEW[1:], ids=case_id)
def test_pictures(case: Case) -> None:
    env = make(render_mode="rgb_array", **case)
    env.reset(seed=0)
    pictures = env.render()
    assert pictures is not None
    assert len(pictures) == N
    assert all(picture.shape == pictures[0].shape for picture in pictures)
    assert make().render() is None
    with pytest.raises(ValueError, match="unknown render_mode 'human'"):
        make(render_mode="human")


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_any_action_is_answered(case: Case) -> None:
    rewards = np.concatenate([item[1] for item in run(make(**case), 120, wild=0.8)[1:]])
    assert set(rewards.tolist()) <= {-1, 0, 1}
    env = make(**case)
    env.reset(seed=0)
    for action in (-1, -(10**12), 1859, 2**40):
        observations, rewards, *_ = env.step(np.full(N, action))
        assert observations in env.observation_space
        assert not rewards.any()


@pytest.mark.parametrize("case", FEW[1:], ids=case_id)
@pytest.mark.parametrize("mode", MODES)
def test_infos_are_numeric_and_say_nothing_before_the_end(mode: AutoresetMode, case: Case) -> None:
    ended = 0
    for item in run(make(mode, **case), 100):
        infos = dict(item[-1])
        done = item[2] | item[3] if len(item) == 5 else np.zeros(N, bool)
        if mode is AutoresetMode.SAME_STEP and done.any():
            assert same(infos.pop("_final_obs"), done)
            assert same(infos.pop("_final_info"), done)
            assert [o is not None for o in infos.pop("final_obs")] == done.tolist()
            infos |= infos.pop("final_info")
        assert numeric(infos)
        if not done.any():
            assert set(infos) == {"action_mask", "start"}
            continue
        ended += 1
        keys = {"reason", "winner", "seat", "plies", "tries"}
        assert set(infos) == {"action_mask", "start", *keys, *("_" + key for key in keys)}
        for key in keys:
            assert not infos[key][~done].any()
            assert same(infos["_" + key], done)
    assert ended > 3


class Breaks:
    """A player that raises whenever it is asked."""

    name = "breaks"

    def begin(self, opening: Any) -> None:
        pass

    def choose(self, view: Any) -> int:
        raise RuntimeError("broken")


def test_a_reset_after_an_opponent_broke_is_like_any_other() -> None:
    """The opponent of the next games must not play on in the old ones, which it was to move in."""

    def observed(env: GameVectorEnv) -> list[bytes]:
        seen, _ = env.reset(seed=7)
        found = [seen["observation"].tobytes()]
        for _ in range(20):
            seen, *_ = env.step(seen["action_mask"].argmax(1))
            found.append(seen["observation"].tobytes())
        return found

    env = GameVectorEnv(4, Breaks, seat="white")
    seen, _ = env.reset(seed=1)
    with pytest.raises(RuntimeError, match="broken"):
        env.step(seen["action_mask"].argmax(1))
    env.set_opponent("random")
    assert observed(env) == observed(GameVectorEnv(4, "random", seat="white"))


def test_a_reset_leaves_what_the_last_step_said() -> None:
    env = GameVectorEnv(
        2, copy=False, autoreset_mode=AutoresetMode.DISABLED, ruleset=replace(ICC, max_plies=2)
    )
    seen, _ = env.reset(seed=1)
    cut = np.zeros(2, bool)
    while not cut.all():
        seen, _, _, cut, _ = env.step(seen["action_mask"].argmax(1))
    env.reset(options={"reset_mask": cut})
    assert cut.all()


def test_set_opponent() -> None:
    env = make()
    env.set_opponent("random")
    other = GameVectorEnv(N, "random", ruleset_options=SHORT, start=FENS)
    assert same(run(env, 30), run(other, 30))
    assert not same(run(env, 30), run(make(), 30))
