"""Every public call: constructors of the environments, reset, step, buffers, saved states, games."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import gymnasium
import numpy as np

from ks_env import Game, GameEnv, GameVectorEnv, SelfPlayVectorEnv, dark_chess_v0, invisible_chess_v0
from ks_env.envs.aec import raw_env
from ks_env.envs.parallel import parallel_env
from ks_env.envs.sb3 import GameVecEnv
from tests.fuzzers import mutate
from tests.fuzzers.driver import Fuzzer
from tests.fuzzers.starts import FENS

REFUSED = (ValueError, TypeError, gymnasium.error.ResetNeeded)
COMMON: dict[str, Any] = {
    "game": "Kriegspiel",
    "observation": "dict",
    "ruleset": "icc",
    "ruleset_options": {"max_plies": 20},
    "start": list(FENS[:2]),
    "hidden_start": False,
    "mask": "informed",
    "shaping": {"pawn": 0.1, "piece": 0.2},
    "shaping_gamma": 0.9,
    "encoder": None,
    "terms": None,
    "render_mode": None,
}
AGAINST = COMMON | {"seat": "white", "opponent": "capture"}
ROWS = {"num_envs": 2, "threads": 1, "autoreset_mode": "NextStep", "copy": True, "ragged_tries": False}
SB3 = {key: each for key, each in AGAINST.items() if key != "observation"}
MAKERS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "GameEnv": (GameEnv, AGAINST | {"viewpoint": "referee"}),
    "GameVectorEnv": (GameVectorEnv, AGAINST | ROWS),
    "SelfPlayVectorEnv": (SelfPlayVectorEnv, COMMON | ROWS),
    "GameVecEnv": (GameVecEnv, SB3 | {"num_envs": 2, "threads": 1, "seed": 3}),
    "raw_env": (raw_env, COMMON | {"viewpoint": "white"}),
    "parallel_env": (parallel_env, COMMON),
    "invisible": (invisible_chess_v0.raw_env, {"hidden": "2B v 1R", "ruleset_options": {"max_plies": 20}}),
    "dark": (dark_chess_v0.raw_env, {"start": FENS[0], "ruleset_options": {"max_plies": 20}}),
    "Game": (lambda **each: Game(*each["given"], **each["named"]), {"given": [], "named": {}}),
}
LARGE = ("num_envs", "threads")  # an integer that is allowed may ask for much memory or many threads


def small(name: str, value: Any) -> bool:
    return name not in LARGE or not isinstance(value, int) or value < 9 or value > 2**20


def some_options(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A maker with some of its options, of which one or two are odd."""
    name = rng.choice(list(MAKERS))
    if name == "Game":
        odd = {rng.choice(("hidden_start", "ruleset", "fen", "x")): mutate.odd(rng)}
        return name, {"given": [mutate.odd(rng) for _ in range(rng.randrange(3))], "named": odd}
    usual = MAKERS[name][1]
    options = {key: usual[key] for key in rng.sample(list(usual), min(4, len(usual)))}
    changed: Any = mutate.value(rng, options)
    kept = changed if isinstance(changed, dict) else {}
    return name, {key: each for key, each in kept.items() if small(key, each)}


def make(given: tuple[str, dict[str, Any]]) -> None:
    name, options = given
    env = MAKERS[name][0](**options)
    if hasattr(env, "reset"):
        env.reset()
        env.close()


@cache
def env_of(name: str) -> Any:
    """One environment of each kind, used again and again."""
    options = {"ruleset_options": {"max_plies": 30}}
    made: dict[str, Callable[[], Any]] = {
        "solo": lambda: GameEnv("random", **options),  # type: ignore[arg-type]
        "vector": lambda: GameVectorEnv(2, "random", **options),  # type: ignore[arg-type]
        "self-play": lambda: SelfPlayVectorEnv(2, **options),  # type: ignore[arg-type]
        "turns": lambda: raw_env(**options),  # type: ignore[arg-type]
        "parallel": lambda: parallel_env(**options),  # type: ignore[arg-type]
    }
    env = made[name]()
    env.reset(seed=1)
    return env


def engine_of(env: Any) -> Any:
    return env._turns.engine if isinstance(env, parallel_env) else env.engine


def games_of(engine: Any) -> int:
    """The checksum of all that the next step depends on."""
    return int(engine.get_state()["checksum"][0])


def some_use(rng: random.Random) -> tuple[str, str, Any]:
    """An environment, what is done with it, and what with."""
    name = rng.choice(("solo", "vector", "self-play", "turns", "parallel"))
    what = rng.choice(("step", "step", "seed", "options", "bind", "set_state", "observe"))
    odd = mutate.value(rng, rng.choice(([0, 5], [1.7], {"white": 3}, {"reset_mask": [True, False]}, 7, 1.5)))
    return name, what, odd


def use(given: tuple[str, str, Any]) -> None:
    """Nothing of the games changes where it is refused."""
    name, what, odd = given
    env = env_of(name)
    engine = engine_of(env)
    before = games_of(engine)
    calls: dict[str, Callable[[], Any]] = {
        "step": lambda: env.step(odd),
        "seed": lambda: env.reset(seed=odd),
        "options": lambda: env.reset(seed=5, options=odd) if name not in ("turns", "parallel") else None,
        "bind": lambda: engine.bind(observations=odd),
        "set_state": lambda: engine.set_state(odd),
        "observe": lambda: engine.observe(odd, 0),
    }
    try:
        calls[what]()
    except REFUSED:
        assert games_of(engine) == before, "it changed games"
        raise
    if name == "turns" and (env.terminations["white"] or env.truncations["white"]):
        env.reset(seed=1)
    if name in ("parallel", "solo") and engine.batch.ended[0]:
        env.reset(seed=1)


def some_state(rng: random.Random) -> dict[str, Any]:
    """A saved state with a part that is not as it was saved."""
    state: dict[str, Any] = env_of("vector").engine.get_state()
    part = rng.choice(list(state))
    array = state[part]
    match rng.randrange(5):
        case 0:
            state[part] = np.frombuffer(
                bytearray(mutate.binary(rng, array.tobytes()).ljust(array.nbytes, b"\0")), array.dtype
            ).reshape(array.shape)
        case 1:
            state[part] = mutate.odd(rng)
        case 2:
            state[part] = array[: rng.randrange(2)]
        case 3:
            del state[part]
        case _:
            field = rng.choice(("past", "plies", "side", "start", "clock", "answered"))
            state["games"]["truth"][field] = (
                rng.choice((77, 255, 60_000)) % 256 if field == "side" else 60_000
            )
    return state


def set_state(state: dict[str, Any]) -> None:
    env = env_of("vector")
    before = env.engine.get_state()
    try:
        env.engine.set_state(state)
        env.step(np.zeros(2, np.int64))
    except ValueError:
        assert games_of(env.engine) == int(before["checksum"][0]), "it changed games"
        raise
    finally:
        env.engine.set_state(before)


def ready() -> None:
    for name in ("solo", "vector", "self-play", "turns", "parallel"):
        env_of(name)


FUZZERS = [
    Fuzzer("options of the environments", some_options, make, REFUSED, 800, ready),
    Fuzzer("use of the environments", some_use, use, REFUSED, 4000, ready),
    Fuzzer("saved states", some_state, set_state, tests=1500, ready=ready),
]
