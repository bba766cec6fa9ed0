"""The vector environment in which the caller plays both seats."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ks_env.core.actions import text_to_action
from ks_env.core.answers import Reason
from ks_env.core.ruleset import ICC, Ruleset
from ks_env.envs.vector import SelfPlayVectorEnv
from ks_env.games.kriegspiel.planes import TABLE
from ks_env.games.under_way import GameUnderWay
from tests.envs.play import (
    ALL,
    CASES,
    FENS,
    FEW,
    HIDDEN,
    SHORT,
    Case,
    case_id,
    draw,
    envs_of,
    game_of_row,
    same,
    seen,
)

N = 3


def make(mode: AutoresetMode = AutoresetMode.SAME_STEP, **options: Any) -> SelfPlayVectorEnv:
    made: SelfPlayVectorEnv = envs_of(options).both(
        N, autoreset_mode=mode, ruleset_options=SHORT, start=FENS, **options
    )
    return made


@pytest.mark.parametrize("case", CASES, ids=case_id)
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_rows_are_games(mode: AutoresetMode, case: Case) -> None:
    """Beside each row a game is asked the same tries: it sees the same, and ends the same."""
    env = make(mode, **case)
    rng, ends = np.random.default_rng(1), 0
    observations, infos = env.reset(seed=1)
    games = [game_of_row(env.engine, row) for row in range(N)]
    for _ in range(80):
        resting = env.engine.batch.ended.copy()
        actions = draw(infos["action_mask"], rng, 0.05)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        for row in range(N):
            if resting[row]:
                if mode is AutoresetMode.NEXT_STEP:
                    games[row] = game_of_row(env.engine, row)
                assert not rewards[row].any()
                continue
            game = games[row]
            game.ask(int(actions[row]))
            over = game.reason is not Reason.NONE
            assert (terminations[row] or truncations[row]) == over
            assert truncations[row] == (game.reason is Reason.PLIES)
            assert rewards[row].tolist() == result(game)
            if over:
                ends += 1
                check_end(infos, row, game, mode)
                if mode is AutoresetMode.SAME_STEP:
                    games[row] = game_of_row(env.engine, row)
        for row, game in enumerate(games):
            check_row(env, observations, infos, row, game)
    assert ends >= 3


def result(game: GameUnderWay[Any]) -> list[float]:
    if game.winner is None:
        return [0.0, 0.0]
    return [1.0, -1.0] if game.winner else [-1.0, 1.0]


def check_end(infos: dict[str, Any], row: int, game: GameUnderWay[Any], mode: AutoresetMode) -> None:
    told = infos
    if mode is AutoresetMode.SAME_STEP:
        told = infos["final_info"]
        final = infos["final_obs"][row]
        expected = np.stack([seen(game, colour) for colour in (chess.WHITE, chess.BLACK)])
        assert same(final["observation"], expected)
        assert final["action_mask"].shape == (2, 1859)
        assert (np.flatnonzero(final["action_mask"]) == [0, 1859]).all()  # the one that is ignored
    winner = -1 if game.winner is None else 0 if game.winner else 1
    assert (told["reason"][row], told["winner"][row], told["plies"][row]) == (game.reason, winner, game.plies)


def check_row(
    env: SelfPlayVectorEnv, observations: Any, infos: Any, row: int, game: GameUnderWay[Any]
) -> None:
    side = int(game.row()["truth"]["side"])
    assert infos["to_play"][row] == side
    colour = side == 0
    assert same(observations["observation"][row], seen(game, colour))
    expected = game.mask(colour)
    expected[0] |= game.to_play is None  # the action that is ignored
    assert same(observations["action_mask"][row], expected)
    assert same(infos["action_mask"][row], observations["action_mask"][row])
    for seat, either in ((0, chess.WHITE), (1, chess.BLACK)):
        observed = env.observe(row, seat)
        assert same(observed["observation"], seen(game, either))
        assert same(observed["action_mask"], game.mask(either))


@pytest.mark.parametrize("ruleset", ALL)
def test_the_waiting_seat_while_the_other_is_refused(ruleset: str) -> None:
    env = SelfPlayVectorEnv(1, ruleset=ruleset)
    env.reset(seed=0)
    waits = env.observe(0, 1)
    assert not waits["action_mask"].any()
    for action in (0, 1, 1857, 700):
        env.step(np.array([action]))
        assert same(env.observe(0, 1), waits) == (ruleset in ("icc", "berkeley", "berkeley-any"))
    shown = env.observe(0, 1)["observation"]
    changed = {int(c) for c in np.flatnonzero((shown != waits["observation"]).any((1, 2)))}
    assert changed <= {TABLE.channel("refusals heard")}


def test_refusals_of_the_other_seat_are_heard_where_the_rules_say_so() -> None:
    for ruleset, heard in (("icc", 0), ("berkeley", 1)):
        env = SelfPlayVectorEnv(1, ruleset=ruleset, start="4k3/8/8/8/r7/8/8/R3K3 w - - 0 1")
        env.reset(seed=0)
        env.step(np.array([text_to_action("a1a5", chess.WHITE)]))
        assert env.observe(0, 1)["observation"][TABLE.channel("refusals heard"), 0, 0] == heard


@pytest.mark.parametrize("case", [{"ruleset": "rand"}, {"hidden": HIDDEN[0]}], ids=case_id)
@pytest.mark.parametrize("shaping", [None, "material"])
def test_rewards_of_both_seats_add_up_to_their_results(shaping: str | None, case: Case) -> None:
    limits = {"max_plies": 60, "max_tries": 3}
    env = envs_of(case).both(
        N,
        autoreset_mode=AutoresetMode.SAME_STEP,
        ruleset_options=limits,
        start=FENS,
        shaping=shaping,
        **case,
    )
    rng = np.random.default_rng(5)
    _, infos = env.reset(seed=5)
    totals, ends, between = np.zeros((N, 2)), 0, 0
    for _ in range(300):
        _, rewards, terminations, truncations, infos = env.step(draw(infos["action_mask"], rng, 0.1))
        totals += rewards
        done = terminations | truncations
        between += (rewards[~done] != 0).sum()
        for row in np.flatnonzero(done):
            winner = int(infos["final_info"]["winner"][row])
            expected = [0, 0] if winner < 0 else [1, -1] if winner == 0 else [-1, 1]
            if terminations[row] or shaping is None:  # a game cut short keeps its potential
                assert totals[row] == pytest.approx(expected, abs=1e-5)
                ends += 1
            totals[row] = 0
    assert ends > 10
    assert (between > 10) == (shaping is not None)


def test_only_the_result_is_rewarded_without_shaping() -> None:
    env = SelfPlayVectorEnv(1, ruleset=Ruleset.named(ICC, max_tries=2))
    env.reset(seed=0)
    rewards = [env.step(np.array([0]))[1].tolist() for _ in range(2)]
    assert rewards == [[[0, 0]], [[-1, 1]]]


@pytest.mark.parametrize("case", FEW, ids=case_id)
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(threads: int, case: Case) -> None:
    def run(env: SelfPlayVectorEnv) -> list[Any]:
        rng = np.random.default_rng(0)
        results: list[Any] = [env.reset(seed=3)]
        for _ in range(60):
            results.append(env.step(draw(results[-1][-1]["action_mask"], rng)))
        return results

    assert same(run(make(**case)), run(make(threads=threads, **case)))
    assert same(run(make(**case)), run(make(render_mode="ansi", **case)))


def test_rewards_bind_by_seat() -> None:
    env = make(copy=False)
    rewards = np.full((N, 2), 9, np.float32)
    env.bind(rewards=rewards)
    env.reset(seed=0)
    out = env.step(np.zeros(N, np.int64))[1]
    assert np.shares_memory(out, rewards)
    assert not rewards.any()
    with pytest.raises(ValueError, match=r"'rewards' is float32\[3\]; expected float32\[3, 2\]"):
        env.bind(rewards=np.zeros(N, np.float32))


@pytest.mark.parametrize(
    ("field", "value"), [("past", 30_000), ("past", 0), ("side", 2), ("ep", 64), ("winner", 3)]
)
def test_a_state_that_would_lead_out_of_the_tables_is_refused(field: str, value: int) -> None:
    env = make()
    env.reset(seed=1)
    state = env.engine.get_state()
    env.engine.set_state(state)
    state["games"]["truth"][field][1] = value
    with pytest.raises(ValueError, match="its arrays are not as they were saved"):
        env.engine.set_state(state)


def test_each_seat_has_its_own_tries_counted() -> None:
    env = SelfPlayVectorEnv(2, ruleset=Ruleset.named(ICC, max_plies=4))
    _, infos = env.reset(seed=1)
    rng, counted, ends = np.random.default_rng(1), np.zeros((2, 2), np.int64), 0
    while ends < 6:
        counted[np.arange(2), infos["to_play"]] += 1
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        _, _, terminated, truncated, infos = env.step(actions)
        for row in np.flatnonzero(terminated | truncated):
            assert infos["tries"][row].tolist() == counted[row].tolist()
            ends += 1
        reset = terminated | truncated
        counted[reset] = -np.eye(2, dtype=np.int64)[infos["to_play"][reset]]  # the next step begins a game
