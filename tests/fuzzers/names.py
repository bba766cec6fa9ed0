"""Names of players with their parameters, of encoders, terms, games and rulesets."""

import random
from typing import Any

from ks_arena.names import label_of, resolve, split_names

from ks_env import RULESETS, Ruleset, game_named, make_encoder, make_player
from ks_env.belief.terms import make_terms
from ks_env.players.registry import parse_name
from tests.fuzzers import mutate
from tests.fuzzers.driver import Fuzzer

# Not those that start programs or read files.
PLAYERS = {
    "random": "",
    "capture": "",
    "darkboard": "metapositions=300",
    "mcts-a": "nodes=10,threads=2",
    "mcts-b": "nodes=10",
    "mcts-c": "nodes=10,endings=True",
    "advantage-search": "nodes=10",
    "advisors": "depth=1,boards=2,hide=0.5,noise=0",
    "sampler-los": "boards=4",
    "sampler-hs": "boards=4",
    "policy": "temperature=0.5",
    "policy-judged": "temperature=0.5,boards=4,room=8",
}
SPEC = "advisors:depth=1,noise=0,x='a,b',y=[1,(2,3)]"


def some_player(rng: random.Random) -> str:
    """A player of the list with odd parameters: no other name, which might be that of a program's place."""
    name, parameters = rng.choice(list(PLAYERS.items()))
    while True:
        odd = mutate.text(rng, parameters)
        if rng.random() < 0.4 and parameters:
            key = rng.choice(parameters.split(",")).partition("=")[0]
            odd = f"{key}={str(mutate.odd(rng))[:5000]}"
        if "engine" not in odd and "file" not in odd:
            return f"{name}:={odd}" if odd[:1].isalpha() and ":" in odd else f"{name}:{odd}"


def parse(given: Any) -> None:
    name, parameters = parse_name(given)
    assert isinstance(name, str)
    assert all(key.isidentifier() for key in parameters)


def labels(given: str) -> None:
    for name in split_names(given):
        label_of(name)
        resolve(name)


def find(given: Any) -> None:
    """All of them, though the first refuses it."""
    refused = []
    for call in (make_encoder, make_terms, game_named, Ruleset.named):
        try:
            call(given)
        except ValueError as error:
            refused.append(error)
    if refused:
        raise refused[0]


def make_rules(given: Any) -> None:
    Ruleset.named(given[0], **given[1])


def some_rules(rng: random.Random) -> Any:
    options = {"max_tries": 5, "fifty_moves": False, "pawn_tries": "count", "max_plies": 10}
    changed = mutate.value(rng, options)
    name = rng.choice((*RULESETS, mutate.text(rng, "berkeley")))
    return name, mutate.plain(changed) if isinstance(changed, dict) else {}


def ready() -> None:
    """Compile what making one of them compiles."""
    for name, parameters in PLAYERS.items():
        make_player(f"{name}:{parameters}")
    make_terms("raw")
    make_encoder("location")


FUZZERS = [
    Fuzzer(
        "a player's name",
        lambda rng: rng.choice((mutate.text(rng, SPEC), mutate.odd(rng))),
        parse,
        tests=1500,
    ),
    Fuzzer("a player's parameters", some_player, make_player, tests=3000, ready=ready),
    Fuzzer(
        "names of players", lambda rng: mutate.text(rng, "random,capture:x=1,a.b:c:d=2"), labels, tests=4000
    ),
    Fuzzer(
        "encoders, terms, games, rulesets",
        lambda rng: rng.choice((mutate.text(rng, rng.choice(("location", "raw", "icc"))), mutate.odd(rng))),
        find,
        ready=ready,
    ),
    Fuzzer("a ruleset's options", some_rules, make_rules, tests=10_000),
]
