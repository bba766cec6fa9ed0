"""What terms say of tries, on pairs of games with one history for a seat."""

from __future__ import annotations

import chess
import pytest

from ks_env.belief.terms import padded
from ks_env.core.ruleset import Ruleset
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from tests.belief.terms.seat import PRESETS, SeatTries, bytes_of, preset
from tests.leaks.scripted import finished_pairs
from tests.leaks.twins import Twins
from tests.oracle import RULES

PAIRS = 3


def told(name: str, pair: Twins, game: int, seat: chess.Color) -> list[tuple[bytes, ...]]:
    """The tries and the memory whenever the seat is to move, and at the end, as bytes."""
    rules = Ruleset.named(pair.ruleset, **pair.options)
    replayed = Game(rules, pair.fen)
    described = SeatTries(preset(name), kriegspiel.opening(seat, rules, pair.fen))
    said = []
    for action in (*pair.asked[game], None):
        if replayed.to_play == seat or action is None:
            tries = described.tries(replayed.view(seat), rules)
            wide = (array.tobytes() for array in padded(tries).values())
            said.append((*bytes_of(tries), *wide, described.memory.tobytes()))
        if action is not None:
            replayed.ask(action)
    return said


@pytest.mark.parametrize("ruleset", RULES)
@pytest.mark.parametrize("name", PRESETS)
def test_one_history_is_one_description(name: str, ruleset: str) -> None:
    compared = 0
    for pair in finished_pairs(ruleset, PAIRS, seed=1):
        first, second = (told(name, pair, game, pair.seat) for game in (0, 1))
        assert first == second, pair.transcript()
        compared += len(first)
    assert compared > 2 * PAIRS


@pytest.mark.parametrize("name", PRESETS)
def test_the_other_seat_of_these_pairs_is_told_something_else(name: str) -> None:
    """So that the truth among the terms would be found out above."""
    pairs = finished_pairs("icc", PAIRS, seed=1)
    differing = sum(told(name, p, 0, not p.seat) != told(name, p, 1, not p.seat) for p in pairs)
    assert differing == PAIRS
