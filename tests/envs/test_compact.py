"""The compact observation holds what planes and mask hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ks_env import GameEnv, GameVectorEnv, SelfPlayVectorEnv, game_ids, game_named
from ks_env.envs.aec import raw_env
from ks_env.envs.compact import masks_of, planes_of
from ks_env.envs.sb3 import GameVecEnv

SHORT = {"max_plies": 30}
GAMES = 24


def same(shown: dict[str, Any], usual: dict[str, Any], game: str) -> bool:
    planes = planes_of(shown, game_named(game))
    masks = masks_of(shown["tries"])
    counts = (shown["tries"] >= 0).sum(axis=-1)
    return bool(
        np.array_equal(planes, usual["observation"])
        and np.array_equal(masks, usual["action_mask"])
        and np.array_equal(counts, usual["action_mask"].sum(axis=-1))  # each try once
        and (np.diff((shown["tries"] >= 0).astype(int), axis=-1) <= 0).all()  # -1 after the last alone
    )


def draw(mask: Any, rng: np.random.Generator) -> Any:
    chances = rng.random(mask.shape) * mask
    return np.argmax(chances, axis=-1)


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("mode", list(AutoresetMode)[:2], ids=lambda m: m.value)
@pytest.mark.parametrize("mask", ["informed", "own-board"])
@pytest.mark.parametrize("alone", [True, False], ids=["self-play", "against"])
def test_it_is_the_dict(game: str, mode: AutoresetMode, mask: str, alone: bool) -> None:
    def make(form: Any, threads: int) -> Any:
        kind: Any = SelfPlayVectorEnv if alone else GameVectorEnv
        return kind(
            GAMES, game=game, autoreset_mode=mode, mask=mask, ruleset_options=SHORT, observation=form,
            threads=threads,
        )  # fmt: skip

    usual, compact = make("dict", 1), make("compact", 2)
    (told, told_infos), (shown, infos) = usual.reset(seed=4), compact.reset(seed=4)
    rng, ends = np.random.default_rng(2), 0
    assert "action_mask" not in infos
    for _ in range(90):
        assert shown in compact.observation_space
        assert same(shown, told, game)
        assert np.array_equal(compact.action_masks(), told["action_mask"])
        for seat in (0, 1):
            assert same(compact.observe(3, seat), usual.observe(3, seat), game)
        actions = draw(told["action_mask"], rng)
        told, rewards, over, cut, told_infos = usual.step(actions)
        shown, *rest, infos = compact.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(rest, (rewards, over, cut), strict=True))
        for row in np.flatnonzero(infos.get("_final_obs", ())):
            assert same(infos["final_obs"][row], told_infos["final_obs"][row], game)
            ends += 1
    assert ends or mode is AutoresetMode.NEXT_STEP


def test_one_game() -> None:
    usual, compact = GameEnv(ruleset_options=SHORT), GameEnv(ruleset_options=SHORT, observation="compact")
    (told, info), (shown, same_info) = usual.reset(seed=4), compact.reset(seed=4)
    rng = np.random.default_rng(2)
    while True:
        assert shown in compact.observation_space
        assert same(shown, told, "Kriegspiel")
        assert np.array_equal(info["action_mask"], same_info["action_mask"])
        action = draw(told["action_mask"], rng)
        told, _, over, cut, info = usual.step(action)
        shown, *_, same_info = compact.step(action)
        if over or cut:
            break


def test_arrays_of_the_caller() -> None:
    env = SelfPlayVectorEnv(3, observation="compact", copy=False)
    space: Any = env.observation_space
    mine = {name: np.zeros(space[name].shape, space[name].dtype) for name in space.spaces}
    env.bind(**mine)
    seen, _ = env.reset(seed=1)
    assert all(np.shares_memory(seen[name], mine[name]) for name in mine)
    env.step(np.array([seen["tries"][row, 0] for row in range(3)]))
    assert same(mine, {"observation": planes_of(seen, game_named("Kriegspiel")),
                       "action_mask": env.action_masks()}, "Kriegspiel")  # fmt: skip
    with pytest.raises(ValueError, match="unknown buffer 'masks'; expected one of boards, squares, values"):
        env.bind(masks=np.zeros((3, 1859), np.int8))


def test_where_it_cannot_be() -> None:
    with pytest.raises(ValueError, match="'compact' cannot be combined with an encoder or terms"):
        GameVectorEnv(1, observation="compact", encoder="metaposition")
    with pytest.raises(ValueError, match="a side begins with 10 queens and pawns"):
        GameVectorEnv(1, observation="compact", start="4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1")
    with pytest.raises(ValueError, match="observation='compact' is not made here"):
        GameVecEnv(1, observation="compact")
    with pytest.raises(ValueError, match="observation='compact' is not made here"):
        raw_env(observation="compact")
