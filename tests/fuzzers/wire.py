"""What a player in a process of its own may answer."""

import json
import random

from ks_arena.apart.wire import VERSION, WireError, checked_hello, checked_try, unpacked

from tests.fuzzers import mutate
from tests.fuzzers.driver import Fuzzer

HELLO = {
    **{"type": "hello", "protocol": VERSION, "name": "x", "games": ["Kriegspiel"], "hears": True},
    "wants": ["board", "tries"],
}
CHOICE = {"type": "choice", "try": 7}


def some_line(rng: random.Random) -> bytes:
    line = json.dumps(mutate.plain(mutate.value(rng, rng.choice((HELLO, CHOICE))))).encode()
    return mutate.binary(rng, line) if rng.random() < 0.5 else line


def read(given: bytes) -> None:
    message = unpacked(given)
    if message.get("type") == "choice":
        checked_try(message.get("try"))
    else:
        name, games, wants, hears = checked_hello(message)
        assert isinstance(name + "".join(games + wants), str)
        assert isinstance(hears, bool)


FUZZERS = [Fuzzer("a line of a player's process", some_line, read, (WireError,))]
