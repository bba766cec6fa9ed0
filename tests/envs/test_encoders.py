"""Encoders: a user's planes follow the base planes, in every interface."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest

from ks_env.belief import encoders
from ks_env.belief.encoders import NO_MEMORY, Encoder, encoder_names, make_encoder
from ks_env.core.planes import Plane
from ks_env.envs.aec import raw_env
from ks_env.envs.sb3 import GameVecEnv
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games.kriegspiel.planes import COUNT, TABLE
from ks_env.games.opening import Opening

Array = np.ndarray[Any, Any]
PLANES = (Plane("own men", 1, False, "own men of all kinds"), Plane("turns", 200, True, "moves, twice"))


class OwnMen:
    """All own men in one plane, and twice the move number in another."""

    planes: tuple[Plane, ...] = PLANES
    memory = NO_MEMORY

    def begin(self, opening: Opening) -> Any:
        raise AssertionError("without memory there is nothing to begin")

    def observe(self, views: Array, memory: Array, rules: Any, out: Array) -> None:
        assert out.shape == (len(views), 2, 8, 8)
        assert memory.dtype.itemsize == 0
        assert "truth" not in (views.dtype.names or ())
        out[:, 0] = (views["men"] != 0).reshape(-1, 8, 8)
        out[:, 1] = np.minimum(2 * views["moves"].astype(int), 200)[:, None, None]


def check(planes: np.ndarray[Any, Any]) -> None:
    """The extra planes say of the same view what the base planes say."""
    assert planes.shape == (COUNT + 2, 8, 8)
    assert (planes[COUNT] == planes[:6].sum(0)).all()
    move = planes[TABLE.names.index("move number"), 0, 0]
    assert (planes[COUNT + 1] == 2 * move).all()


def actions_of(masks: np.ndarray[Any, Any], rng: np.random.Generator) -> np.ndarray[Any, Any]:
    return np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks])


@pytest.mark.parametrize("autoreset", ["SameStep", "NextStep", "Disabled"])
@pytest.mark.parametrize("self_play", [False, True])
def test_vector(autoreset: str, self_play: bool) -> None:
    options: dict[str, Any] = {"encoder": OwnMen(), "ruleset_options": {"max_plies": 14}}
    env = (SelfPlayVectorEnv if self_play else GameVectorEnv)(3, autoreset_mode=autoreset, **options)
    observations, infos = env.reset(seed=2)
    rng, finals = np.random.default_rng(0), 0
    for _ in range(60):
        for row in range(3):
            check(observations["observation"][row])
            for seat in (0, 1):
                check(env.observe(row, seat)["observation"])
        assert observations in env.observation_space
        observations, _, _, _, infos = env.step(actions_of(infos["action_mask"], rng))
        for row in np.flatnonzero(infos.get("_final_obs", [])).tolist():
            final = infos["final_obs"][row]["observation"]
            for planes in final if self_play else [final]:
                check(planes)
            finals += 1
    assert (finals > 2) == (autoreset == "SameStep")


def test_solo() -> None:
    env = GameEnv(encoder=OwnMen(), ruleset_options={"max_plies": 20})
    observation, info = env.reset(seed=1)
    rng, ended = np.random.default_rng(0), False
    while not ended:
        check(observation["observation"])
        assert observation in env.observation_space
        observation, _, terminated, truncated, info = env.step(actions_of(info["action_mask"][None], rng)[0])
        ended = terminated or truncated
    check(observation["observation"])


def test_aec() -> None:
    env = raw_env(encoder=OwnMen(), ruleset_options={"max_plies": 20})
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        for other in ("white", "black"):
            check(env.observe(other)["observation"])
        assert observation in env.observation_space(agent)
        over = terminated or truncated
        env.step(None if over else int(actions_of(observation["action_mask"][None], rng)[0]))


def test_sb3() -> None:
    env = GameVecEnv(3, encoder=OwnMen(), seed=3, ruleset_options={"max_plies": 12})
    planes: Any = env.reset()
    rng, ends = np.random.default_rng(0), 0
    assert env.observation_space.shape == (COUNT + 2, 8, 8)
    assert env.observation_space.high[COUNT:, 0, 0].tolist() == [1, 200]  # type: ignore[attr-defined]
    for _ in range(40):
        for row in planes:
            check(row)
        planes, _, done, infos = env.step(actions_of(env.action_masks(), rng))
        for row in np.flatnonzero(done):
            check(infos[row]["terminal_observation"])
            ends += 1
    assert ends > 3


def test_with_threads_and_a_python_opponent() -> None:
    from ks_env.players import make_player

    env = GameVectorEnv(4, lambda: make_player("capture"), encoder=OwnMen(), threads=2)
    observations, infos = env.reset(seed=2)
    rng = np.random.default_rng(0)
    for _ in range(10):
        for row in range(4):
            check(observations["observation"][row])
        observations, _, _, _, infos = env.step(actions_of(infos["action_mask"], rng))


# -- by name -------------------------------------------------------------------------------------------------


def test_an_unknown_name() -> None:
    with pytest.raises(ValueError, match="unknown encoder 'metapos'; expected an Encoder or one of: "):
        GameEnv(encoder="metapos")


@pytest.mark.parametrize("encoder", [7, object(), OwnMen.observe])
def test_what_is_no_encoder(encoder: Any) -> None:
    with pytest.raises(
        ValueError, match="is not an Encoder; expected the attributes planes, memory, begin and observe"
    ):
        make_encoder(encoder)


def test_none() -> None:
    assert make_encoder(None) is None
    given = OwnMen()
    assert make_encoder(given) is given
    assert isinstance(given, Encoder)


def test_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("own-men", f"{__name__}:OwnMen", encoders.GROUP)
    monkeypatch.setattr(EntryPoint, "load", lambda self: OwnMen)
    monkeypatch.setattr(encoders, "entry_points", lambda group: [entry] if group == encoders.GROUP else [])
    assert encoder_names() == ["own-men"]
    made = make_encoder("own-men")
    assert isinstance(made, OwnMen)
    with pytest.raises(ValueError, match="unknown encoder 'x'; expected an Encoder or one of: own-men"):
        make_encoder("x")
