"""What the environments' tests share: small games, random tries within the masks, opponents in Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.core.ruleset import RULESETS
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.envs.aec import env, raw_env
from ks_env.envs.engine import Engine
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import (
    GameVectorEnv,
    SelfPlayVectorEnv,
)
from ks_env.games import game_ids
from ks_env.games.opening import Opening
from ks_env.games.under_way import GameUnderWay
from ks_env.players import make_player
from tests.seats import observe_game

Array = np.ndarray[Any, Any]
ALL = tuple(RULESETS)
SHORT = {"max_plies": 24}  # so that games end, and begin anew, within few steps
FENS = [
    "4k3/7p/8/8/8/8/P7/R3K2R w KQ - 0 1",
    "4k3/p7/8/8/3q4/8/P7/4K2R b K - 0 1",
    "4k3/8/3p4/8/3P4/8/8/R3K3 w - - 4 9",
]
HIDDEN = ("R v P", "P R v none")  # that fit all of FENS
Case = dict[str, Any]
# Options by which a test is run for every ruleset of Kriegspiel and for some hidden men of invisible chess
CASES: list[Case] = [*({"ruleset": name} for name in ALL), *({"hidden": men} for men in HIDDEN)]
FEW: list[Case] = [{"ruleset": "icc"}, {"ruleset": "english"}, {"hidden": HIDDEN[0]}]


def case_id(case: Any) -> str | None:
    """How pytest names a case."""
    return "-".join(case.values()) if isinstance(case, dict) else None


@dataclass(frozen=True)
class Envs:
    """The environments of one game."""

    solo: Any
    vector: Any
    both: Any
    env: Any
    raw_env: Any

    sb3: Any


def envs_for(game: str) -> Envs:
    """The environments, made for that game."""
    from ks_env.envs.sb3 import GameVecEnv

    kinds = (GameEnv, GameVectorEnv, SelfPlayVectorEnv, env, raw_env, GameVecEnv)
    return Envs(*(partial(kind, game=game) for kind in kinds))


def envs_of(case: Case) -> Envs:
    """Those that take the options of the case."""
    return envs_for("InvisibleChess" if "hidden" in case else "Kriegspiel")


def game_of_row(engine: Engine, row: int) -> GameUnderWay[Any]:
    """A game of its own that begins as the one in the row did."""
    start = int(engine.batch.games[row]["truth"]["start"])
    games = engine.batch.starts[start : start + 1].copy()
    games["truth"]["past"] = 1
    history = np.zeros((1, engine.rules.history), np.uint64)
    history[0, 0] = games[0]["truth"]["key"]
    play = engine.game_played.play
    log = [play.both_hear(games[0], engine.rules)]
    hidden = engine.options.starts_hidden
    return play.adopt(
        games,
        history,
        engine.rules,
        start=games[0].copy(),
        fen=engine.fens[start],
        hidden_start=hidden,
        log=log,
    )


def seen(game: GameUnderWay[Any], colour: bool) -> Array:
    """The base planes that a colour sees of a game of any kind."""
    return observe_game(game, colour)


def fields_of(view: np.void) -> dict[str, bytes]:
    """All that a VIEW record holds, without the gaps between its fields, which a copy leaves undefined."""
    return {name: view[name].tobytes() for name in view.dtype.names or ()}


def draw(masks: Array, rng: np.random.Generator, wild: float = 0.0) -> npt.NDArray[np.int64]:
    """One action a row: within its mask, or with probability `wild` any at all; 0 where the mask is empty."""
    chosen = [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks]
    return np.where(rng.random(len(masks)) < wild, rng.integers(0, 1859, len(masks)), chosen)


def held(view: np.void) -> float:
    """The potential of `shaping="material"`: a pawn 0.02, a piece 0.06, a man of unknown kind between."""
    pawns = int(view["pawns_taken"]) - int(view["pawns_lost"])
    pieces = int(view["pieces_taken"]) - int(view["pieces_lost"])
    unsaid = int(view["men_taken"]) - int(view["pawns_taken"]) - int(view["pieces_taken"])
    return 0.02 * pawns + 0.06 * pieces + 0.04 * unsaid


def same(a: Any, b: Any) -> bool:
    """Whether two results are alike to the last byte: arrays, and dicts and sequences of them."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray) and a.dtype == object:
        return a.shape == b.shape and all(same(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all())
    return bool(a == b)


def numeric(info: dict[str, Any]) -> bool:
    """Whether everything in it is a number or an array of numbers."""
    return all(
        isinstance(value, (bool, int, float, np.number, np.bool_))
        or (isinstance(value, np.ndarray) and value.dtype.kind in "biuf")
        for value in info.values()
    )


class Scribe:
    """A player in Python around a kernel player, which writes down all it is told."""

    compiled = False
    games = game_ids()
    placements: tuple[str, ...] = ()

    def __init__(self, name: str = "capture") -> None:
        self.name = f"scribe of {name}"
        self._player = make_player(name)
        self.colour = True
        self.start: str | None = None
        self.heard: list[Any] = []
        self.begun = 0

    def begin(self, opening: Opening) -> None:
        assert opening.view.dtype == opening.game.view
        assert bool(opening.view["seat"] == 0) == opening.colour
        self.game, self.view_at_start = opening.game, opening.view
        self.colour, self.start, self.placements = opening.colour, opening.start_fen, opening.fens
        self.heard = []
        self.begun += 1
        self._player.begin(opening)

    def choose(self, view: np.void) -> int:
        assert view.dtype.names is not None
        assert "own" in view.dtype.names
        assert view["turn"] == 1
        assert bool(view["seat"] == 0) == self.colour
        return self._player.choose(view)

    def hear(self, announcement: Any) -> None:
        self.heard.append(announcement)


class CompiledScribe(Scribe):
    """The same, asked in threads."""

    compiled = True


class Rows:
    """A batch player: the first of the view's own tries, turned by the row's number."""

    name = "rows"
    games = game_ids()

    def __init__(self) -> None:
        self.heard: dict[int, list[Any]] = {}
        self.batches: list[int] = []
        self.colours: dict[int, bool] = {}

    def begin_row(self, row: int, opening: Opening) -> None:
        assert bool(opening.view["seat"] == 0) == opening.colour
        self.heard[row] = []
        self.colours[row] = opening.colour
        self._game, self._rules = opening.game, opening.ruleset.record()[0]

    def choose_rows(self, rows: npt.NDArray[np.int64], views: Array) -> npt.NDArray[np.int64]:
        assert len(rows) == len(views)
        self.batches.append(len(rows))
        found, chosen = np.zeros(MOST_TRIES, np.int16), []
        for row, view in zip(rows.tolist(), views, strict=True):
            n = self._game.kernels.list_tries(view, self._rules, INFORMED, found)
            chosen.append(int(found[(7 * row + int(view["moves"])) % n]))
        return np.array(chosen, np.int64)

    def hear_row(self, row: int, announcement: Any) -> None:
        self.heard[row].append(announcement)
