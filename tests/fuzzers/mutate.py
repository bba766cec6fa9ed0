"""Valid inputs made odd."""

import random
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 255, 256, 2**31, 2**63, 10**24, -(10**24), 0.0, 1.5, -0.0, 1e39),
    *(
        float("nan"),
        float("inf"),
        float("-inf"),
        "",
        " ",
        "x",
        "yes",
        "3",
        "1.5",
        "\0",
        "é\n",
        "any?",
        "e2e4",
    ),
    *(
        [],
        [1],
        [1.7],
        ["x"],
        [None],
        {},
        {"x": 1},
        {"pawn": 1, "piece": 2},
        (),
        (1, 2),
        b"",
        b"x",
        "9" * 5000,
    ),
    *("[" * 50_000, [[[[]]]], object()),
)
LETTERS = "abcdefgh12345678KQRBNPkqrbnp/-x=+#?!:;,.'\"()[]{}<>%@*&|\\ \t\n\0éß½٣\u2028\U0001f600"


def odd(rng: random.Random) -> Any:
    """Something that is seldom expected."""
    return rng.choice(ODD)


def odd_text(rng: random.Random) -> str:
    """Letters without any sense."""
    return "".join(rng.choice(LETTERS) for _ in range(rng.choice((1, 3, 8, 30))))


def text(rng: random.Random, given: str) -> str:
    """The text with some letters or parts changed, left out, doubled or moved."""
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        a, b = sorted((rng.randint(0, len(given)), rng.randint(0, len(given))))
        b = min(b, a + rng.choice((0, 1, 1, 3, 20, 1000)))
        part = given[a:b]
        match rng.randrange(6):
            case 0:
                part = ""
            case 1:
                part = odd_text(rng)
            case 2:
                part = part * rng.choice((2, 3, 50))
            case 3:
                part = str(odd(rng))[:200]
            case 4:
                c = rng.randint(0, len(given))
                part = given[c : c + rng.choice((1, 5, 50))]
            case _:
                part = part[::-1].swapcase()
        given = given[:a] + part + given[b:]
    return given


def binary(rng: random.Random, given: bytes) -> bytes:
    """The bytes with some of them changed, or cut short."""
    found = bytearray(given)
    for _ in range(rng.choice((1, 2, 10, 100))):
        if found:
            found[rng.randrange(len(found))] = rng.choice((0, 1, 255, rng.randrange(256)))
    if rng.random() < 0.2:
        del found[rng.randint(0, len(found)) :]
    return bytes(found)


def value(rng: random.Random, given: Any) -> Any:
    """A copy of nested dictionaries and lists with one part made odd; the other parts are shared."""
    if isinstance(given, dict) and given and rng.random() < 0.85:
        key, changed = rng.choice(list(given)), dict(given)
        if (what := rng.random()) < 0.08:
            del changed[key]
        elif what < 0.16:
            changed[odd_text(rng)] = changed.pop(key)
        else:
            changed[key] = value(rng, given[key])
        return changed
    if isinstance(given, (list, tuple)) and given and rng.random() < 0.85:
        row, at = list(given), rng.randrange(len(given))
        if (what := rng.random()) < 0.1:
            del row[at]
        elif what < 0.2:
            row *= rng.choice((2, 5))
        else:
            row[at] = value(rng, row[at])
        return row
    if isinstance(given, str) and rng.random() < 0.6:
        return text(rng, given)
    if isinstance(given, (int, float)) and not isinstance(given, bool) and rng.random() < 0.5:
        return rng.choice((given + 1, -given, given * 1000, given / 3, 2**40))
    return odd(rng)


def plain(given: Any) -> Any:
    """The same in JSON's types."""
    if isinstance(given, dict):
        return {str(key): plain(each) for key, each in given.items()}
    if isinstance(given, (list, tuple)):
        return [plain(each) for each in given]
    return given if given is None or isinstance(given, (bool, int, float, str)) else str(given)
