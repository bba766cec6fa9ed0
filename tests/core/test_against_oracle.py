"""The compiled referee and the oracle on python-chess answer random games alike. `make fuzz` plays more."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.oracle import RULES
from tests.random_games import play_game

TRIES = 5_000


@pytest.mark.parametrize("ruleset", RULES)
def test_random_games(ruleset: str) -> None:
    counts: Counter[str] = Counter()
    while counts["tries"] < TRIES:
        play_game(random.Random(f"test {ruleset} {counts['games']}"), ruleset, 250, 5, counts)
    seen = {name for name in counts if counts[name]}
    assert {"answer: moved", "answer: illegal", "captured pawn", "captured piece", "en passant"} <= seen
    assert {"check: rank", "check: file", "check: knight", "promoted to queen"} <= seen
