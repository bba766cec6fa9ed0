"""Placements of the own men that came before."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from ks_baselines.darkboard.hard_rules import (
    FORBIDDEN,
    key_after,
    key_of,
    new_past,
    note_turn,
    repetition_bias,
)
from ks_baselines.darkboard.moves import pack

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.tables import KNIGHT, PAWN
from tests.baselines.darkboard.records import metaposition

SQUARE = chess.parse_square
OUT = pack(SQUARE("g1"), SQUARE("f3"), KNIGHT, 0)
BACK = pack(SQUARE("f3"), SQUARE("g1"), KNIGHT, 0)


def home(stamp: int, own: str = "Ke1 Ng1 Pa2") -> Metaposition:
    m: Metaposition = metaposition(own, "Kh8 Pa7")[0]
    m["stamp"] = stamp
    return m


def test_keys_follow_the_men() -> None:
    key = np.uint64(key_of(home(2)))
    assert key_after(key, OUT) == key_of(home(2, "Ke1 Nf3 Pa2"))
    promotion = pack(SQUARE("a7"), SQUARE("a8"), PAWN, 0)
    before = np.uint64(key_of(home(2, "Ke1 Pa7")))
    assert key_after(before, promotion) == key_of(home(2, "Ke1 Qa8"))


@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_a_third_time_is_forbidden(times: int) -> None:
    past, bias = new_past(), np.zeros(1)
    for turn in range(times):
        note_turn(past, home(4 * turn + 2))
        note_turn(past, home(4 * turn + 4, "Ke1 Nf3 Pa2"))
    repetition_bias(past, home(99, "Ke1 Nf3 Pa2"), np.array([BACK], np.int32), 1, 4096, 0, 1.0, bias)
    assert bias[0] == -times - (FORBIDDEN if times >= 2 else 0)


def test_a_turn_is_noted_once_and_pawn_moves_forget() -> None:
    past = new_past()
    note_turn(past, home(2))
    note_turn(past, home(2))
    assert past.state[0] == 1
    note_turn(past, home(4, "Ke1 Ng1 Pa3"))
    assert past.state[0] == 1
