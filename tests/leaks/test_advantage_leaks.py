"""What `advantage-search` is told of states and tries, on pairs of games with one history for its seat."""

from __future__ import annotations

import chess
import pytest
from ks_baselines.mcts.advantage_search.network import shipped_networks

from research.advantage.explorer import Explorer
from tests.leaks.replayed import decisions
from tests.leaks.scripted import finished_pairs
from tests.leaks.twins import Twins
from tests.oracle import RULES

PAIRS = 3


@pytest.fixture(scope="module")
def player() -> Explorer:
    return Explorer(networks=shipped_networks())


def told(player: Explorer, pair: Twins, game: int, seat: chess.Color) -> list[bytes]:
    """All terms, values and notes of the game, and the tries that were chosen by them."""
    seen = []
    advice = player.advice
    for action in decisions(player, pair, game, seat):
        seen += [action.to_bytes(4), advice.state.tobytes()]
        if player.row is not None:
            n = int(player.tree.nodes[0]["count"])
            seen += [array.tobytes() for array in (advice.terms[:n], advice.values[:n], player.row)]
    return seen


@pytest.mark.parametrize("ruleset", RULES)
def test_one_history_is_one_description(ruleset: str, player: Explorer) -> None:
    compared = 0
    for pair in finished_pairs(ruleset, PAIRS, seed=2):
        first, second = (told(player, pair, game, pair.seat) for game in (0, 1))
        assert first == second, pair.transcript()
        compared += len(first)
    assert compared > 5 * PAIRS


def test_the_other_seat_of_these_pairs_is_told_something_else(player: Explorer) -> None:
    """So that the truth among the terms would be found out above."""
    pairs = list(finished_pairs("icc", PAIRS, seed=2))
    differing = sum(told(player, p, 0, not p.seat) != told(player, p, 1, not p.seat) for p in pairs)
    assert differing == PAIRS
