"""What frameworks expect of environments: masks to draw from, stable infos, forms, pickling."""

import copy
import pickle
import subprocess
import sys
import time
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import parallel_api_test
from stable_baselines3.common.monitor import Monitor

from ks_env import kriegspiel_v0
from ks_env.belief.terms import MOST_PADDED
from ks_env.core.actions import text_to_action
from ks_env.envs.parallel import parallel_env
from ks_env.envs.pictures import Pictures
from ks_env.envs.sb3 import GameVecEnv
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games import game_ids, game_named
from ks_env.games.keywords import Keywords
from tests.envs.play import SHORT, draw, same

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


def drawn(masks: Any) -> np.ndarray[Any, Any]:
    """Actions as policies of PyTorch draw them."""
    logits = torch.zeros(masks.shape).masked_fill(torch.as_tensor(masks) == 0, -torch.inf)
    actions: np.ndarray[Any, Any] = torch.distributions.Categorical(logits=logits).sample().numpy()
    return actions


@pytest.mark.parametrize("kind", ["native", "self-play", "sync"])
def test_every_row_has_something_to_draw(kind: str) -> None:
    makers: dict[str, Any] = {
        "native": lambda: gymnasium.make_vec("ks_env/Kriegspiel-v0", 4, ruleset_options=SHORT),
        "self-play": lambda: SelfPlayVectorEnv(4, ruleset_options=SHORT),
        "sync": lambda: SyncVectorEnv([lambda: GameEnv("random", ruleset_options=SHORT)] * 4),
    }
    envs, ends = makers[kind](), 0
    observations, _ = envs.reset(seed=1)
    for _ in range(120):
        observations, _, over, cut, _ = envs.step(drawn(observations["action_mask"]))
        ends += int((over | cut).sum())
    assert ends > 4


@pytest.mark.parametrize("observation", ["dict", "compact"])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_game_that_the_opponent_ends_at_once_has_something_to_draw(observation: Any, mode: Any) -> None:
    start = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"  # White may mate, or stalemate, in one
    envs = GameVectorEnv(16, seat="black", start=start, observation=observation, autoreset_mode=mode)
    envs.reset(seed=0)
    over = envs.engine.batch.games["truth"]["reason"] > 0
    assert over.any()
    assert not over.all()
    masks = envs.action_masks()
    assert (np.flatnonzero(masks[over].any(axis=0)) == 0).all()
    assert same(envs.step(drawn(masks))[2][over], np.ones(over.sum(), np.bool_))
    assert envs.action_masks().any(axis=1).all()


def test_padded_tries_have_something_to_draw_as_well() -> None:
    envs, ends = GameVectorEnv(3, terms="raw", ruleset_options=SHORT), 0
    observations, _ = envs.reset(seed=1)
    for _ in range(80):
        places = drawn(observations["tries"] >= 0)
        actions = observations["tries"][np.arange(3), places].astype(np.int64)
        assert observations["action_mask"][np.arange(3), actions].all()
        observations, _, over, cut, _ = envs.step(actions)
        ends += int((over | cut).sum())
    assert ends > 3


@pytest.mark.parametrize("form", ["planes", "flat"])
def test_forms_hold_the_same_planes(form: Any) -> None:
    usual, other = GameEnv(ruleset_options=SHORT), GameEnv(ruleset_options=SHORT, observation=form)
    vector = GameVectorEnv(1, ruleset_options=SHORT, observation=form, autoreset_mode=AutoresetMode.DISABLED)
    aec, told = kriegspiel_v0.raw_env(observation=form), kriegspiel_v0.raw_env()
    sb3 = GameVecEnv(1, observation=form)
    assert sb3.observation_space == other.observation_space == aec.observation_space("white")
    (seen, info), (shown, same_info) = usual.reset(seed=3), other.reset(seed=3)
    rows, infos = vector.reset(seed=3)
    rng, high = np.random.default_rng(1), usual.engine.high
    for _ in range(30):
        assert shown in other.observation_space
        expected = (
            seen["observation"] if form == "planes" else (seen["observation"] / np.maximum(high, 1)).ravel()
        )
        assert shown == pytest.approx(expected, abs=1e-6)
        assert same(rows[0], shown)
        assert same(info, same_info)
        assert same(infos["action_mask"][0], info["action_mask"])
        action = int(draw(info["action_mask"][None], rng)[0])
        seen, _, over, cut, info = usual.step(action)
        shown, _, _, _, same_info = other.step(action)
        rows, _, _, _, infos = vector.step(np.array([action]))
        if over or cut:
            break
    for env in (aec, told):
        env.reset(seed=1)
    assert same(aec.infos["white"]["action_mask"], told.observe("white")["action_mask"])
    assert not aec.infos["black"]["action_mask"].any()


def test_a_form_that_cannot_be() -> None:
    with pytest.raises(ValueError, match=r"unknown observation 'plane'; expected one of dict, planes, flat"):
        GameEnv(observation="plane")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"observation='flat' cannot hold terms"):
        GameVectorEnv(1, observation="flat", terms="raw")
    space: Any = GameVecEnv(1, observation="dict", terms="raw").observation_space
    assert set(space.spaces) == {"observation", "action_mask", "tries", "terms", "state"}
    assert space["tries"].shape == (MOST_PADDED,)


def test_the_keywords_are_those_of_the_games() -> None:
    names = {field for game in game_ids() for field in game_named(game).options.__dataclass_fields__}
    assert set(Keywords.__annotations__) == names


def test_attributes_of_the_native_environment() -> None:
    envs = GameVectorEnv(3, ruleset_options=SHORT)
    envs.reset(seed=1)
    assert envs.autoreset_mode is AutoresetMode.NEXT_STEP
    assert envs.get_attr("num_envs") == (3, 3, 3)
    assert same(np.stack(envs.call("action_masks")), envs.action_masks())
    envs.set_attr("viewpoint", "white")
    envs.set_attr("viewpoint", ["black"] * 3)
    assert envs.get_attr("viewpoint") == ("black",) * 3
    with pytest.raises(ValueError, match="viewpoint belongs to all rows"):
        envs.set_attr("viewpoint", ["black", "white", "black"])
    with pytest.raises(ValueError, match="unknown option 'mask' of reset; expected one of reset_mask"):
        envs.reset(options={"mask": 1})


def test_sb3_sees_what_a_monitor_would_add() -> None:
    env = GameVecEnv(2)
    assert env.env_is_wrapped(Monitor) == [True, True]
    assert env.env_is_wrapped(gymnasium.wrappers.TimeLimit) == [False, False]


@pytest.mark.parametrize("game", ["Kriegspiel", "DarkChess"])
def test_the_parallel_environment(game: str) -> None:
    parallel_api_test(parallel_env(game=game, ruleset_options=SHORT), num_cycles=200)


@pytest.mark.parametrize("form", ["dict", "planes"])
def test_parallel_and_by_turns_are_one_game(form: Any) -> None:
    parallel, turns = parallel_env(observation=form), kriegspiel_v0.raw_env()
    seen, infos = parallel.reset(seed=4)
    turns.reset(seed=4)
    rng = np.random.default_rng(2)
    for _ in range(200):
        mover = turns.agent_selection
        other = "black" if mover == "white" else "white"
        assert (infos[mover]["to_play"], infos[other]["to_play"]) == (1, 0)
        masks = {a: seen[a]["action_mask"] if form == "dict" else infos[a]["action_mask"] for a in seen}
        assert same(masks[mover], turns.observe(mover)["action_mask"])
        assert np.flatnonzero(masks[other]).tolist() == [0]
        action = int(draw(masks[mover][None], rng, 0.2)[0])
        seen, rewards, over, cut, infos = parallel.step({mover: action, other: 0})
        turns.step(action)
        assert rewards == turns.rewards
        assert over == turns.terminations
        if any(over.values()) or any(cut.values()):
            break
    assert parallel.agents == turns.agents or not parallel.agents
    parallel.reset(seed=4)
    with pytest.raises(ValueError, match=r"white is to play, and has no action; got those of black"):
        parallel.step({"black": 0})


def test_the_parallel_environment_rewards_the_end_once() -> None:
    env = parallel_env(start="7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    env.reset(seed=1)
    mate = {"white": text_to_action("g6g7", True), "black": 0}
    assert env.step(mate)[1:3] == ({"white": 1, "black": -1}, {"white": True, "black": True})
    assert env.agents == []
    assert env.step({})[1:3] == ({"white": 0, "black": 0}, {"white": True, "black": True})


def test_environments_with_players_by_name_are_pickled() -> None:
    env = GameEnv("darkboard:metapositions=10", ruleset_options=SHORT)
    info = env.reset(seed=2)[1]
    twin = pickle.loads(pickle.dumps(env))
    rng = np.random.default_rng(1)
    for _ in range(20):
        action = draw(info["action_mask"][None], rng)[0]
        first, second = env.step(action), twin.step(action)
        assert same(first[0]["observation"], second[0]["observation"])
        assert first[1:4] == second[1:4]
        info = first[4]


def test_environments_with_threads_are_pickled() -> None:
    envs = GameVectorEnv(4, threads=2, ruleset_options=SHORT)
    _, infos = envs.reset(seed=2)
    twin = pickle.loads(pickle.dumps(envs))
    rng = np.random.default_rng(1)
    for _ in range(40):
        actions = draw(infos["action_mask"], rng)
        first, second = envs.step(actions), twin.step(actions)
        assert same(first[:4], second[:4])
        infos = first[4]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
@pytest.mark.parametrize("begun", [False, True])
def test_copies_see_their_own_games(copied: Any, begun: bool) -> None:
    envs = SelfPlayVectorEnv(4, terms="raw", encoder="metaposition", ruleset_options=SHORT)
    if begun:
        envs.reset(seed=1)
    twin = copied(envs)
    seen, other = envs.reset(seed=2)[0], twin.reset(seed=2)[0]
    rng = np.random.default_rng(1)
    for _ in range(40):
        assert same(seen, other)
        assert (seen["tries"] >= 0).any(1).all()
        actions = draw(seen["action_mask"], rng)
        seen, other = envs.step(actions)[0], twin.step(actions)[0]


class Screen:
    """Stands in for the window."""

    def __init__(self) -> None:
        self.shown: list[float] = []

    def show(self, *_: object) -> None:
        self.shown.append(time.monotonic())


def test_the_window_keeps_its_pace() -> None:
    pictures, screen = Pictures("human", ["human"], fps=20), Screen()
    pictures._window = screen
    for _ in range(4):
        pictures.draw(None, "referee")  # type: ignore[arg-type]
    assert np.diff(screen.shown[1:]).min() >= 0.045


FORKSERVER = """
import gymnasium

def main():
    import ks_env
    envs = gymnasium.vector.AsyncVectorEnv(
        [lambda: gymnasium.make("ks_env:ks_env/Kriegspiel-v0")] * 2, context="forkserver"
    )
    observations, _ = envs.reset(seed=1)
    print(observations["action_mask"].any(axis=1).tolist())
    envs.close()

if __name__ == "__main__":
    main()
"""


def test_ids_are_found_by_processes_that_have_imported_nothing(tmp_path: Any) -> None:
    script = tmp_path / "script.py"
    script.write_text(FORKSERVER)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert "[True, True]" in done.stdout, done.stderr
