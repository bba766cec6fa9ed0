"""The Gymnasium environment of one game."""

from __future__ import annotations

import warnings
from typing import Any

import chess
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ks_env.core.actions import text_to_action
from ks_env.core.answers import Reason
from ks_env.envs.solo import GameEnv
from ks_env.games import game_ids
from ks_env.games.kriegspiel.planes import TABLE
from tests.envs.play import ALL, CASES, FENS, FEW, SHORT, Case, case_id, draw, envs_of, held, numeric, same

MODES = [None, "rgb_array", "ansi", "svg", "human"]


@pytest.fixture(autouse=True)
def no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def run(env: Any, seed: int, steps: int, wild: float = 0.0) -> list[Any]:
    """What `steps` random tries give, games begun anew when they end."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    seen: list[Any] = [(observation, info)]
    for _ in range(steps):
        observation, reward, terminated, truncated, info = env.step(
            draw(info["action_mask"][None], rng, wild)[0]
        )
        seen.append((observation, reward, terminated, truncated, info))
        if terminated or truncated:
            observation, info = env.reset()
            seen.append((observation, info))
    return seen


@pytest.mark.parametrize("name", [f"ks_env/{game}-v0" for game in game_ids()])
@pytest.mark.parametrize("mode", MODES)
def test_gymnasiums_checker(mode: str | None, name: str) -> None:
    env = gymnasium.make(name, render_mode=mode, ruleset_options={"max_plies": 30})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=mode is not None)
    env.close()


@pytest.mark.parametrize("case", [*CASES, {"hidden": "8P 2N 2B 2R Q v none"}], ids=case_id)
def test_the_checker_in_every_ruleset(case: Case) -> None:
    check_env(envs_of(case).solo("capture", **case), skip_render_check=True)


@pytest.mark.parametrize("case", FEW[1:], ids=case_id)
def test_stable_baselines_checker(case: Case) -> None:
    from stable_baselines3.common.env_checker import check_env as check

    check(envs_of(case).solo("capture", **case), warn=False, skip_render_check=True)


def test_made_by_name() -> None:
    env = gymnasium.make("ks_env/Kriegspiel-v0", opponent="capture", seat="black", ruleset="rand")
    assert isinstance(env.unwrapped, GameEnv)
    assert env.spec is not None
    assert env.spec.max_episode_steps is None  # it would count tries
    observation, _ = env.reset(seed=4)
    assert observation["observation"][TABLE.channel("black")].all()
    assert observation in env.observation_space


@pytest.mark.parametrize("case", FEW[1:], ids=case_id)
def test_seeds_repeat_and_differ(case: Case) -> None:
    make = envs_of(case).solo
    runs = [run(make("capture", ruleset_options=SHORT, **case), seed, 60) for seed in (5, 5, 6)]
    assert same(runs[0], runs[1])
    assert not same(runs[0], runs[2])


def test_a_second_reset_goes_on_with_the_streams() -> None:
    env = GameEnv("random", seat="white", ruleset_options={"max_plies": 2})
    firsts = set()
    env.reset(seed=0)
    for _ in range(12):
        env.step(text_to_action("e2e4", chess.WHITE))
        firsts.add(env.engine.batch.games[0]["truth"]["men"].tobytes())
        env.reset()
    assert len(firsts) > 5  # Black answers differently


@pytest.mark.parametrize("mode", ["rgb_array", "ansi", "svg"])
@pytest.mark.parametrize("case", FEW, ids=case_id)
def test_rendering_changes_nothing(mode: str, case: Case) -> None:
    make = envs_of(case).solo
    plain = run(make("capture", ruleset_options=SHORT, **case), 3, 120, wild=0.1)
    drawn = run(make("capture", ruleset_options=SHORT, render_mode=mode, **case), 3, 120, wild=0.1)
    assert same(plain, drawn)


@pytest.mark.parametrize("case", [{}, {"hidden": "2B v Q"}])
def test_pictures(case: Case) -> None:
    make = envs_of(case).solo
    env = make(render_mode="rgb_array", **case)
    env.reset(seed=1)
    picture = env.render()
    assert (picture.dtype, picture.ndim, picture.shape[2]) == (np.uint8, 3, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 3
    referee = make(render_mode="svg", **case)
    learner = make(render_mode="svg", viewpoint="learner", **case)
    for env in (referee, learner):
        env.reset(seed=1)
    assert referee.render() != learner.render()
    with pytest.warns(UserWarning, match="nothing is rendered"):
        assert make().render() is None


@pytest.mark.parametrize("ruleset", ALL)
def test_masked_out_actions_are_answered(ruleset: str) -> None:
    env = GameEnv("random", ruleset=ruleset, ruleset_options={"max_tries": 9})
    rng, losses = np.random.default_rng(1), 0
    observation, info = env.reset(seed=1)
    for action in [0, 1857, 1858, *rng.integers(0, 1859, 250).tolist()]:
        before = env.engine.batch.games[0]["truth"]["men"].copy()
        inside = info["action_mask"][action]
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            losses += reward == -1
            assert info["reason"] == Reason.TRIES or inside
            observation, info = env.reset()
        elif not inside and ruleset == "cincinnati":
            assert (env.engine.batch.games[0]["truth"]["men"] == before).all()
        assert observation in env.observation_space
    assert losses > 3


def test_the_reward_is_the_result_once() -> None:
    rewards: dict[str, set[float]] = {}
    for seat in ("white", "black"):
        for seed in range(10):
            env = GameEnv("random", seat=seat, ruleset="rand", start="7k/5Q2/8/6K1/8/8/8/8 w - - 0 1")
            rng = np.random.default_rng(seed)
            _, info = env.reset(seed=seed)
            total, over = 0.0, False
            while not over:
                _, reward, terminated, truncated, info = env.step(draw(info["action_mask"][None], rng)[0])
                over = terminated or truncated
                assert over or reward == 0
                total += reward
            winner = info["winner"]
            expected = 0 if winner < 0 else 1 if winner == info["seat"] else -1
            assert total == expected
            rewards.setdefault(seat, set()).add(total)
    assert 1.0 in rewards["white"]
    assert -1.0 in rewards["black"]


def test_infos_before_and_at_the_end() -> None:
    for item in run(GameEnv("capture", ruleset_options=SHORT), 1, 120):
        info = item[-1]
        over = len(item) == 5 and (item[2] or item[3])
        assert set(info) == {"action_mask", "start", "seat", "reason", "winner", "plies", "tries"}
        assert (info["reason"] > 0) == bool(over)
        assert info["start"] == 0
        assert numeric(info)
        if over:
            assert item[3] == (info["reason"] == Reason.PLIES)
            assert info["plies"] <= 24
            assert np.flatnonzero(info["action_mask"]).tolist() == [0]  # the action that is ignored


def test_the_learner_moves_second_as_black() -> None:
    env = GameEnv("random", seat="black")
    observation, info = env.reset(seed=0)
    assert observation["observation"][TABLE.channel("black")].all()
    assert observation["observation"][TABLE.channel("to move")].all()
    assert env.engine.batch.games[0]["truth"]["plies"] == 1
    assert info["action_mask"].any()
    assert (env.action_masks() == info["action_mask"]).all()


def test_random_seats_are_both_drawn() -> None:
    env = GameEnv("random", seat="random")
    env.reset(seed=0)
    seats = [int(env.reset()[0]["observation"][TABLE.channel("black"), 0, 0]) for _ in range(40)]
    assert 8 <= sum(seats) <= 32


def test_starts_are_drawn_by_game() -> None:
    env = GameEnv("random", seat="white", start=FENS)
    env.reset(seed=0)
    drawn = []
    for _ in range(60):
        env.reset()
        drawn.append(int(env.engine.batch.games[0]["truth"]["start"]))
    assert all(drawn.count(start) >= 8 for start in range(len(FENS)))


def test_hidden_starts_look_alike() -> None:
    fens = ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/5k2/8/8/KR6 w - - 0 1", "k7/8/8/8/8/8/8/KR6 w - - 0 1"]
    shown: set[Any] = set()
    hidden: set[Any] = set()
    for hide, seen in ((True, hidden), (False, shown)):
        env = GameEnv("random", seat="white", start=fens, hidden_start=hide)
        env.reset(seed=0)
        for _ in range(20):
            observation, _ = env.reset()
            seen.add(observation["observation"].tobytes())
            assert (observation["observation"][TABLE.channel("age")].max() == 255) == hide
    assert len(hidden) == 1
    assert len(shown) == 1  # no announcement tells them apart; ages start at 0


def test_shaping_adds_up_to_the_result() -> None:
    fen = "7k/5Q2/pppppppp/6K1/8/8/8/8 w - - 0 1"
    partial = 0
    for seed in range(4):
        env = GameEnv("random", start=fen, shaping="material", seat="white", ruleset_options=SHORT)
        rng = np.random.default_rng(seed)
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            _, reward, terminated, truncated, info = env.step(draw(info["action_mask"][None], rng)[0])
            over = terminated or truncated
            partial += reward != 0 and not over
            total += reward
        winner = info["winner"]
        expected = 0.0 if winner < 0 else 1.0 if winner == info["seat"] else -1.0
        if truncated:  # a game cut short keeps its potential
            expected = held(env.engine.batch.games[0]["views"][0])
        assert total == pytest.approx(expected, abs=1e-6)
    assert partial > 3


def test_shaping_values() -> None:
    env = GameEnv(
        "random",
        seat="white",
        start="4k3/p6n/8/3r4/4P3/2p5/1P6/4K3 w - - 0 1",
        shaping={"pawn": 0.1, "piece": 0.3},
        shaping_gamma=1.0,
    )
    env.reset(seed=0)
    reward = env.step(text_to_action("e4d5", chess.WHITE))[1]
    lost = env.engine.batch.games[0]["views"][0]
    expected = 0.3 - 0.1 * int(lost["pawns_lost"]) - 0.3 * int(lost["pieces_lost"])
    assert reward == pytest.approx(expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ruleset": "iccc"}, "unknown ruleset 'iccc'"),
        ({"ruleset_options": {"max_ply": 3}}, "unknown ruleset option 'max_ply'"),
        ({"start": "nowhere"}, "bad FEN 'nowhere'"),
        ({"start": []}, "no start position given"),
        ({"seat": "red"}, "unknown seat 'red'; expected one of white, black, random"),
        ({"mask": "none"}, "unknown mask 'none'; expected one of informed, own-board"),
        ({"shaping": "win"}, "unknown shaping 'win'; expected None, 'material' or"),
        ({"shaping": {"pawn": 1}}, "unknown shaping {'pawn': 1}"),
        (
            {"render_mode": "3d"},
            "unknown render_mode '3d'; expected None or one of human, rgb_array, ansi, svg",
        ),
        ({"viewpoint": "black"}, "unknown viewpoint 'black'"),
        ({"opponent": "captur"}, r"unknown player 'captur' \(did you mean 'capture'\?\)"),
        ({"opponent": "random:x=1"}, "it takes the parameters: none"),
        (
            {"opponent": 7},
            "7 is not an opponent; expected a player's name, a player factory or a BatchPlayer",
        ),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GameEnv(**arguments)


@pytest.mark.parametrize("number", [np.float32, np.float64, np.int64])
def test_numbers_of_numpy_shape_rewards(number: Any) -> None:
    env = GameEnv(shaping={"pawn": number(1), "piece": number(2)}, shaping_gamma=number(1))
    settings = env.engine.batch.settings[0]
    assert [settings[name] for name in ("pawn_value", "piece_value", "gamma")] == [1, 2, 1]


def test_an_unknown_argument() -> None:
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'rulset' \(did you mean 'ruleset'\?\)"):
        GameEnv(rulset="icc")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"'oponent'; .*, or an argument of the environment itself"):
        GameEnv(oponent="capture")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'hidden_start'; expected one of"):
        GameEnv(game="DarkChess", hidden_start=True)
    with pytest.raises(ValueError, match="unknown option 'start' of reset; expected none"):
        GameEnv().reset(options={"start": "x"})


def test_a_negative_seed() -> None:
    with pytest.raises((ValueError, gymnasium.error.Error)):
        GameEnv().reset(seed=-1)


def test_step_before_reset() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        GameEnv().step(0)


def test_the_mask_asked_for() -> None:
    masks = [
        GameEnv(seat="white", mask=level).reset(seed=0)[1]["action_mask"]
        for level in ("informed", "own-board")
    ]
    assert (masks[0] <= masks[1]).all()
    assert masks[1].sum() - masks[0].sum() == 14  # pawn captures, none of which was announced
