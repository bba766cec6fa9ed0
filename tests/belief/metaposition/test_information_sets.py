"""Exact information sets lie within metapositions, and a bare king's squares are exact."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel.start import start_row
from tests.belief.metaposition.information_sets import Followed, first_excluded
from tests.belief.metaposition.run import BARE
from tests.belief.metaposition.tightness import (
    Study,
    bare_king_starts,
    few_men_start,
    log_states,
    sizes,
)

MOST = 20_000


@pytest.mark.parametrize("name", RULESETS)
def test_few_men(name: str) -> None:
    rng = random.Random(name)
    turns = 0
    for n in range(12):
        study = Study(RULESETS[name], [few_men_start(rng, 3, 8)], 0, n % 2, n // 2 % 2, n, 6_000)
        turns += len(study.play(8).turns)
    assert turns > 40


@pytest.mark.parametrize("name", RULESETS)
def test_middle_game(name: str) -> None:
    rng = random.Random(name)
    for n in range(4):
        Study(RULESETS[name], [few_men_start(rng, 14, 24)], 0, n % 2, n // 2 % 2, n, MOST).play(3)


@pytest.mark.parametrize("men", BARE)
def test_the_squares_of_a_bare_king_are_exact(men: str) -> None:
    rng = random.Random(men)
    turns = 0
    for n, name in enumerate([*RULESETS] * 2):
        fens = bare_king_starts(rng, men)
        found = Study(RULESETS[name], fens, rng.randrange(len(fens)), 0, n % 2, n, MOST).play(30)
        assert not found.loose_kings
        turns += len(found.turns)
    assert turns > 60


def test_an_opening_counts_its_positions() -> None:
    found = Study(RULESETS["berkeley"], [chess.STARTING_FEN], 0, 0, 0, 1, MOST).play(2)
    first, second = found.turns
    assert (first.positions, second.positions) == (1, 20)  # Black has 20 first moves, all of them silent
    assert sum(first.known[1:]) == sum(first.claimed[1:]) == 16
    assert sum(second.known[1:]) == 16 + 20
    assert first.states == 0.0


def by_python_chess(boards: set[str]) -> set[str]:
    """All positions after one quiet move without check by the side to move, none of them over."""
    after = set()
    for fen in boards:
        board = chess.Board(fen)
        for move in board.legal_moves:
            quiet = not board.is_capture(move)
            board.push(move)
            tries = any(
                board.is_capture(m) and board.piece_type_at(m.from_square) == 1 for m in board.legal_moves
            )
            if quiet and not board.is_check() and not tries and any(board.legal_moves):
                board.fullmove_number, board.halfmove_clock = 1, 0
                after.add(board.fen(en_passant="legal"))
            board.pop()
    return after


def test_information_sets_agree_with_python_chess() -> None:
    """King and rook against king, pawn and knight: everything silent, counted by another program."""
    fen, ruleset = "8/8/8/2n1k3/8/p7/8/K6R b - - 0 1", RULESETS["icc"]
    row = start_row(fen, ruleset)
    starts = np.zeros(1, row["truth"].dtype)
    starts[0] = row["truth"]
    followed = Followed(starts, 0, row["views"][0], ruleset.record(), MOST)
    view = row["views"][0].copy()
    expected = by_python_chess({fen})
    view["turn"], view["fifty"], view["moves"], view["tries"] = 1, 1, 2, 0
    view["age"] = np.where(view["men"] == 0, 1, 0)
    assert followed.opponent_move(view)
    assert len(followed.truths) == len(expected) > 10
    assert len(set(followed.truths["key"])) == len(expected)


def test_too_many_positions_are_said() -> None:
    study = Study(RULESETS["berkeley"], [chess.STARTING_FEN], 0, 0, 0, 1, 30)
    assert len(study.play(5).turns) == 2
    assert not study.enough


def test_an_excluded_position_is_found() -> None:
    study = Study(RULESETS["berkeley"], [chess.STARTING_FEN], 0, 0, 0, 1, MOST)
    study.play(2)
    assert first_excluded(study.record[0], study.sets.truths) == -1
    study.record["ghosts"][0, 1] &= ~np.uint64(1 << chess.E5)  # as if e7-e5 could not have been played
    first = first_excluded(study.record[0], study.sets.truths)
    assert study.sets.truths[first]["men"][chess.E5] == chess.PAWN | 8
    with pytest.raises(AssertionError, match="of candidate"):
        study.compare()


def test_states_are_the_product_over_squares() -> None:
    study = Study(RULESETS["icc"], ["7k/8/8/8/8/1Q6/8/K7 w - - 0 1"], 0, 0, 0, 1, MOST)
    study.compare()
    assert log_states(study.record[0]) == 0.0
    study.record["ghosts"][0, 6] |= np.uint64(0b111 << 40)  # empty or king on three more squares
    assert log_states(study.record[0]) == pytest.approx(3 * np.log10(2))
    assert sizes(study.record["ghosts"][0])[6] == 4
