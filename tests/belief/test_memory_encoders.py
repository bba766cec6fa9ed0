"""Encoders with a memory: begun with every game, brought up to date for the seat that is observed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ks_env.belief.encoders import Encoder, make_encoder
from ks_env.belief.inputs import SeatPlanes, plane_count
from ks_env.core.ruleset import ICC
from ks_env.envs.aec import raw_env
from ks_env.envs.encoding import as_bytes, as_records
from ks_env.envs.sb3 import GameVecEnv
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.kriegspiel.planes import COUNT
from ks_env.games.opening import Opening
from ks_env.players import make_player
from tests.belief.losses import LOST, STARTS, Losses, check, squares_heard
from tests.envs.play import draw, same
from tests.envs.test_encoders import OwnMen

GAME: dict[str, Any] = {"ruleset_options": {"max_plies": 60}}
MODES = ["SameStep", "NextStep", "Disabled"]
# White cannot tell the first two apart, nor the last two; Black can tell all but the first and the third.
HIDDEN = [
    "8/8/8/3k4/8/8/8/KR6 w - - 0 1",
    "8/8/8/8/5k2/8/8/KR6 w - - 0 1",
    "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
    "8/8/8/8/8/6k1/8/KQ6 w - - 0 1",
]


def vector(*, self_play: bool, rows: int = 3, **options: Any) -> Any:
    if self_play:
        return SelfPlayVectorEnv(rows, **GAME, **options)
    return GameVectorEnv(rows, "capture", **GAME, **options)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("self_play", [False, True])
@pytest.mark.parametrize("logged", [False, True])
def test_vector(mode: str, self_play: bool, logged: bool) -> None:
    env = vector(
        self_play=self_play, encoder=Losses(), autoreset_mode=mode, render_mode="ansi" if logged else None
    )
    observations, infos = env.reset(seed=2)
    rng, finals, lost = np.random.default_rng(0), 0, 0
    for _ in range(200):
        for row in range(3):
            check(observations["observation"][row])
            lost += bool(observations["observation"][row, LOST].any())
            for seat in (0, 1) if self_play else (int(env.engine.batch.seats[row]),):
                seen = env.observe(row, seat)["observation"]
                check(seen)
                if logged:
                    heard = env.engine.game(row).heard(seat == 0)
                    assert set(np.flatnonzero(seen[LOST]).tolist()) == squares_heard(heard, seat == 0)
        observations, _, _, _, infos = env.step(draw(infos["action_mask"], rng, 0.1))
        for row in np.flatnonzero(infos.get("_final_obs", [])).tolist():
            final = infos["final_obs"][row]["observation"]
            for planes in final if self_play else [final]:
                check(planes)
            finals += 1
    assert lost > 20
    assert (finals > 2) == (mode == "SameStep")


@pytest.mark.parametrize("self_play", [False, True])
@pytest.mark.parametrize("other", [{"threads": 3}, {"render_mode": "ansi"}])
def test_threads_and_logs_change_nothing(self_play: bool, other: dict[str, Any]) -> None:
    seen: list[list[Any]] = []
    for options in ({}, other):
        env = vector(self_play=self_play, rows=7, encoder=Losses(), autoreset_mode="SameStep", **options)
        rng = np.random.default_rng(0)
        seen.append([env.reset(seed=5)])
        for _ in range(120):
            seen[-1].append(env.step(draw(seen[-1][-1][-1]["action_mask"], rng)))
    assert same(*seen)


def test_solo_and_a_player_of_its_own() -> None:
    """What `SeatPlanes` shows a player outside is what the environment shows."""
    env, mine = GameEnv("capture", encoder=Losses(), **GAME), SeatPlanes(Losses())
    rng = np.random.default_rng(0)
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        engine, ended = env.engine, False
        seat = int(engine.batch.seats[0])
        mine.begin(kriegspiel.opening(seat == 0))
        while not ended:
            check(observation["observation"])
            view = engine.batch.games[0]["views"][seat].copy()
            assert (mine.planes(view, engine.batch.rules[0]) == observation["observation"]).all()
            observation, _, terminated, truncated, info = env.step(draw(info["action_mask"][None], rng)[0])
            ended = terminated or truncated
        check(observation["observation"])


def test_aec() -> None:
    env = raw_env(encoder=Losses(), **GAME)
    rng = np.random.default_rng(0)
    for seed in range(3):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            for other in ("white", "black"):
                check(env.observe(other)["observation"])
            over = terminated or truncated
            assert env.observe(agent)["observation"].shape == (plane_count(Losses(), KRIEGSPIEL), 8, 8)
            env.step(None if over else int(draw(observation["action_mask"][None], rng)[0]))


def test_sb3_and_its_saved_states() -> None:
    def make() -> GameVecEnv:
        return GameVecEnv(3, "capture", encoder=Losses(), seed=3, **GAME)

    env, rng, ends = make(), np.random.default_rng(0), 0
    planes: Any = env.reset()
    for step in range(200):
        for row in planes:
            check(row)
        if step == 120:
            state, later = env.get_state(), np.random.default_rng(9)
        planes, _, done, infos = env.step(draw(env.action_masks(), rng if step < 120 else later))
        for row in np.flatnonzero(done):
            check(infos[row]["terminal_observation"])
            ends += 1
    assert ends > 3
    other, later = make(), np.random.default_rng(9)
    again: Any = other.set_state(state)
    for _ in range(120, 200):
        again = other.step(draw(other.action_masks(), later))[0]
    assert (again == planes).all()
    with pytest.raises(ValueError, match=r"saved state has the parts \['checksum', 'ended', 'games'.*memory"):
        other.set_state({name: part for name, part in state.items() if name != "memory"})
    with pytest.raises(ValueError, match=r"saved state 'memory' is \[3, 2, 68\].*expected \[3, 2, 0\]"):
        GameVecEnv(3, "capture", **GAME).set_state(state)


def test_an_opponent_in_python_and_threads() -> None:
    env = GameVectorEnv(4, lambda: make_player("capture"), encoder=Losses(), threads=2, **GAME)
    observations, infos = env.reset(seed=2)
    rng = np.random.default_rng(0)
    for _ in range(60):
        for row in range(4):
            check(observations["observation"][row])
        observations, _, _, _, infos = env.step(draw(infos["action_mask"], rng))


def test_looking_changes_nothing() -> None:
    """Neither seat's memory moves when it is looked at, and the waiting one shows what it would be told."""
    env = vector(self_play=True, rows=2, encoder=Losses())
    infos = env.reset(seed=1)[1]
    rng = np.random.default_rng(1)
    for _ in range(80):
        before = env.engine.get_state()
        looks = [env.observe(row, seat) for row in (0, 1) for seat in (0, 1)]
        assert same(looks, [env.observe(row, seat) for row in (0, 1) for seat in (0, 1)])
        assert same(env.engine.get_state(), before)
        infos = env.step(draw(infos["action_mask"], rng))[-1]


def test_the_opponents_seat_has_no_memory() -> None:
    env = vector(self_play=False, encoder=Losses(), seat="black")
    env.reset(seed=1)
    check(env.observe(0, 1)["observation"])
    with pytest.raises(ValueError, match="memory of encoders and terms is kept for the learner's seat alone"):
        env.observe(0, 0)


def test_planes_go_into_the_callers_array() -> None:
    for encoder in (Losses(), OwnMen()):
        env = GameVectorEnv(2, encoder=encoder, copy=False)
        mine = np.full((2, plane_count(encoder, KRIEGSPIEL), 8, 8), 77, np.uint8)
        env.bind(observations=mine)
        env.reset(seed=1)
        assert not (mine == 77).any()


@pytest.mark.parametrize("self_play", [False, True])
def test_an_encoder_that_writes_to_views_and_rules_changes_no_game(self_play: bool) -> None:
    class Meddler(Losses):
        def observe(self, views: Any, memory: Any, rules: Any, out: Any) -> None:
            super().observe(views, memory, rules, out)
            views.view(np.uint8)[:] = 255
            rules["max_plies"] = 1

    seen: list[list[Any]] = []
    for encoder in (Losses(), Meddler()):
        env = vector(self_play=self_play, encoder=encoder, autoreset_mode="SameStep")
        rng = np.random.default_rng(0)
        seen.append([env.reset(seed=1)])
        for _ in range(100):
            seen[-1].append(env.step(draw(seen[-1][-1][-1]["action_mask"], rng)))
    assert same(*seen)


def test_an_encoder_reaches_nothing_of_the_games() -> None:
    """What it is handed are copies: of views, of memory, of the rules and of the planes to fill."""
    given: list[list[Any]] = []

    class Noting(Losses):
        def observe(self, views: Any, memory: Any, rules: Any, out: Any) -> None:
            given.append([views, memory, rules.base, out])
            super().observe(views, memory, rules, out)

    env = vector(self_play=True, encoder=Noting())
    infos = env.reset(seed=1)[1]
    for _ in range(5):
        infos = env.step(draw(infos["action_mask"], np.random.default_rng(0)))[-1]
    env.observe(0, 1)
    kept = [part for part in env.engine.batch if isinstance(part, np.ndarray)]
    assert len(given) >= 7
    for handed in given:
        assert handed[0].dtype == KRIEGSPIEL.view
        assert not any(np.shares_memory(array, part) for array in handed for part in kept)


# -- starts --------------------------------------------------------------------------------------------------


def test_a_public_start_is_told_alone() -> None:
    encoder = Losses()
    env = GameVectorEnv(20, encoder=encoder, start=HIDDEN)
    assert sorted(encoder.begun) == sorted(((fen,), colour) for fen in HIDDEN for colour in (False, True))
    assert (env.reset(seed=1)[0]["observation"][:, STARTS] == 1).all()


def test_hidden_starts_that_look_alike_are_told_together_and_once() -> None:
    encoder = Losses()
    env = SelfPlayVectorEnv(
        40, encoder=encoder, start=HIDDEN, hidden_start=True, ruleset_options={"max_plies": 4}
    )
    white = [(tuple(HIDDEN[:2]), True), (tuple(HIDDEN[2:]), True)]
    black = [((HIDDEN[0], HIDDEN[2]), False), ((HIDDEN[1],), False), ((HIDDEN[3],), False)]
    assert sorted(encoder.begun) == sorted(white + black)
    planes, infos = env.reset(seed=1)
    drawn = env.engine.batch.games["truth"]["start"]
    assert set(drawn.tolist()) == {0, 1, 2, 3}
    for pair in ((0, 1), (2, 3)):
        rows = planes["observation"][np.isin(drawn, pair)]
        assert (rows == rows[0]).all()
        assert (rows[:, STARTS] == 2).all()
    alike = {0: 2, 1: 1, 2: 2, 3: 1}
    for row in range(40):
        assert (env.observe(row, 1)["observation"][STARTS] == alike[int(drawn[row])]).all()
    rng = np.random.default_rng(1)
    for _ in range(30):
        infos = env.step(draw(infos["action_mask"], rng))[-1]
    assert len(encoder.begun) == 5


def test_a_seat_outside_needs_the_starts_only_for_a_memory() -> None:
    view = GameEnv().engine.batch.starts["views"][0, 0].copy()
    untold = Opening(KRIEGSPIEL, True, ICC, (), view, hidden=True)
    with pytest.raises(ValueError, match="the encoder has a memory, which begins with the start positions"):
        SeatPlanes(Losses()).begin(untold)
    rules = GameEnv().engine.batch.rules[0]
    with pytest.raises(ValueError, match="call begin first"):
        SeatPlanes(Losses()).planes(view, rules)
    for encoder, count in ((None, COUNT), (OwnMen(), COUNT + 2)):
        seat = SeatPlanes(encoder)
        seat.begin(untold)
        assert seat.planes(view, rules).shape == (count, 8, 8)
        assert not seat.remembers


# -- kinds of encoders ---------------------------------------------------------------------------------------


def test_one_with_a_memory_is_an_encoder_as_any() -> None:
    losses = Losses()
    assert isinstance(losses, Encoder)
    assert make_encoder(losses) is losses
    assert GameEnv(encoder=losses).engine.planes == COUNT + len(losses.planes)


def test_a_memory_of_python_objects_is_refused() -> None:
    class Objects(Losses):
        memory = np.dtype([("heard", "O")])

    with pytest.raises(ValueError, match="holds Python objects; expected numbers alone"):
        make_encoder(Objects())


@pytest.mark.parametrize("kind", [np.dtype([]), np.dtype("f4"), Losses.memory])
def test_records_and_their_bytes_share_memory(kind: np.dtype[Any]) -> None:
    records = np.zeros((3, 2), kind)
    data = as_bytes(records)
    assert data.shape == (3, 2, kind.itemsize)
    again = as_records(data, kind)
    assert (again.shape, again.dtype) == (records.shape, kind)
    if kind.itemsize:
        data[1, 0] = 255
        assert (as_bytes(again) == data).all()
        assert (as_bytes(records) == data).all()
