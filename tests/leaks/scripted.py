"""Pairs of games put through the environments: the learner's tries, and an opponent that plays its script."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import chess
import numpy as np

from ks_env.belief.metaposition.encoder import MetapositionEncoder
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.opening import Opening
from ks_env.players.protocol import Player
from ks_env.players.registry import make_player
from tests.leaks.twins import Twins
from tests.oracle import RULES, OracleGame
from tests.starts import draw_start


class ScriptEndsError(Exception):
    """The opponent is asked for more than the pair of games holds."""


class Scripted:
    """Plays a list of tries in its first game, and at random in those that an autoreset begins."""

    name = "scripted"
    compiled = False

    def __init__(self, tries: list[int]) -> None:
        self._tries = iter(tries)
        self._later: Player = make_player("random")
        self._games = 0

    def begin(self, opening: Opening) -> None:
        self._games += 1
        self._later.begin(opening)

    def choose(self, view: np.void) -> int:
        if self._games > 1:
            return self._later.choose(view)
        action = next(self._tries, None)
        if action is None:
            raise ScriptEndsError
        return action

    def hear(self, announcement: Announcement) -> None:
        """The environment announces to it, as to all that listen."""


def split(pair: Twins, game: int) -> tuple[list[int], list[int]]:
    """The tries of the seat and those of its opponent in one game of the pair."""
    replayed = OracleGame(RULES[pair.ruleset], pair.fen, **pair.options)
    own: list[int] = []
    other: list[int] = []
    for action in pair.asked[game]:
        (own if replayed.to_play == pair.seat else other).append(action)
        replayed.ask(action)
    return own, other


@cache
def finished_pairs(ruleset: str, number: int, seed: int) -> tuple[Twins, ...]:
    """Pairs in different hidden states whose games have ended alike, as the seat has heard."""
    found: list[Twins] = []
    count = 0
    while len(found) < number:
        rng = random.Random(f"finished {seed} {ruleset} {count}")
        count += 1
        pair = Twins(ruleset, draw_start(rng), rng.random() < 0.5, {"max_plies": rng.randrange(4, 24)})
        differed = False
        while pair.advance(rng) and pair.same_history():
            differed = differed or bool(pair.hidden())
        if pair.over and pair.same_history() and differed:
            found.append(pair)
    return tuple(found)


def as_bytes(value: Any) -> Any:
    """What an environment returned, comparable to the last byte; the order of keys counts, wall time not."""
    if isinstance(value, dict):
        return [(key, as_bytes(item)) for key, item in value.items() if key != "t"]
    if isinstance(value, list | tuple):
        return [as_bytes(item) for item in value]
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return as_bytes(value.tolist())
        return str(value.dtype), value.shape, value.tobytes()
    return repr(value)


Episode = Callable[[Twins, list[int], Scripted], Iterator[Any]]


def seen_by_learner(pair: Twins, game: int, episode: Episode) -> list[Any]:
    """All that an environment gave the learner in one game of the pair."""
    own, other = split(pair, game)
    seen = []
    try:
        for value in episode(pair, own, Scripted(other)):
            seen.append(as_bytes(value))
    except ScriptEndsError:
        seen.append("the script ends")
    return seen


def arguments(pair: Twins) -> dict[str, Any]:
    """An environment's options for the pair; the memory of the encoder and of terms goes through the game."""
    return {
        "encoder": MetapositionEncoder(),
        "terms": "raw",
        "ruleset": pair.ruleset,
        "ruleset_options": pair.options,
        "start": pair.fen,
        "seat": chess.COLOR_NAMES[pair.seat],
    }
