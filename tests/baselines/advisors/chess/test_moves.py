"""Moves of the search's board against python-chess."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from ks_baselines.advisors.chess.board import (
    BOARD,
    from_truth,
    in_check,
    pass_turn,
    play,
    refresh,
)
from ks_baselines.advisors.chess.moves import (
    MOST_MOVES,
    end_of,
    generate,
    generate_captures,
    promotion_of,
    start_of,
)

from ks_env.core.jit import kernel
from ks_env.core.record import i8
from ks_env.games.kriegspiel.start import start_row
from tests.baselines.advisors.chess.oracle import is_loud, random_positions, read_board, to_move
from tests.core.perft_positions import POSITIONS, PerftPosition

MOST_LEAVES = 500_000


@kernel
def count_leaves(boards: np.ndarray, moves: np.ndarray, at: np.ndarray, depth: int) -> int:
    """Legal move sequences of `depth` plies from `boards[0]`; `at[ply]` counts moves made and moves there."""
    leaves = 0
    ply = 0
    at[0, 0], at[0, 1] = 0, generate(boards[0], moves[0])
    while ply >= 0:
        if at[ply, 0] == at[ply, 1]:
            ply -= 1
            continue
        move = i8(moves[ply, at[ply, 0]])
        at[ply, 0] += 1
        if ply == depth - 1:
            leaves += 1
            continue
        boards[ply + 1] = boards[ply]
        play(boards[ply + 1], start_of(move), end_of(move), promotion_of(move))
        refresh(boards[ply + 1])
        ply += 1
        at[ply, 0], at[ply, 1] = 0, generate(boards[ply], moves[ply])
    return leaves


@pytest.mark.parametrize("position", POSITIONS, ids=lambda p: p.name)
def test_perft(position: PerftPosition) -> None:
    boards, moves = np.zeros(6, BOARD), np.zeros((6, MOST_MOVES), np.int32)
    at = np.zeros((6, 2), np.int64)
    for depth, leaves in position.leaves.items():
        if leaves <= MOST_LEAVES and depth <= 5:
            boards[0] = read_board(chess.Board(position.fen))[0]
            assert count_leaves(boards, moves, at, depth) == leaves


def legal(board: chess.Board, loud: bool = False) -> set[chess.Move]:
    record, moves = read_board(board)[0], np.zeros(MOST_MOVES, np.int32)
    n = (generate_captures if loud else generate)(record, moves)
    found = [to_move(int(move)) for move in moves[:n]]
    assert len(found) == len(set(found))
    return set(found)


@pytest.mark.parametrize("seed", range(6))
def test_moves_and_boards_of_random_games(seed: int) -> None:
    for board in random_positions(seed, 160):
        moves = set(board.legal_moves)
        assert legal(board) == moves
        assert legal(board, loud=True) == {move for move in moves if is_loud(board, move)}
        record = read_board(board)
        assert in_check(record[0], 0 if board.turn else 1) == board.is_check()
        for move in moves:
            after, expected = record.copy(), board.copy(stack=False)
            play(after[0], move.from_square, move.to_square, move.promotion or 0)
            refresh(after[0])
            expected.push(move)
            assert after[0] == read_board(expected)[0], (board.fen(), move)


def test_a_truth_record_and_a_lost_turn() -> None:
    fen = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w Kq f6 0 3"
    board = np.zeros(1, BOARD)
    from_truth(start_row(fen)["truth"], board[0])
    assert board[0] == read_board(chess.Board(fen))[0]
    pass_turn(board[0])
    refresh(board[0])
    assert board[0] == read_board(chess.Board(fen.replace(" w ", " b ").replace("f6", "-")))[0]
