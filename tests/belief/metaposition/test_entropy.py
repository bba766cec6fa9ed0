"""Entropy never falls over a simulated metamove nor rises over a simulated pseudomove.

See Ciancarini and Favini (2007, §4.3).
"""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.belief.metaposition import METAPOSITION, entropy, opening, simulate_meta, simulate_pseudo
from ks_env.core.ruleset import RULESETS
from ks_env.core.tries import MOST_TRIES
from tests.belief.metaposition.containment import Starts, public_starts
from tests.belief.metaposition.entropies import (
    COUNTS,
    OWN,
    SIMULATED,
    SIMULATED_BREAKS,
    THEIRS,
    play_and_count,
    simulate_chain,
)


def play(starts: Starts, seed: int, chain: int) -> np.ndarray:
    """The counts of one game."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(len(starts.fens)))
    game = starts.rows[k : k + 1].copy()
    game["truth"]["random"] = rng.integers(0, 2**63, (1, 3)).astype(np.uint64)
    history = np.zeros(starts.ruleset.history, np.uint64)
    game["truth"]["past"] = 1
    counts = np.zeros(COUNTS, np.int64)
    players = np.array([seed % 2, seed // 2 % 2])
    play_and_count(
        game[0], history, starts.ruleset.record()[0], players, starts.records[k].copy(), chain,
        np.zeros(MOST_TRIES, np.int16), counts, np.zeros(1, METAPOSITION),
    )  # fmt: skip
    return counts


@pytest.mark.parametrize("name", RULESETS)
def test_simulated_moves_keep_to_both_inequalities(name: str) -> None:
    starts = Starts(RULESETS[name], public_starts(random.Random(name), 20))
    counts = np.sum([play(starts, seed, chain=5) for seed in range(60)], axis=0)
    assert counts[SIMULATED] > 20_000
    assert counts[SIMULATED_BREAKS] == 0
    assert counts[OWN] > 1_000 < counts[THEIRS]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**63), st.booleans(), st.integers(1, 60))
def test_long_chains(seed: int, colour: bool, moves: int) -> None:
    records, counts = np.zeros(1, METAPOSITION), np.zeros(COUNTS, np.int64)
    records[0] = opening([chess.STARTING_FEN], colour)
    simulate_chain(records, moves, np.array([seed], np.uint64), counts)
    assert counts[SIMULATED] > 0 == counts[SIMULATED_BREAKS]


def test_a_break_is_counted() -> None:
    """A metaposition in which nothing has aged, but with ghosts: a move that ages nothing would be equal."""
    records = np.zeros(1, METAPOSITION)
    records[0] = opening([chess.STARTING_FEN], True)
    before = entropy(records[0])
    simulate_meta(records[0])
    assert entropy(records[0]) > before
    spread = entropy(records[0])
    simulate_pseudo(records[0], chess.A2, chess.A4, 0, 0)
    assert entropy(records[0]) <= spread
    records["age"][0, chess.A8] += 40  # what no silent own move may do
    assert entropy(records[0]) > spread
