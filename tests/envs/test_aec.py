"""The PettingZoo environment: its own tests, turns, rewards, ends, and what only `state()` shows."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import chess
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from ks_env import invisible_chess_v0, kriegspiel_v0
from ks_env.core.actions import text_to_action
from ks_env.core.answers import Reason
from ks_env.core.planes import STATE_SHAPE
from ks_env.core.ruleset import RULESETS
from ks_env.envs.aec import AGENTS, env, raw_env
from ks_env.games.invisible.observation import INVISIBLE_STATE_SHAPE
from tests.envs.play import (
    ALL,
    CASES,
    FENS,
    FEW,
    Case,
    case_id,
    draw,
    envs_of,
    game_of_row,
    held,
    numeric,
    same,
    seen,
)


@pytest.fixture(autouse=True)
def no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


# -- PettingZoo's tests --------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.parametrize("case", FEW, ids=case_id)
def test_api(wrapped: bool, case: Case) -> None:
    limits = {"max_plies": 40}
    make = envs_of(case).env if wrapped else envs_of(case).raw_env
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(ruleset_options=limits, **case), num_cycles=60, verbose_progress=False)
    # advice that does not suit observations with a mask, and agents with names
    advice = ("Observation space for each", "Observation is not a NumPy", "We recommend agents")
    assert [str(w.message) for w in caught if not str(w.message).startswith(advice)] == []


@pytest.mark.parametrize("case", FEW[1:], ids=case_id)
def test_seeds(case: Case) -> None:
    seed_test(lambda: envs_of(case).env(start=FENS, **case), num_cycles=50)


@pytest.mark.parametrize("make", [env, partial(env, game="InvisibleChess")])
def test_render(make: Any) -> None:
    render_test(lambda render_mode=None: make(render_mode=render_mode))


def test_performance(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter(np.arange(0, 1e6, 0.05))  # the benchmark runs for five of these seconds
    monkeypatch.setattr("time.time", lambda: float(next(clock)))
    performance_benchmark(env())
    assert "turns per second" in capsys.readouterr().out


def test_made_by_name() -> None:
    made = pettingzoo.make("aec", "ks_env/Kriegspiel-v0", ruleset="rand")
    assert isinstance(made.unwrapped, raw_env)
    assert made.unwrapped.engine.rules == RULESETS["rand"]
    made.reset(seed=1)
    assert made.agent_selection == "white"
    assert kriegspiel_v0.env is env
    assert kriegspiel_v0.raw_env is raw_env
    other = pettingzoo.make("aec", "ks_env/InvisibleChess-v0", hidden="Q v 2B")
    assert isinstance(other.unwrapped, raw_env)
    assert isinstance(invisible_chess_v0.raw_env(), raw_env)
    assert invisible_chess_v0.env().unwrapped.metadata["name"] == "invisible_chess_v0"
    assert other.unwrapped.metadata["name"] == "invisible_chess_v0"


def test_wrappers() -> None:
    wrapped = env()
    assert isinstance(wrapped, OrderEnforcingWrapper)
    assert isinstance(wrapped.env, AssertOutOfBoundsWrapper)
    assert isinstance(wrapped.env.env, TerminateIllegalWrapper)
    assert isinstance(wrapped.env.env.env, raw_env)


# -- turns ---------------------------------------------------------------------------------------------------


def number(uci: str, agent: str) -> int:
    return text_to_action(uci, agent == "white")


def test_a_refused_try_leaves_the_same_agent_to_act() -> None:
    aec = raw_env(start="4k3/7p/8/8/r7/8/8/R3K3 w - - 0 1")
    aec.reset(seed=0)
    for uci, next_agent in (("a1a5", "white"), ("a1a5", "white"), ("e1e5", "white"), ("a1a3", "black")):
        assert aec.agent_selection == "white"
        aec.step(number(uci, "white"))
        assert aec.agent_selection == next_agent
        assert aec.rewards == {"white": 0, "black": 0}
    assert not aec.observe("white")["action_mask"].any()
    assert aec.observe("black")["action_mask"].any()


def test_an_illegal_try_with_wrappers_ends_the_game_as_a_loss() -> None:
    aec = env()
    aec.reset(seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        aec.step(number("a1a5", "white"))
    totals = dict.fromkeys(AGENTS, 0.0)
    for agent in aec.agent_iter():
        _, reward, terminated, _, _ = aec.last()
        assert terminated
        totals[agent] += reward
        aec.step(None)
    assert totals == {"white": -1, "black": 0}


def test_a_refused_try_within_the_mask_is_no_loss_with_wrappers() -> None:
    aec = env(start="4k3/7p/8/8/r7/8/8/R3K3 w - - 0 1")
    aec.reset(seed=0)
    aec.last()
    aec.step(number("a1a5", "white"))
    assert not any(aec.terminations.values())
    assert aec.agent_selection == "white"


@pytest.mark.parametrize("shaping", [None, "material"])
@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_rewards_add_up_to_the_result_exactly_once(case: Case, shaping: str | None) -> None:
    reasons: set[int] = set()
    decided = 0
    for seed in range(6):
        options = {"max_plies": 30, "max_tries": 3} if seed % 2 else {"max_plies": 60}
        aec = envs_of(case).raw_env(shaping=shaping, start=FENS, ruleset_options=options, **case)
        aec.reset(seed=seed)
        rng = np.random.default_rng(seed)
        totals, last_turns = dict.fromkeys(AGENTS, 0.0), dict.fromkeys(AGENTS, 0)
        for agent in aec.agent_iter(2000):
            observation, reward, terminated, truncated, info = aec.last()
            assert numeric(info)
            assert set(info) == {"start", "reason"}
            assert (info["reason"] > 0) == (terminated or truncated)
            totals[agent] += reward
            if terminated or truncated:
                last_turns[agent] += 1
                assert not observation["action_mask"].any()
                aec.step(None)
                continue
            assert observation["action_mask"].any()
            aec.step(int(draw(observation["action_mask"][None], rng, 0.4)[0]))
        assert last_turns == {"white": 1, "black": 1}
        assert aec.agents == []
        tally = aec.engine.batch.tally[0]
        winner = int(tally["end_winner"])
        decided += winner >= 0
        expected: list[float] = [0, 0] if winner < 0 else [1, -1] if winner == 0 else [-1, 1]
        if shaping and tally["end_reason"] == Reason.PLIES:  # a game cut short keeps its potential
            expected = [held(aec.engine.batch.games[0]["views"][seat]) for seat in (0, 1)]
        assert [totals[agent] for agent in AGENTS] == pytest.approx(expected, abs=1e-6)
        reasons.add(int(tally["end_reason"]))
    assert decided > 0
    assert len(reasons) > 1


def test_truncation_is_told_as_such() -> None:
    aec = raw_env(ruleset_options={"max_plies": 1})
    aec.reset(seed=0)
    aec.step(number("e2e4", "white"))
    assert aec.truncations == {"white": True, "black": True}
    assert aec.terminations == {"white": False, "black": False}
    assert aec.infos["white"]["reason"] == aec.infos["black"]["reason"] == Reason.PLIES


@pytest.mark.parametrize("ruleset", ALL)
def test_masked_out_actions_are_answered(ruleset: str) -> None:
    aec = raw_env(ruleset=ruleset)
    aec.reset(seed=0)
    for action in (0, 1, 1857, 1858, -5, 99_999):
        mask = aec.last()[0]["action_mask"]
        assert not 0 <= action < 1859 or not mask[action] or action == 1858
        aec.step(action)
        assert aec.agent_selection == "white"
        assert aec.engine.batch.games[0]["truth"]["plies"] == 0


# -- what is seen --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_both_agents_see_what_a_game_shows(case: Case) -> None:
    aec = envs_of(case).raw_env(start=FENS[1], **case)
    aec.reset(seed=0)
    game, rng = game_of_row(aec.engine, 0), np.random.default_rng(1)
    start = int(game.view(chess.WHITE)["start"])
    for _ in range(60):
        for agent, colour in zip(AGENTS, (chess.WHITE, chess.BLACK), strict=True):
            observed = aec.observe(agent)
            assert observed in aec.observation_space(agent)
            assert same(observed["observation"], seen(game, colour))
            assert same(observed["action_mask"], game.mask(colour))
            if game.to_play is not None:
                assert aec.infos[agent] == {"start": start, "reason": 0}
        if game.to_play is None:
            break
        action = int(draw(aec.last()[0]["action_mask"][None], rng, 0.2)[0])
        aec.step(action)
        game.ask(action)


def test_observations_are_fresh_arrays() -> None:
    aec = raw_env()
    aec.reset(seed=0)
    for agent in AGENTS:
        first = aec.observe(agent)
        for array in first.values():
            array.fill(77)
        assert (aec.observe(agent)["observation"] != 77).any()
        assert (aec.observe(agent)["action_mask"] != 77).all()


def test_the_state_is_the_referees_board() -> None:
    aec = raw_env()
    aec.reset(seed=0)
    board = chess.Board()
    for uci in ("e2e4", "d7d5", "e4d5", "g8f6"):
        aec.step(number(uci, aec.agent_selection))
        board.push_uci(uci)
    state = aec.state()
    assert state.shape == STATE_SHAPE == aec.state_space.shape
    assert state.dtype == np.uint8
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        column = state[:12, square // 8, square % 8]
        expected = np.zeros(12)
        if piece is not None:
            expected[piece.piece_type - 1 + (0 if piece.color else 6)] = 1
        assert column.tolist() == expected.tolist()
    assert (state[12] == 0).all()
    assert (state[13] == board.halfmove_clock).all()
    aec.step(number("a2a3", "white"))
    assert (aec.state()[12] == 1).all()
    assert (aec.state()[13] == 0).all()


def test_the_state_of_invisible_chess_marks_the_hidden_men() -> None:
    aec = partial(raw_env, game="InvisibleChess")(hidden="c1 g1 v d8")
    aec.reset(seed=0)
    for uci in ("g1f3", "d7d5"):
        aec.step(number(uci, aec.agent_selection))
    state = aec.state()
    assert state.shape == INVISIBLE_STATE_SHAPE == aec.state_space.shape
    assert (state[12] == 0).all()
    for plane, squares in ((14, "c1 f3"), (15, "d8")):
        marked = {chess.square_name(int(s)) for s in np.flatnonzero(state[plane])}
        assert marked == set(squares.split())


def test_nothing_but_the_state_shows_the_other_side() -> None:
    """Two hidden states that White cannot tell apart: all that White is given is alike, the state is not."""
    shown = []
    for reply in ("g8f6", "b8c6"):
        aec = raw_env()
        aec.reset(seed=0)
        aec.step(number("e2e4", "white"))
        aec.step(number("a7a4", "black"))
        aec.step(number(reply, "black"))
        shown.append((aec.last(), aec.observe("white"), aec.infos["white"], aec.rewards, aec.state()))
    assert same(shown[0][:4], shown[1][:4])
    assert not same(shown[0][4], shown[1][4])


@pytest.mark.parametrize("mode", ["human", "rgb_array", "ansi", "svg"])
def test_rendering_changes_nothing(mode: str) -> None:
    def play(aec: raw_env) -> list[Any]:
        aec.reset(seed=3)
        rng, seen = np.random.default_rng(3), []
        for _ in range(40):
            seen.append((aec.last(), aec.agent_selection))
            mask = aec.last()[0]["action_mask"]
            aec.step(int(draw(mask[None], rng)[0]) if mask.any() else None)
            if not aec.agents:
                break
        return seen

    options: dict[str, Any] = {"start": FENS, "ruleset_options": {"max_plies": 12}}
    assert same(play(raw_env(**options)), play(raw_env(render_mode=mode, **options)))


def test_viewpoints() -> None:
    drawn = set()
    for viewpoint in ("referee", "white", "black"):
        aec = raw_env(render_mode="svg", viewpoint=viewpoint)
        aec.reset(seed=0)
        drawn.add(aec.render())
    assert len(drawn) == 3
    with pytest.raises(ValueError, match="unknown viewpoint 'red'; expected 'referee', 'white' or 'black'"):
        raw_env(viewpoint="red")
    with pytest.raises(ValueError, match="unknown render_mode '3d'"):
        raw_env(render_mode="3d")
    silent = raw_env()
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="nothing is rendered"):
        assert silent.render() is None


def test_starts_are_drawn_by_game_and_by_seed() -> None:
    aec = raw_env(start=FENS)
    aec.reset(seed=0)
    drawn = []
    for _ in range(60):
        aec.reset()
        drawn.append(int(aec.engine.batch.games[0]["truth"]["start"]))
    assert all(drawn.count(start) >= 8 for start in range(len(FENS)))
    aec.reset(seed=0)
    again = []
    for _ in range(60):
        aec.reset()
        again.append(int(aec.engine.batch.games[0]["truth"]["start"]))
    assert drawn == again
