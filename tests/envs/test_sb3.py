"""The native VecEnv of Stable-Baselines3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from ks_env.core.actions import ACTIONS
from ks_env.core.answers import Reason
from ks_env.envs.sb3 import GameVecEnv, PlanesExtractor
from ks_env.games.kriegspiel.observation import SHAPE
from ks_env.players import make_player
from tests.envs.play import FENS, FEW, SHORT, Case, case_id, draw, envs_of, numeric, same

N = 4
GAMES = FEW[::2]  # one case of each


def stepped(env: Any, actions: Any) -> Any:
    """A step, with what GameVecEnv itself gives."""
    return env.step(actions)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def make(n: int = N, opponent: Any = "capture", **options: Any) -> GameVecEnv:
    arguments: dict[str, Any] = {"ruleset_options": SHORT, "start": FENS, "seed": 1, **options}
    made: GameVecEnv = envs_of(options).sb3(n, opponent, **arguments)
    return made


def run(env: GameVecEnv, steps: int, wild: float = 0.05) -> list[Any]:
    """What every step gives, copied."""
    rng = np.random.default_rng(2)
    seen: list[Any] = [env.reset().copy()]
    for _ in range(steps):
        planes, rewards, done, infos = stepped(env, draw(env.action_masks(), rng, wild))
        for info in infos:
            if "episode" in info:
                assert info["episode"].pop("t") >= 0
        seen.append((planes.copy(), rewards, done, infos, env.action_masks().copy()))
    return seen


@pytest.mark.parametrize("case", GAMES, ids=case_id)
def test_steps_are_those_of_the_vector_environment(case: Case) -> None:
    """Same seeds, same tries: the same games, with each end told in SB3's words."""
    limits = {**SHORT, "max_tries": 3}
    env = make(ruleset_options=limits, **case)
    other = envs_of(case).vector(
        N, "capture", autoreset_mode="SameStep", ruleset_options=limits, start=FENS, **case
    )
    rng, ends, truncated = np.random.default_rng(2), 0, 0
    planes, (observations, _) = env.reset(), other.reset(seed=1)
    lengths, totals = np.zeros(N, int), np.zeros(N)
    for _ in range(200):
        assert same(planes, observations["observation"])
        assert same(env.action_masks(), observations["action_mask"])
        actions = draw(env.action_masks(), rng, 0.2)
        planes, rewards, done, infos = stepped(env, actions)
        observations, expected, terminations, truncations, told = stepped(other, actions)
        assert same(rewards, expected)
        assert same(done, terminations | truncations)
        lengths += 1
        totals += rewards
        for row in range(N):
            if not done[row]:
                assert infos[row] == {}
                continue
            info = infos[row]
            assert same(info["terminal_observation"], told["final_obs"][row]["observation"])
            assert info["TimeLimit.truncated"] == truncations[row] == (info["reason"] == Reason.PLIES)
            assert (info["episode"]["l"], info["episode"]["r"]) == (lengths[row], totals[row])
            for key in ("reason", "winner", "seat", "plies"):
                assert info[key] == told["final_info"][key][row]
            truncated += truncations[row]
            lengths[row], totals[row] = 0, 0
            ends += 1
    assert ends > 10
    assert 0 < truncated < ends


@pytest.mark.parametrize("case", GAMES, ids=case_id)
def test_infos(case: Case) -> None:
    ends = 0
    for _, _, done, infos, _ in run(make(**case), 80)[1:]:
        for row in range(N):
            info = dict(infos[row])
            if not done[row]:
                assert info == {}
                continue
            ends += 1
            assert numeric(info.pop("episode"))
            assert numeric(info)
            assert set(info) == {
                "terminal_observation",
                "TimeLimit.truncated",
                "reason",
                "winner",
                "seat",
                "plies",
            }
    assert ends > 3


def test_buffers_last_until_the_step_after_the_next() -> None:
    env = make()
    before = env.reset()
    kept = before.copy()
    rng = np.random.default_rng(0)
    for _ in range(30):
        after, rewards, done, _ = stepped(env, draw(env.action_masks(), rng))
        assert same(before, kept)
        assert not np.shares_memory(before, after)
        last = (rewards, rewards.copy(), done, done.copy())
        before, kept = after, after.copy()
    stepped(env, draw(env.action_masks(), rng))
    assert same(last[0], last[1])
    assert same(last[2], last[3])


@pytest.mark.parametrize("case", GAMES, ids=case_id)
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(threads: int, case: Case) -> None:
    assert same(run(make(**case), 60), run(make(threads=threads, **case), 60))


def test_seeds() -> None:
    assert same(run(make(), 30), run(make(), 30))
    assert not same(run(make(), 30), run(make(seed=2), 30))
    env, later = make(seed=9), make()
    env.seed(1)
    assert same(run(env, 30), run(later, 30))
    goes_on = make()
    assert not same(goes_on.reset().copy(), goes_on.reset().copy())


@pytest.mark.parametrize("case", GAMES, ids=case_id)
def test_rendering_changes_nothing(case: Case) -> None:
    drawn = make(render_mode="rgb_array", **case)
    assert same(run(make(**case), 60), run(drawn, 60))
    pictures = drawn.get_images()
    assert len(pictures) == N
    assert all(picture is not None and picture.dtype == np.uint8 for picture in pictures)
    assert make().get_images() == [None] * N
    with pytest.raises(ValueError, match="unknown render_mode 'human'"):
        make(render_mode="human")


# -- SB3's ways of asking ------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", GAMES, ids=case_id)
def test_spaces(case: Case) -> None:
    env = make(**case)
    table = env.engine.game_played.planes
    assert env.observation_space.shape == (table.count, 8, 8)
    assert env.observation_space.dtype == np.uint8
    assert (env.observation_space.high == table.high[:, None, None]).all()  # type: ignore[attr-defined]
    assert env.action_space.n == ACTIONS  # type: ignore[attr-defined]
    assert all(row in env.observation_space for row in env.reset())


def test_masks_by_every_way() -> None:
    env = make()
    env.reset()
    masks = env.action_masks()
    assert masks.shape == (N, ACTIONS)
    assert masks.any(1).all()
    assert is_masking_supported(env)
    assert same(get_action_masks(env), masks)
    assert same(np.stack(env.env_method("action_masks")), masks)
    assert same(env.env_method("action_masks", indices=[2])[0], masks[2])
    wrapped = VecMonitor(env)
    assert is_masking_supported(wrapped)
    assert same(get_action_masks(wrapped), masks)


def test_attributes() -> None:
    env = make()
    assert env.has_attr("action_masks")
    assert not env.has_attr("board")
    assert env.get_attr("num_envs") == [N] * N
    assert env.get_attr("render_mode", [0, 1]) == [None, None]
    env.set_attr("note", 5)
    assert env.get_attr("note", 1) == [5]
    with pytest.raises(ValueError, match="attributes belong to all rows"):
        env.set_attr("note", 6, indices=0)
    with pytest.raises(AttributeError):
        env.get_attr("board")
    assert env.env_is_wrapped(VecMonitor) == [False] * N  # type: ignore[arg-type]


# -- learning ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", GAMES, ids=case_id)
def test_maskable_ppo_learns_a_few_steps(case: Case) -> None:
    env = make(seed=None, **case)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=16,
        batch_size=32,
        n_epochs=1,
        gamma=1.0,
        seed=3,
        policy_kwargs={"features_extractor_class": PlanesExtractor, "net_arch": [16]},
    )
    before = {name: value.clone() for name, value in model.policy.state_dict().items()}
    model.learn(2 * 16 * N)
    assert model.num_timesteps == 2 * 16 * N
    assert any(not torch.equal(value, before[name]) for name, value in model.policy.state_dict().items())
    planes = env.reset()
    actions, _ = model.predict(planes, action_masks=env.action_masks())
    assert env.action_masks()[np.arange(N), actions].all()
    assert len(model.ep_info_buffer or ()) > 0
    assert {"r", "l", "t"} <= set(model.ep_info_buffer[0])  # type: ignore[index]


def test_what_is_stored_is_what_was_seen() -> None:
    """The rollout's observations are those before each step, not overwritten by it."""
    env = make()
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=12, batch_size=24, n_epochs=1, policy_kwargs={"net_arch": [4]}, seed=0
    )
    seen: list[np.ndarray] = []
    reset, wait = env.reset, env.step_wait
    env.reset = lambda: _keep(seen, reset())  # type: ignore[method-assign]
    env.step_wait = lambda: _kept_step(seen, wait())  # type: ignore[method-assign]
    model.learn(12 * N)
    stored = np.asarray(model.rollout_buffer.observations)
    wanted = np.stack(seen[:12])
    assert sorted(map(bytes, stored.reshape(-1, wanted[0, 0].size).astype(np.uint8))) == sorted(
        map(bytes, wanted.reshape(-1, wanted[0, 0].size))
    )


def _keep(seen: list[np.ndarray], planes: Any) -> Any:
    seen.append(planes.copy())
    return planes


def _kept_step(seen: list[np.ndarray], result: Any) -> Any:
    seen.append(result[0].copy())
    return result


def test_the_extractor_scales_into_the_unit_interval() -> None:
    env = make()
    extractor = PlanesExtractor(env.observation_space)  # type: ignore[arg-type]
    assert extractor.features_dim == int(np.prod(SHAPE))
    most = torch.as_tensor(GameVecEnv(1).engine.high[None])
    assert torch.equal(extractor(most), torch.ones(1, extractor.features_dim))
    assert torch.equal(extractor(torch.zeros_like(most)), torch.zeros(1, extractor.features_dim))
    planes = torch.as_tensor(run(env, 20)[-1][0])
    features = extractor(planes)
    assert features.shape == (N, extractor.features_dim)
    assert features.dtype == torch.float32
    assert 0 <= features.min() < features.max() <= 1
    expected = planes.float().reshape(N, -1) / most.float().reshape(1, -1)
    assert torch.allclose(features, expected)
    assert "scale" in extractor.state_dict()


# -- saved and continued -------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", GAMES, ids=case_id)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_saved_state_goes_on_exactly(threads: int, case: Case) -> None:
    env = make(threads=threads, **case)
    rng = np.random.default_rng(1)
    env.reset()
    for _ in range(15):
        stepped(env, draw(env.action_masks(), rng))
    state = env.get_state()
    kept = {name: array.copy() for name, array in state.items()}
    planes, masks = env.engine.buffers.observations.copy(), env.action_masks().copy()

    def go_on(each: GameVecEnv) -> list[Any]:
        rng, seen = np.random.default_rng(7), []
        for _ in range(60):
            planes, rewards, done, infos = stepped(each, draw(each.action_masks(), rng))
            for info in infos:
                info.get("episode", {}).pop("t", None)
            seen.append((planes.copy(), rewards, done, infos))
        return seen

    first = go_on(env)
    assert same(state, kept)  # stepping on does not change what was saved
    for other in (env, make(seed=77, **case)):
        restored = other.set_state(state)
        assert same(restored.reshape(planes.shape), planes)
        assert same(other.action_masks(), masks)
        assert same(go_on(other), first)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: state.pop("tally"), "saved state has the parts .*; expected .*'tally'"),
        (lambda state: state.update(more=state["seats"]), "saved state has the parts .*'more'"),
        (
            lambda state: state.update(seats=state["seats"][:2]),
            r"'seats' is \[2\] of 1 bytes; expected \[4\] of 1",
        ),
        (lambda state: state.update(games=np.zeros(N)), r"'games' is \[4\] of 8 bytes; expected \[4\] of"),
        (lambda state: state["games"]["truth"]["past"].fill(10**6), "its arrays are not as they were saved"),
        (lambda state: state["games"]["views"]["men"].fill(255), "its arrays are not as they were saved"),
        (lambda state: state["checksum"].fill(0), "its arrays are not as they were saved"),
    ],
)
def test_a_state_that_does_not_fit(change: Any, message: str) -> None:
    env = make()
    env.reset()
    state = env.get_state()
    change(state)
    before = env.get_state()
    with pytest.raises(ValueError, match=message):
        env.set_state(state)
    assert same(env.get_state(), before)


def test_states_that_cannot_be_saved_or_shown() -> None:
    with pytest.raises(ValueError, match="the opponent 'capture' keeps its own state"):
        make(opponent=lambda: make_player("capture")).get_state()
    state = make(ruleset="berkeley").get_state()
    with pytest.raises(ValueError, match="saved state is of another ruleset"):
        make().set_state(state)
    state = make().get_state()
    with pytest.raises(ValueError, match="the opponent 'capture' keeps its own state"):
        make(opponent=lambda: make_player("capture")).set_state(state)
    with pytest.raises(ValueError, match="a saved state holds no announcements"):
        make(render_mode="rgb_array").set_state(state)


# -- opponents -----------------------------------------------------------------------------------------------


def test_another_kernel_opponent_goes_on_with_the_games() -> None:
    env = make()
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(5):
        stepped(env, draw(env.action_masks(), rng))
    games = env.engine.batch.games.copy()
    env.set_opponent("random")
    assert same(env.engine.batch.games, games)
    env.set_opponent(lambda: make_player("random"))
    assert (env.engine.batch.games["truth"]["plies"] <= 1).all()
    assert env.action_masks().any(1).all()
    planes = stepped(env, draw(env.action_masks(), rng))[0]
    assert planes.shape == (N, *SHAPE)
