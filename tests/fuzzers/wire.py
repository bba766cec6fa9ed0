"""What a player in a process of its own may answer."""

import json
import random

from ks_arena.apart.wire import VERSION, FaultError, checked_hello, checked_try, checked_weighed, unpacked

from tests.fuzzers import mutate
from tests.fuzzers.driver import Fuzzer

HELLO = {
    **{"type": "hello", "protocol": VERSION, "name": "x", "games": ["Kriegspiel"], "hears": True},
    "wants": ["board", "tries"],
}
CHOICE = {"type": "try", "try": 7, "weighed": {"tries": [7, 9], "values": [0.5, -1]}}


def some_line(rng: random.Random) -> bytes:
    line = json.dumps(mutate.plain(mutate.value(rng, rng.choice((HELLO, CHOICE))))).encode()
    return mutate.binary(rng, line) if rng.random() < 0.5 else line


def read(given: bytes) -> None:
    message = unpacked(given)
    if message.get("type") == "try":
        checked_try(message.get("try"))
        tries, values = checked_weighed(message.get("weighed"))
        assert tries.shape == values.shape
    else:
        hello = checked_hello(message)
        assert "".join((hello.name, *hello.games, *hello.wants))
        assert {hello.hears, hello.weighs} <= {False, True}


FUZZERS = [Fuzzer("a line of a player's process", some_line, read, (FaultError,), 10_000)]
