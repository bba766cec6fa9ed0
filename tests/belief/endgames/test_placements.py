"""What tries tell of the bare king, as boards, against python-chess square by square."""

from __future__ import annotations

from collections import defaultdict

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.belief.endgames.ending import ENDINGS
from ks_env.belief.endgames.placements import (
    BACK,
    LONG_RISING,
    MOST_MOVES,
    MOVE,
    SYMMETRIES,
    action_of,
    list_moves,
    turned,
    turned_square,
)
from ks_env.belief.metaposition.boards import king_squares
from ks_env.core.answers import CHECKS
from tests.belief.endgames.oracle import Men, board_of, judge, move_of, possible, tries

BOARDS = st.integers(0, (1 << 64) - 1)


def placements() -> st.SearchStrategy[Men]:
    """Men of any ending on different squares, two bishops on any colours."""

    def build(kinds: list[int]) -> st.SearchStrategy[Men]:
        squares = st.lists(st.integers(0, 63), min_size=len(kinds), max_size=len(kinds), unique=True)
        men = squares.map(lambda chosen: tuple(zip(kinds, chosen, strict=True)))
        return men.filter(lambda men: all(kind != chess.PAWN or 8 <= square < 56 for kind, square in men))

    return st.sampled_from([ending.kinds.tolist() for ending in ENDINGS.values()]).flatmap(build)


def expected(men: Men, move: chess.Move) -> tuple[int, int, dict[tuple[str, ...], int]]:
    legal: set[int] = set()
    bad: set[int] = set()
    words: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
    for king in possible(men):
        said = judge(men, king, move)
        if said is not None:
            legal.add(king)
            (bad if said.lost else words[said.words]).add(king)
    by_words = {name: board_of(frozenset(squares)) for name, squares in words.items() if squares}
    return board_of(frozenset(legal)), board_of(frozenset(bad)), by_words


@settings(deadline=None, max_examples=12)
@given(placements())
def test_tries_tell_what_python_chess_says(men: Men) -> None:
    kinds, squares = (np.array(column) for column in zip(*men, strict=True))
    found = np.zeros(MOST_MOVES, MOVE)
    kinds = kinds.astype(np.uint8)
    count = list_moves(kinds, squares, np.zeros(5, np.uint64), found)
    assert squares.tolist() == [square for _, square in men]
    assert kinds.tolist() == [kind for kind, _ in men]
    listed = {move_of(men, action_of(m)): m for m in found[:count]}
    for move in tries(men):
        legal, bad, by_words = expected(men, move)
        if not legal:
            assert move not in listed
            continue
        if move.promotion in (chess.KNIGHT, chess.BISHOP):
            continue
        record = listed.pop(move)
        heard = zip(record["checks"][: record["count"]], record["answers"], strict=False)
        said = {tuple(sorted(CHECKS[t] for t in range(5) if c >> t & 1)): int(board) for c, board in heard}
        assert (int(record["legal"]), int(record["bad"]), said) == (legal, bad, by_words)
    assert not listed


@settings(deadline=None)
@given(BOARDS, st.integers(0, SYMMETRIES - 1))
def test_symmetries_turn_boards_as_they_turn_squares(board: int, symmetry: int) -> None:
    image = int(turned(np.uint64(board), symmetry))
    squares = {turned_square(square, symmetry) for square in chess.SquareSet(board)}
    assert set(chess.SquareSet(image)) == squares
    assert int(turned(np.uint64(image), BACK[symmetry])) == board


@settings(deadline=None)
@given(BOARDS)
def test_steps_are_a_kings(board: int) -> None:
    expected = 0
    for square in chess.SquareSet(board):
        expected |= chess.BB_KING_ATTACKS[square]
    assert int(king_squares(np.uint64(board))) == expected


@pytest.mark.parametrize(("square", "rising"), [("b1", True), ("e1", False), ("g1", False), ("d4", True)])
def test_the_longer_diagonal(square: str, rising: bool) -> None:
    """b1–h7 is longer than b1–a2; e1–a5 than e1–h4; a1–h8 is the longest."""
    assert bool(int(LONG_RISING) >> chess.parse_square(square) & 1) is rising
