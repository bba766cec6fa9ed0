"""Each umpire prediction heuristic of Ciancarini and Favini (2007, §3.1)."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest
from ks_baselines.darkboard.moves import (
    A_PAWN,
    A_PIECE,
    captured_kind,
    end_of,
    generate,
    gives_pawn_try,
    is_pawn_try,
    kind_of,
    lands_on_a_man,
    shorter_than_refused,
    start_of,
)

from ks_env.belief.metaposition import opening
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.opponent_move import simulate_meta
from ks_env.belief.metaposition.own_move import simulate_pseudo
from ks_env.core.tables import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.layout import View
from tests.baselines.darkboard.records import metaposition

SQUARE = chess.parse_square


def moves_of(m: Metaposition) -> set[tuple[int, int, int]]:
    out = np.zeros(512, np.int32)
    n = generate(m, out)
    return {(int(kind_of(x)), int(start_of(x)), int(end_of(x))) for x in out[:n]}


def test_every_move_is_assumed_legal() -> None:
    m: Any = opening([chess.STARTING_FEN], True)[()]
    simulate_meta(m)
    simulate_meta(m)
    moves = moves_of(m)
    assert (PAWN, SQUARE("e2"), SQUARE("e4")) in moves
    for kind, start, end in moves:
        after = m.copy()
        simulate_pseudo(after, start, end, 0, 0)
        assert int(after["own"][kind]) >> end & 1
        assert not int(after["own"][0]) >> start & 1


def test_pawn_tries_capture() -> None:
    assert is_pawn_try(PAWN, SQUARE("e4"), SQUARE("d5"))
    assert not is_pawn_try(PAWN, SQUARE("e4"), SQUARE("e5"))
    assert not is_pawn_try(BISHOP, SQUARE("e4"), SQUARE("d5"))


def test_a_move_onto_a_certain_man_captures() -> None:
    m = metaposition("Ke1 Ra1 Pb2", "Na5 Nb3 Kh8", certain="a5")[0]
    assert lands_on_a_man(m, ROOK, SQUARE("a5"))
    assert not lands_on_a_man(m, ROOK, SQUARE("a4"))
    assert not lands_on_a_man(m, PAWN, SQUARE("a5"))


def test_the_shorter_slide_captures_after_a_refusal() -> None:
    game = Game(fen="4k3/8/8/2p5/8/8/8/R3K3 w - - 0 1")
    view = game.view(True)
    here = SQUARE("a1"), SQUARE("a7")
    assert not shorter_than_refused(view, ROOK, *here)
    view = _refused("a1", "a8", "7k/8/8/8/8/8/p7/R3K3 w - - 0 1")
    assert shorter_than_refused(view, ROOK, *here)
    assert not shorter_than_refused(view, ROOK, SQUARE("a1"), SQUARE("a6"))
    assert not shorter_than_refused(view, KNIGHT, *here)


def _refused(start: str, end: str, fen: str) -> View:
    game = Game(fen=fen)
    game.ask(start + end)
    view: View = game.view(True)
    return view


def test_the_captured_man_is_a_pawn_unless_none_can_be_there() -> None:
    m = metaposition("Ke1", "Pd5 Nd5 Nc4 Kh8")[0]
    assert captured_kind(m, SQUARE("d5")) == A_PAWN
    assert captured_kind(m, SQUARE("c4")) == A_PIECE


def test_the_opponent_gets_a_pawn_try_where_a_pawn_may_capture() -> None:
    m = metaposition("Ke1 Nc3", "Pd5 Kh8")[0]
    assert gives_pawn_try(m, SQUARE("c4"))
    assert gives_pawn_try(m, SQUARE("e4"))
    assert not gives_pawn_try(m, SQUARE("d4"))
    assert not gives_pawn_try(m, SQUARE("c6"))


def test_no_pawn_captures_below_the_root() -> None:
    m = metaposition("Ke1 Pe4", "Pd5 Pf5 Kh8")[0]
    assert (PAWN, SQUARE("e4"), SQUARE("e5")) in moves_of(m)
    assert not any(kind == PAWN and (a ^ b) & 7 for kind, a, b in moves_of(m))


def test_slides_end_on_certain_men_and_pass_possible_ones() -> None:
    m = metaposition("Ke1 Qa1", "Na4 Nd4 Kh8", certain="a4")[0]
    queen = {b for kind, _, b in moves_of(m) if kind == QUEEN}
    assert SQUARE("a4") in queen
    assert SQUARE("a5") not in queen
    assert {SQUARE("d4"), SQUARE("e5")} <= queen


@pytest.mark.parametrize("square", ["e2", "d1"])
def test_own_men_are_in_the_way(square: str) -> None:
    m = metaposition(f"Ke1 P{square}", "Kh8")[0]
    assert (6, SQUARE("e1"), SQUARE(square)) not in moves_of(m)
