"""The compiled move generator counts the leaves that others have published."""

from __future__ import annotations

import chess
import pytest

from tests.core.perft import perft
from tests.core.perft_positions import POSITIONS, PerftPosition

SMALL = 10_000  # leaves that python-chess counts in a moment


def leaves_of_python_chess(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += leaves_of_python_chess(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize("position", POSITIONS, ids=lambda p: p.name)
def test_published_counts(position: PerftPosition) -> None:
    assert {depth: perft(position.fen, depth) for depth in position.leaves} == position.leaves


@pytest.mark.parametrize("position", POSITIONS, ids=lambda p: p.name)
def test_positions_are_sound_and_shallow_counts_are_those_of_python_chess(position: PerftPosition) -> None:
    board = chess.Board(position.fen)
    assert board.is_valid()
    depth = 1
    while depth < position.deepest:
        leaves = leaves_of_python_chess(board, depth)
        assert perft(position.fen, depth) == leaves
        assert position.leaves.get(depth, leaves) == leaves
        if leaves > SMALL:
            break
        depth += 1
