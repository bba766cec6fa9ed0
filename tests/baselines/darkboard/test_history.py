"""Placements of the own men that came before."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest
from ks_baselines.darkboard.hard_rules import FORBIDDEN, new_past, note_turn, repetition_bias

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.terms.placements import key_after, placement_key
from ks_env.core.tries import number_of
from ks_env.games.kriegspiel.layout import VIEW, View
from tests.baselines.darkboard.records import KINDS, metaposition

SQUARE = chess.parse_square
OUT = number_of(SQUARE("g1"), SQUARE("f3"), 0)
BACK = number_of(SQUARE("f3"), SQUARE("g1"), 0)


def home(stamp: int, own: str = "Ke1 Ng1 Pa2") -> tuple[Metaposition, View]:
    m: Metaposition = metaposition(own, "Kh8 Pa7")[0]
    m["stamp"] = stamp
    view: Any = np.zeros(1, VIEW)[0]
    for text in own.split():
        view["men"][SQUARE(text[1:])] = KINDS[text[0]]
    return m, view


def key(own: str) -> np.uint64:
    return np.uint64(placement_key(home(2, own)[1]))


def test_keys_follow_the_men() -> None:
    assert key_after(key("Ke1 Ng1 Pa2"), home(2)[1], OUT) == key("Ke1 Nf3 Pa2")
    promotion = number_of(SQUARE("a7"), SQUARE("a8"), 0)
    assert key_after(key("Ke1 Pa7"), home(2, "Ke1 Pa7")[1], promotion) == key("Ke1 Qa8")


@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_a_third_time_is_forbidden(times: int) -> None:
    past, bias = new_past(), np.zeros(1)
    for turn in range(times):
        note_turn(past, *home(4 * turn + 2))
        note_turn(past, *home(4 * turn + 4, "Ke1 Nf3 Pa2"))
    view = home(99, "Ke1 Nf3 Pa2")[1]
    repetition_bias(past, view, np.array([BACK], np.int16), 1, 4096, 0, 1.0, bias)
    assert bias[0] == -times - (FORBIDDEN if times >= 2 else 0)


def test_a_turn_is_noted_once_and_pawn_moves_forget() -> None:
    past = new_past()
    note_turn(past, *home(2))
    note_turn(past, *home(2))
    assert past.state[0] == 1
    note_turn(past, *home(4, "Ke1 Ng1 Pa3"))
    assert past.state[0] == 1
