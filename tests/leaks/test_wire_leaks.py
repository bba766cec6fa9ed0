"""What is sent to players in processes of their own, on pairs of games with one history for the seat."""

from __future__ import annotations

from typing import Any, get_args

import chess
import pytest
from ks_arena.apart.wire import Teller, Want, opening_told, packed

from ks_env.games.opening import Opening
from ks_env.games.under_way import AnyAnnouncement
from tests.leaks.replayed import decisions
from tests.leaks.scripted import finished_pairs
from tests.leaks.twins import Twins
from tests.oracle import RULES

PAIRS = 3

WANTS = get_args(Want)


class Written:
    """Keeps every line that a process in its seat would have been sent."""

    name = "written"

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def begin(self, opening: Opening) -> None:
        self.teller = Teller(opening, WANTS)
        self.lines.append(packed(opening_told(opening, WANTS)))

    def hear(self, announcement: AnyAnnouncement) -> None:
        self.lines.append(packed(self.teller.heard(announcement)))

    def choose(self, view: Any) -> int:
        self.lines.append(packed(self.teller.view(view)))
        return 0


def sent(pair: Twins, game: int, seat: chess.Color) -> list[bytes]:
    written = Written()
    for _ in decisions(written, pair, game, seat):
        pass
    return written.lines


@pytest.mark.parametrize("ruleset", RULES)
def test_one_history_is_one_text(ruleset: str) -> None:
    pairs = list(finished_pairs(ruleset, PAIRS, seed=2))
    for pair in pairs:
        assert sent(pair, 0, pair.seat) == sent(pair, 1, pair.seat), pair.transcript()
    assert sum(len(sent(pair, 0, pair.seat)) for pair in pairs) > 5 * PAIRS


def test_the_other_seat_of_these_pairs_is_sent_something_else() -> None:
    pairs = list(finished_pairs("icc", PAIRS, seed=2))
    assert sum(sent(p, 0, not p.seat) != sent(p, 1, not p.seat) for p in pairs) == PAIRS
