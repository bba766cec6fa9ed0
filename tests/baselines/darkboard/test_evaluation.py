"""The terms of the evaluation, each for what Ciancarini and Favini (2007, §4) say of it."""

from __future__ import annotations

from dataclasses import replace

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ks_baselines.darkboard.components import (
    advancement,
    can_mate,
    controlled,
    ending,
    entropy,
    gathering,
    king_progress,
    man_value,
    open_files,
    queens,
    safety,
    slice_ages,
    sum_ages,
)
from ks_baselines.darkboard.constants import DEFAULT, IMPROVED
from ks_baselines.darkboard.threat import densities, expected, expected_loss

from ks_env.belief.metaposition import entropy as slow_entropy
from ks_env.belief.metaposition import simulate_meta, simulate_pseudo
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.tables import PAWN
from tests.baselines.darkboard.records import board, metaposition

SQUARE = chess.parse_square
C = IMPROVED.record()[0]
MORE = replace(DEFAULT, piece_captures=0.4, piece_retakes=0.9).record()[0]


def safety_of(m: Metaposition, square: str, moved: bool = False) -> float:
    by, planes = np.zeros(7, np.uint64), np.zeros(5, np.uint64)
    controlled(m, by)
    slice_ages(m, planes)
    total = sum_ages(planes, np.uint64(2**64 - 1))
    return float(safety(m, SQUARE(square), moved, by, planes, total, C))


ages = st.lists(st.integers(0, 255), min_size=64, max_size=64)


@given(ages, st.integers(0, 2**64 - 1))
@settings(max_examples=50, deadline=None)
def test_sums_of_ages(age: list[int], where: int) -> None:
    m = metaposition("Ke1")[0]
    m["age"] = age
    planes = np.zeros(5, np.uint64)
    slice_ages(m, planes)
    expected = sum(min(a, 31) for s, a in enumerate(age) if where >> s & 1)
    assert sum_ages(planes, np.uint64(where)) == expected


def test_a_man_out_of_reach_is_safe() -> None:
    m = metaposition("Ke1 Na1", "Kh8 Bh7")[0]
    assert safety_of(m, "a1") == 1.0


def test_safety_is_between_none_and_full() -> None:
    m = metaposition("Ke1 Nd4", "Kh8 Rd8 Bg7 Pc5 Pe5 Nb3", age=30)[0]
    assert 0.0 <= safety_of(m, "d4", moved=True) <= safety_of(m, "d4") <= 0.75


def test_a_protected_man_is_safer() -> None:
    ghosts = "Kh8 Rd8 Rd7 Qd6"
    bare = safety_of(metaposition("Ke1 Nd4", ghosts)[0], "d4")
    by_queen = safety_of(metaposition("Ke1 Nd4 Qa1", ghosts)[0], "d4")
    by_pawn = safety_of(metaposition("Ke1 Nd4 Pc3", ghosts)[0], "d4")
    assert bare < by_queen <= by_pawn


def test_a_man_that_has_just_moved_is_less_safe() -> None:
    m = metaposition("Ke1 Nd4 Pc3", "Kh8 Rd8 Rd7 Qd6 Ra8")[0]
    assert safety_of(m, "d4", moved=True) < safety_of(m, "d4")


def test_fresh_knowledge_makes_safer() -> None:
    m = metaposition("Ke1 Nd4", "Kh8 Rd8 Rd7", age=20)[0]
    before = safety_of(m, "d4")
    m["age"][SQUARE("d8")] = 1
    assert safety_of(m, "d4") > before


def test_pawns_are_worth_more_without_mating_material() -> None:
    poor, rich = metaposition("Ke1 Pa2 Nb1")[0], metaposition("Ke1 Pa2 Ra1")[0]
    assert not can_mate(poor)
    assert can_mate(rich)
    assert man_value(poor, PAWN, C) > man_value(rich, PAWN, C)


def test_advanced_pawns_queens_and_open_files() -> None:
    assert advancement(metaposition("Ke1 Pa6")[0], C) > advancement(metaposition("Ke1 Pa3")[0], C)
    assert queens(metaposition("Ke1 Qa1")[0], C) == 0
    assert queens(metaposition("Ke1 Qa1 Qb1 Qc1")[0], C) == 2 * IMPROVED.further_queen
    assert open_files(metaposition("Ke1 Pa2 Pb2", "Kh8 Pb7")[0], C) == IMPROVED.open_file


def test_few_men_are_drawn_to_their_king() -> None:
    near, far = metaposition("Ke1 Re2")[0], metaposition("Ke1 Ra8")[0]
    assert gathering(far, C) < gathering(near, C) < 0
    assert gathering(metaposition("Ke1 Ra8 Rb8 Rc8 Rd8 Re8")[0], C) == 0


def random_metaposition(rng: np.random.Generator) -> np.ndarray:
    squares = [chess.square_name(s) for s in rng.permutation(64)]
    own = " ".join(f"{k}{s}" for k, s in zip("KQRBNN", squares[:6], strict=True))
    ghosts = " ".join(f"{k}{s}" for s in squares[6:40] for k in rng.choice(list("KQRBN"), 2, replace=False))
    pawns = " ".join(f"P{s}" for s in squares[6:40] if s[1] in "34567")
    return metaposition(own, f"{ghosts} {pawns} K{squares[41]}", age=int(rng.integers(1, 25)))


@pytest.mark.parametrize("seed", range(20))
def test_entropy_is_that_of_the_belief_and_moves_as_m07_wants(seed: int) -> None:
    rng, planes = np.random.default_rng(seed), np.zeros(5, np.uint64)
    m = random_metaposition(rng)
    before = entropy(m[0], planes, C)
    assert before == pytest.approx(slow_entropy(m[0]))
    later = m.copy()
    simulate_meta(later[0])
    assert entropy(later[0], planes, C) >= before
    king = int(m[0]["own"][6]).bit_length() - 1
    moved = m.copy()
    end = next(s for s in range(64) if chess.square_distance(s, king) == 1)
    simulate_pseudo(moved[0], king, end, 0, 0)
    assert entropy(moved[0], planes, C) <= before


def test_the_king_is_driven_to_the_edge() -> None:
    corner, centre = board("h8", "g8"), board("d4", "e4")
    assert king_progress(corner, C) > king_progress(centre, C)
    assert king_progress(corner | centre, C) < king_progress(centre, C)
    assert king_progress(np.uint64(0), C) == 0


def test_mate_stalemate_and_feeding_of_a_bare_king() -> None:
    by = np.zeros(7, np.uint64)

    def worth(own: str, king: str, depth: int = 0) -> float:
        m = metaposition(own, f"K{king}")[0]
        control = np.uint64(controlled(m, by))
        return float(ending(m, m["ghosts"][6], control, depth, C))

    assert worth("Kg6 Qg7", "h8") == IMPROVED.mate
    assert worth("Kg6 Qg7", "h8", depth=2) == IMPROVED.mate - 2 * IMPROVED.mate_delay
    assert worth("Kf7 Qg6", "h8") == IMPROVED.stalemate
    assert worth("Ka1 Qg7", "h8") == IMPROVED.feeding


def test_expected_losses() -> None:
    def loss(own: str, ghosts: str, known: float) -> float:
        m = metaposition(own, ghosts)[0]
        by, planes, density = np.zeros(7, np.uint64), np.zeros(5, np.uint64), np.zeros(14)
        controlled(m, by)
        slice_ages(m, planes)
        densities(m, planes, density)
        return float(expected_loss(m, SQUARE("d4"), 3.0, known, by, planes, density, MORE))

    far, pawn, rook = "Kh8 Ph7", "Kh8 Pc5", "Kh8 Rd8"
    assert loss("Ke1 Nd4", far, 1.0) == 0
    assert loss("Ke1 Nd4", pawn, 0.0) > loss("Ke1 Nd4", rook, 0.0) > 0
    assert loss("Ke1 Nd4", rook, 1.0) > loss("Ke1 Nd4", rook, 0.0)
    assert loss("Ke1 Nd4 Pc3", rook, 1.0) < loss("Ke1 Nd4", rook, 1.0)


def test_expected_men_add_up_to_those_left() -> None:
    m = metaposition("Ke1", "Kh8 Pd4 Pd5 Pd6 Rd4 Rd8 Rc8 Na3 Nb3", certain="d4 a3")[0]
    m["most"][:] = 5, 1, 1, 0, 2, 0, 1
    planes, density, everywhere = np.zeros(5, np.uint64), np.zeros(14), np.uint64(2**64 - 1)
    slice_ages(m, planes)
    densities(m, planes, density)
    number = [float(expected(m, kind, everywhere, planes, density)) for kind in range(1, 7)]
    assert number == pytest.approx([1, 1, 0, 2, 0, 1])
    assert expected(m, 2, board("a3"), planes, density) == 1
    assert expected(m, 1, board("d4"), planes, density) == pytest.approx(1 / 3)
