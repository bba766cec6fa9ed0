"""Records of games, in PGN and JSON."""

import json
import random
from functools import cache
from typing import Any

from ks_env.core.ruleset import RULESETS
from ks_env.games import game_named
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.record import RecordError, from_json, from_pgn, replay, to_json, to_pgn
from tests.fuzzers import mutate
from tests.fuzzers.driver import Fuzzer
from tests.record.random_records import random_game


@cache
def records() -> list[Any]:
    """A short game of each kind."""
    found: list[Any] = [
        GameRecord.from_game(random_game(RULESETS[name], 5, 30), "a", "b")
        for name in ("icc", "rand", "english")
    ]
    for name, made in (("InvisibleChess", "2B v 1R"), ("DarkChess", None)):
        game = game_named(name)
        played: Any = game.play(made) if made else game.play()  # type: ignore[call-arg]
        draw = random.Random(3)
        while played.to_play is not None and played.plies < 10:
            played.ask(draw.choice(sorted(played.legal())))
        found.append(game.notation.record.from_game(played, "a", "b"))
    return found


def read_pgn(given: str) -> None:
    replay(from_pgn(given))


def read_json(given: str) -> None:
    replay(from_json(given))


def some_json(rng: random.Random) -> str:
    kept = to_json(rng.choice(records()))
    if rng.random() < 0.4:
        return mutate.text(rng, kept)
    return json.dumps(mutate.plain(mutate.value(rng, json.loads(kept))))


def some_pgn(rng: random.Random) -> str:
    if rng.random() < 0.1:
        return mutate.text(rng, "g6){")
    return mutate.text(rng, to_pgn(rng.choice(records())))


FUZZERS = [
    Fuzzer("PGN", some_pgn, read_pgn, (RecordError,), 400, records),
    Fuzzer("JSON of a game", some_json, read_json, (RecordError,), 400, records),
]
