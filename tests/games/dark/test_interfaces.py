"""Dark chess behind every interface, played by `random` and `capture`."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from benchmarks.draw import random_actions
from ks_env import dark_chess_v0
from ks_env.core.answers import Reason
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games import game_ids, game_named
from ks_env.games.dark import DARK_CHESS
from ks_env.games.dark.game import DarkGame
from ks_env.games.opening import Opening
from ks_env.players.registry import make_player

GAME = "DarkChess"


def test_it_is_found_by_its_names() -> None:
    assert GAME in game_ids()
    assert game_named("dark chess") is DARK_CHESS


def test_gymnasium() -> None:
    env = gymnasium.make("ks_env/DarkChess-v0", opponent="capture", ruleset_options={"max_plies": 30})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("opponent", ["random", "capture"])
def test_against_an_opponent(opponent: str) -> None:
    """The same with one thread and two; games end by the capture of a king."""
    results = []
    for threads in (1, 2):
        env = GameVectorEnv(6, opponent, game=GAME, autoreset_mode="SameStep", threads=threads)
        observations, _ = env.reset(seed=4)
        stream, actions = np.array([7], np.uint64), np.zeros(6, np.int64)
        total, reasons = np.zeros(6), []
        for _ in range(250):
            random_actions(observations["action_mask"], stream, actions)
            observations, rewards, _, _, infos = env.step(actions)
            total += rewards
            if "final_info" in infos:
                reasons += infos["final_info"]["reason"][infos["_final_info"]].tolist()
        results.append((total.tolist(), reasons, observations["observation"].tobytes()))
    assert results[0] == results[1]
    assert Reason.KING_CAPTURED in results[0][1]


def test_self_play() -> None:
    env = SelfPlayVectorEnv(8, game=GAME, shaping="material")
    observations, _ = env.reset(seed=2)
    stream, actions, ends = np.array([7], np.uint64), np.zeros(8, np.int64), 0
    for _ in range(300):
        masks = observations["action_mask"]
        random_actions(masks, stream, actions)
        before = env.engine.batch.games["truth"]["plies"].copy()
        live = ~env.engine.batch.ended
        observations, _, terminations, _, _ = env.step(actions)
        ends += int(terminations.sum())
        moved = env.engine.batch.games["truth"]["plies"] - before
        assert (moved[live] == 1).all()  # every try of the mask is legal
    assert ends
    assert observations["observation"].shape == (8, DARK_CHESS.planes.count, 8, 8)


def test_aec() -> None:
    env = dark_chess_v0.env(ruleset_options={"max_plies": 40})
    assert env.metadata["name"] == "dark_chess_v0"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env, num_cycles=60, verbose_progress=False)
    raw = dark_chess_v0.raw_env()
    raw.reset(seed=1)
    assert raw.state().shape == DARK_CHESS.state_shape


def test_stable_baselines() -> None:
    pytest.importorskip("stable_baselines3")
    from ks_env.envs.sb3 import GameVecEnv

    env = GameVecEnv(4, "capture", game=GAME, seed=3)
    env.reset()
    stream, actions, ends = np.array([7], np.uint64), np.zeros(4, np.int64), []
    for _ in range(150):
        random_actions(np.stack(env.env_method("action_masks")), stream, actions)
        env.step_async(actions)
        _, _, done, infos = env.step_wait()
        ends += [infos[row]["episode"]["r"] for row in np.flatnonzero(done)]
    assert set(ends) <= {-1.0, 0.0, 1.0}
    assert ends


@pytest.mark.parametrize("names", [("random", "random"), ("capture", "random"), ("capture", "capture")])
def test_players_play_whole_games(names: tuple[str, str]) -> None:
    for seed in range(3):
        game = DarkGame()
        players: dict[bool, Any] = {
            c: make_player(name) for c, name in zip((True, False), names, strict=True)
        }
        for colour, player in players.items():
            player.begin(Opening.of(game, colour, seed))
        while (mover := game.to_play) is not None:
            view, board = game.view(mover), game.board()
            action = players[mover].choose(view)
            assert action in game.legal()
            can = any(board.is_capture(move) for move in board.legal_moves)
            taken = game.ask(action).captured
            if players[mover].name == "capture":
                assert (taken is not None) == can
        assert game.reason is not Reason.TRIES
