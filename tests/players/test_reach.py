"""What a player, an encoder and terms can reach from what they are handed: nothing of the referee's."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, ClassVar

import chess
import numpy as np
import numpy.typing as npt
import pytest
from ks_arena.match import play as match
from ks_arena.match.referee import Referee
from ks_arena.study.schedule import GameJob

from ks_env.belief.terms import Term, Tries
from ks_env.core.planes import Plane
from ks_env.envs.batch import Batch
from ks_env.envs.engine import Engine
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games import game_ids, game_named
from ks_env.games.opening import Opening
from ks_env.games.under_way import GameUnderWay
from ks_env.players import make_player
from tests.envs.play import draw

Array = np.ndarray[Any, Any]
CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)  # what it holds is everybody's
REFEREES = (Engine, Batch, Referee, GameUnderWay)
KRK = ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/5k2/8/8/KR6 w - - 0 1"]
OPTIONS: dict[str, dict[str, Any]] = {"InvisibleChess": {"hidden": "2B v 1R"}}
CASES = [
    *((game, OPTIONS.get(game, {})) for game in game_ids()),
    ("Kriegspiel", {"hidden_start": True, "start": KRK}),
]


def neighbours(thing: Any) -> Iterator[Any]:
    """What an attribute, an item or the memory behind it leads to; code is left out."""
    if isinstance(thing, MethodType):
        yield thing.__self__
    elif isinstance(thing, CODE) or hasattr(thing, "py_func"):
        return
    elif isinstance(thing, partial):
        yield from (thing.func, thing.args, thing.keywords)
    elif isinstance(thing, memoryview):
        yield thing.obj
    elif isinstance(thing, (np.ndarray, np.generic)):
        yield thing.base
        if thing.dtype.hasobject:
            yield from np.asarray(thing).ravel().tolist()
    elif isinstance(thing, (dict, MappingProxyType, Mapping)):
        yield from (*thing.keys(), *thing.values())
    elif isinstance(thing, (tuple, list, set, frozenset, deque)):
        yield from thing
    if not isinstance(thing, CODE):
        yield from getattr(thing, "__dict__", {}).values()
        for kind in type(thing).__mro__:
            names = vars(kind).get("__slots__", ())
            for name in (names,) if isinstance(names, str) else names:
                if not name.startswith("__"):
                    yield getattr(thing, name, None)


def reach(*handed: Any) -> list[Any]:
    """Everything that can be reached, what was handed over among it."""
    found: dict[int, Any] = {}
    waiting = list(handed)
    while waiting:
        thing = waiting.pop()
        if id(thing) not in found:
            found[id(thing)] = thing  # kept, so that no other gets its id
            waiting += neighbours(thing)
    return list(found.values())


def bytes_of(thing: Array | np.void) -> Array:
    """The very memory of an array or a record, of all that lies between its first and its last byte."""
    if isinstance(thing, np.void):
        return np.frombuffer(thing, np.uint8)
    first, last = np.lib.array_utils.byte_bounds(thing)
    memory: Any = (ctypes.c_uint8 * (last - first)).from_address(first)
    return np.frombuffer(memory, np.uint8)


def faults(handed: list[Any], own: list[Array]) -> list[str]:
    """What can be reached and should not be; `own` are the referee's arrays."""
    out = []
    for thing in reach(*handed):
        if isinstance(thing, REFEREES):
            out.append(f"the {type(thing).__name__}")
        if isinstance(thing, (np.ndarray, np.void)) and thing.nbytes:
            out += [
                f"memory of {a.dtype}"[:60] for a in own if np.shares_memory(bytes_of(thing), bytes_of(a))
            ]
    return out


class Watcher:
    """A random player that keeps everything it is handed."""

    name = "watcher"
    games = game_ids()
    handed: ClassVar[list[Any]] = []

    def __init__(self) -> None:
        self._inner = make_player("random")

    def begin(self, opening: Opening) -> None:
        self.handed.append(opening)
        self._inner.begin(opening)

    def choose(self, view: np.void) -> int:
        self.handed.append(view)
        return self._inner.choose(view)

    def hear(self, announcement: Any) -> None:
        self.handed.append(announcement)


class WatcherRows:
    """The same for many rows."""

    name = "watcher of rows"
    games = game_ids()

    def __init__(self) -> None:
        self._players: dict[int, Watcher] = {}

    def begin_row(self, row: int, opening: Opening) -> None:
        self._players.setdefault(row, Watcher()).begin(opening)

    def choose_rows(self, rows: npt.NDArray[np.int64], views: Array) -> npt.NDArray[np.int64]:
        Watcher.handed += [rows, views]
        tries = [self._players[int(row)].choose(view) for row, view in zip(rows, views, strict=True)]
        return np.array(tries, np.int64)

    def hear_row(self, row: int, announcement: Any) -> None:
        self._players[row].hear(announcement)


class Eye:
    """An encoder that keeps everything it is handed, with a memory of how often it has been asked."""

    planes = (Plane("asked", 255, True, "how often"),)
    memory = np.dtype([("asked", "u1")])
    games = game_ids()

    def __init__(self) -> None:
        self.handed: list[Any] = []
        self.memories: list[Array] = []
        self.seats: list[Array] = []

    def begin(self, opening: Opening) -> Any:
        self.handed.append(opening)
        return np.zeros(1, self.memory)[0]

    def observe(self, views: Array, memory: Array, rules: Any, out: Array) -> None:
        self.handed += [views, memory, rules, out]
        self.memories.append(memory)
        out[...] = 0
        memory["asked"] += 1


class EyeOfTries:
    """Terms that keep everything they are handed, with a memory of how often they have been asked."""

    tries = states = (Term("asked", "how often"),)
    memory = np.dtype([("asked", "u1")])
    games = game_ids()

    def __init__(self) -> None:
        self.handed: list[Any] = []
        self.memories: list[Array] = []

    def begin(self, opening: Opening) -> Any:
        self.handed.append(opening)
        return np.zeros(1, self.memory)[0]

    def describe(self, views: Array, memory: Array, rules: Any, level: int, out: Tries) -> None:
        self.handed += [views, memory, rules, level, out]
        self.memories.append(memory)
        out.offsets[:] = 0
        out.state[...] = 0
        memory["asked"] += 1


def own_of(engine: Engine) -> list[Array]:
    """The referee's arrays, the rules left out."""
    batch = engine.batch
    held = [batch.openings, batch.memory, batch.last_memory]  # those of the other seat are among them
    states = [batch.games, batch.history, batch.starts, batch.last_views, batch.tally, batch.settings]
    return [a for a in held + states if a.nbytes]


@pytest.fixture(autouse=True)
def _nothing_handed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watcher, "handed", [])


def seen(kind: type) -> int:
    return sum(isinstance(thing, kind) for thing in Watcher.handed)


def test_the_walk_finds_what_is_hidden_away() -> None:
    """Or the other tests would prove nothing."""
    engine = GameEnv().engine
    row, own = engine.batch.games[0], own_of(engine)
    assert faults([{"a": [(engine,)]}], []) != []
    assert faults([partial(print, engine.step)], []) != []
    for leak in (
        row,
        row["views"][0],
        engine.batch.games["truth"],
        row["views"]["men"][1],
        engine.batch.games[:0],
    ):
        assert faults([[leak]], own) != [], repr(leak)
    held = Watcher()
    held._inner = type("Slotted", (), {"__slots__": ("engine",)})()
    held._inner.engine = engine  # type: ignore[attr-defined]
    assert faults([held], []) != []
    assert faults([row["views"][0].copy(), engine.batch.games.copy(), engine.game_played], own) == []


@pytest.mark.parametrize(("game", "options"), CASES)
@pytest.mark.parametrize("opponent", [Watcher, WatcherRows])
@pytest.mark.parametrize("rows", [0, 3])
def test_an_opponent_and_an_encoder_reach_nothing(
    rows: int, opponent: Callable[[], Any], game: str, options: dict[str, Any]
) -> None:
    eye, terms = Eye(), EyeOfTries()
    player = opponent() if opponent is WatcherRows else opponent
    values: dict[str, Any] = {"game": game, "ruleset_options": {"max_plies": 8}} | options
    values |= {"encoder": eye, "terms": terms}
    rng = np.random.default_rng(3)
    env: Any
    if rows:
        env = GameVectorEnv(rows, player, **values)
        _, infos = env.reset(seed=1)
        for _ in range(20):
            infos = env.step(draw(infos["action_mask"], rng))[-1]
    else:
        env = GameEnv(player, **values)
        for seed in range(2):
            _, info = env.reset(seed=seed)
            over = False
            while not over:
                _, _, terminated, truncated, info = env.step(draw(info["action_mask"][None], rng)[0])
                over = terminated or truncated
    assert seen(Opening) > max(rows, 1)
    assert seen(np.void) >= 8
    assert any(hasattr(thing, "by") for thing in Watcher.handed)
    assert len(eye.memories) > 8
    assert len(terms.memories) > 8
    assert faults(Watcher.handed, own_of(env.engine)) == []
    assert faults([*eye.handed, *terms.handed], own_of(env.engine)) == []


@pytest.mark.parametrize(("game", "options"), CASES)
@pytest.mark.parametrize("render_mode", [None, "ansi"])
def test_an_encoder_in_self_play_reaches_nothing(
    render_mode: str | None, game: str, options: dict[str, Any]
) -> None:
    eye, terms, rng = Eye(), EyeOfTries(), np.random.default_rng(3)
    values: dict[str, Any] = {"encoder": eye, "terms": terms, "ruleset_options": {"max_plies": 8}} | options
    env = SelfPlayVectorEnv(3, game=game, render_mode=render_mode, **values)
    _, infos = env.reset(seed=1)
    for _ in range(20):
        infos = env.step(draw(infos["action_mask"], rng))[-1]
    env.observe(1, 0), env.observe(1, 1)
    assert len(eye.memories) > 20
    assert len(terms.memories) > 20
    assert faults([*eye.handed, *terms.handed], own_of(env.engine)) == []


@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_player_in_the_arena_reaches_nothing(
    game: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    referees: list[Referee] = []

    def noted(game: GameUnderWay[Any]) -> Referee:
        referees.append(Referee(game))
        return referees[-1]

    monkeypatch.setattr(match, "Referee", noted)
    definition = game_named(game)
    rules = next(iter(definition.notation.rulesets.values()))
    hidden, here = "hidden_start" in options, f"{__name__}:Watcher"
    fens = tuple(options.get("start", [chess.STARTING_FEN]))
    men = ("2B", "1R") if definition.own_men is not None else ("", "")
    job = GameJob(
        0, 0, 0, ("A", "B"), (here, here), (None, None), (1, 2), fens[0], hidden, rules, None, 3,
        alike=(fens, fens[:1]) if hidden else ((), ()), men=men, game=game,
    )  # fmt: skip
    result = match.play_game(job)
    assert result.fault is None
    assert seen(Opening) == 2
    assert seen(np.void) == sum(seat.tries for seat in result.work)
    (referee,) = referees
    own = [referee.game._games, referee.game._history]
    assert faults(Watcher.handed, own) == []
    assert faults([referee.view(0), referee.heard(0)], own) == []
