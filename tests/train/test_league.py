"""The league: advantages by stream, games with past selves, the magnet; a run that is stopped"""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from ks_arena.sections import ConfigError
from ks_train.judge.evaluate import load_model
from ks_train.learn import checkpoint, run
from ks_train.learn.config import Experiment, Games
from ks_train.learn.league import League
from ks_train.learn.rollout import LEARNER, LeagueGames, Moves, SelfPlay
from rich.console import Console

from ks_env.belief.terms import Tries

SMALL: dict[str, Any] = {
    "name": "league",
    "torch_threads": 1,
    "env": {"terms": "raw", "num_envs": 6, "ruleset_options": {"max_plies": 20}},
    "league": {"itself": 1, "past": 1, "players": {"random": 1}, "every": 60, "keep": 2, "starts": 5},
    "learner": {"steps": 8, "batch_size": 16},
    "network": {"width": 8, "value_hidden": 4},
    "budget": {"timesteps": 200},
    "evaluation": {"against": ["random"], "games": 2},
    "checkpoints": {"every": 50},
}


def small(folder: Path, **changes: Any) -> Experiment:
    """A league that is over in a second."""
    league = SMALL["league"] | changes.pop("league", {})
    return Experiment.model_validate(SMALL | {"folder": folder, "league": league} | changes)


def local(league: League) -> LeagueGames:
    """Its games, which this process plays."""
    assert isinstance(league.games, LeagueGames)
    return league.games


def test_games_are_divided_by_the_weights(tmp_path: Path) -> None:
    league = small(tmp_path).league
    assert league is not None
    assert league.divided(6) == Games(itself=2, past=2, players={"random": 2})
    assert league.divided(7).itself == 3, "what is left goes to the first of the largest"
    with pytest.raises(ValueError, match="2 games for 3 kinds"):
        league.divided(2)
    uneven = small(tmp_path, league={"itself": 50, "past": 50, "players": {"random": 1, "capture": 1}}).league
    assert uneven is not None
    assert uneven.divided(4) == Games(itself=1, past=1, players={"random": 1, "capture": 1})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"opponents": [{"opponent": "random"}]}, "expected one of the two"),
        ({"env": {"num_envs": 8}}, "env.terms: is not set"),
        ({"env": {"terms": "raw", "shaping": "material"}}, "env.shaping: is"),
        ({"learner": {"gamma": 0.9}}, "learner.gamma: is 0.9; a league expects 1.0"),
        ({"env": {"terms": "raw", "num_envs": 2}, "learner": {"batch_size": 16}}, "env.num_envs: 2 games"),
        ({"league": {"itself": 0, "past": 0, "players": {}}}, "all weights are 0"),
        ({"learner": {"target_kl": 0.01}}, "learner.target_kl: is 0.01; a league expects None"),
        ({"league": {"past": 0, "fixed": ["runs/one"]}}, "fixed: past is 0"),
        ({"league": {"ray": 2}, "budget": {"cpu_minutes": 1}}, "budget.cpu_minutes: leaves out the workers"),
    ],
)
def test_leagues_that_make_no_sense_are_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        small(tmp_path, **changes)


def test_advantages_are_those_of_each_seat_alone(tmp_path: Path) -> None:
    """One game, two seats that take turns with a refused try between, against a slow count of each alone."""
    config = small(tmp_path, league={"past": 0, "players": {}}, env={"terms": "raw", "num_envs": 2})
    league = League(config, None)
    rng = np.random.default_rng(0)
    order = [0, 1, 1, 0, 1, 0, 1]  # streams 2 and 3, of the second game, do not move
    ends = [False, False, False, True, False, False, False]
    values = rng.uniform(-1, 1, len(order)).astype(np.float32)
    rewards = np.zeros((len(order), 4), np.float32)
    rewards[3, :2] = 1, -1
    nothing = Tries(np.zeros(2, np.int64), *league_room())
    moves = [
        Moves(nothing, np.array([who]), torch.zeros(1, dtype=torch.int64), torch.zeros(1), value[None])
        for who, value in zip(order, values, strict=True)
    ]
    last = moves[0]._replace(values=np.array([0.25], np.float32))
    answers = [
        (reward, np.array([end, end, False, False])) for reward, end in zip(rewards, ends, strict=True)
    ]
    found = local(league)._rollout(moves, answers, last).returns.numpy()

    decay = config.learner.gae_lambda
    for stream in (0, 1):
        own = [t for t, who in enumerate(order) if who == stream]
        for k, t in enumerate(own):
            total, weight = 0.0, 1.0
            for at, after in zip(own[k:], [*own[k + 1 :], None], strict=True):
                over = [s for s in range(at, after or len(order)) if ends[s]]
                reward = sum(rewards[s, stream] for s in range(at, after or len(order)))
                following = 0.0 if over else values[after] if after else 0.25 if stream == 0 else values[at]
                total += weight * (reward + following - values[at])
                if over:
                    break
                weight *= decay
            assert found[t] == pytest.approx(np.clip(total + values[t], -1, 1), abs=1e-6)


def league_room() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One try of one state."""
    return np.zeros(0, np.int16), np.zeros((0, 36), np.float32), np.zeros((1, 31), np.float32)


def test_past_selves_have_one_seat(tmp_path: Path) -> None:
    league = League(small(tmp_path), None)
    own = local(league).parts[0]
    assert isinstance(own, SelfPlay)
    assert (own.who == LEARNER).all(), "no past self yet"
    league.remember()
    league.remember()
    own.draw_seats(np.arange(4), len(league.pool), league.rng)
    assert ((own.who[:2] != LEARNER).sum(1) == 1).all()
    assert (own.who[2:] == LEARNER).all(), "games against itself"
    rollout, _ = league.games.play()
    streams = 2 * 2 + 2 * 2 + 2
    assert local(league).streams == streams
    assert len(rollout.values) < 6 * 8, "what past selves try is not learnt from"
    league.remember()
    assert len(league.pool) == 2, "a new past self takes the place of an old one"


@pytest.mark.parametrize("draw", [0.0, -0.25])
def test_what_a_draw_is_worth(tmp_path: Path, draw: float) -> None:
    """Kings and a pawn that may be captured at once: each try of a game that ends so brings the same."""
    config = small(
        tmp_path,
        league={"past": 0, "players": {}, "draw": draw},
        env={"terms": "raw", "num_envs": 4, "start": ["8/8/8/8/8/8/1p6/K6k w - - 0 1"]},
        learner={"steps": 16, "gae_lambda": 1.0},
    )
    rollout, _ = League(config, None).games.play()
    captured = rollout.actions.numpy() == 8  # a1b2: bare kings are left
    assert captured.any()
    assert np.isclose(rollout.returns.numpy()[captured], draw, atol=1e-6).all()


def test_the_magnet_pulls(tmp_path: Path) -> None:
    """With nothing else in the loss, an update brings the policy nearer to the magnet."""

    def distance_after(weight: float) -> float:
        config = small(
            tmp_path, league={"magnet": weight}, learner={"steps": 8, "batch_size": 16, "value": 0}
        )
        league = League(config, None)
        with torch.no_grad():
            league.magnet.direct.weight.normal_(generator=torch.Generator().manual_seed(1))
        rollout, _ = league.games.play()
        still = rollout._replace(advantages=torch.zeros_like(rollout.advantages))
        league.learn(still, 0.02, 0.0)
        return league.learn(still, 0.0, 0.0)["magnet_kl"]

    assert distance_after(1.0) < 0.9 * distance_after(1e-9)


@pytest.mark.parametrize("player", ["random", "policy"])
def test_a_resumed_league_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, player: str) -> None:
    """With a player that is compiled, and one whose games begin anew at each checkpoint."""
    quiet = Console(file=io.StringIO())
    league = {"players": {player: 1}}
    whole = run.train(small(tmp_path / "whole", league=league), console=quiet)
    real, calls = run.row_of, []

    def stop(*args: Any) -> Any:
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(*args)

    monkeypatch.setattr(run, "row_of", stop)
    with pytest.raises(KeyboardInterrupt):
        run.train(small(tmp_path / "stopped", league=league), console=quiet)
    monkeypatch.setattr(run, "row_of", real)
    stopped = run.train(small(tmp_path / "stopped", league=league), console=quiet)
    states = []
    for folder in (whole, stopped):
        latest = checkpoint.latest(folder)
        assert latest is not None
        with np.load(latest / "trainer.npz") as arrays:
            states.append(dict(arrays))
    assert states[0].keys() == states[1].keys()
    for name, array in states[0].items():
        assert np.array_equal(array, states[1][name]), name
    assert any(name.startswith("network.2.") for name in states[0]), "past selves are kept"
    weights = [load_model(folder)[0].policy.state_dict() for folder in (whole, stopped)]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_fixed_opponents_have_to_rest_on_the_same_terms(tmp_path: Path) -> None:
    done = run.train(small(tmp_path / "first", budget={"timesteps": 48}), console=Console(file=io.StringIO()))
    league = League(small(tmp_path, league={"fixed": [str(done)]}), None)
    assert len(league.pool) == 1
    league.remember()
    league.remember()
    league.remember()
    assert len(league.pool) == 3, "one that stays and two past selves"
    other = small(tmp_path, env={"terms": "darkboard", "num_envs": 6}, league={"fixed": [str(done)]})
    with pytest.raises(ConfigError, match=r"league.fixed: .* does not rest on the same terms"):
        League(other, None)


def test_a_worker_goes_on_where_it_was(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    from ks_train.learn.remote import Worker

    config = small(tmp_path, league={"ray": 2, "itself": 0, "past": 1, "players": {}})
    league = League(small(tmp_path), None)
    league.remember()
    worker = Worker(config, 3, 1)
    worker.play(league.network, league.pool)
    saved = worker.arrays(0)
    before, _ = worker.play(league.network, league.pool)
    other = Worker(config, 3, 1)
    other.restore(saved)
    after, _ = other.play(league.network, league.pool)
    assert torch.equal(before.actions, after.actions)
    assert np.array_equal(before.tries.terms, after.tries.terms)


def test_workers_of_a_cluster_play_their_share(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    config = small(tmp_path, league={"ray": 2, "itself": 0, "past": 1, "players": {}, "every": 10})
    try:
        league = League(config, None)
        turn = league.turn(0.0)
        assert turn.tries == 6 * 8, "no past self yet: both seats are its own"
        assert turn.losses["entropy"] > 0
        assert len(league.pool) == 1
        assert league.turn(0.5).tries <= 6 * 8
        saved = league.arrays()
        assert sum(name.startswith("games.worker.") and name.endswith(".seats") for name in saved) == 2
    finally:
        ray.shutdown()
    with pytest.raises(ConfigError, match=r"env.num_envs: .* at each of 9 workers"):
        League(small(tmp_path, league={"ray": 9}), None)
