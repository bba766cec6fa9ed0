"""A plain minimax in Python: python-chess for the rules, the kernel's evaluation for the leaves."""

from __future__ import annotations

import random

import chess
import numpy as np
from ks_baselines.advisors.chess.board import BOARD, clear, put, refresh
from ks_baselines.advisors.chess.evaluation import evaluate
from ks_baselines.advisors.chess.moves import MOST_MOVES, end_of, promotion_of, start_of
from ks_baselines.advisors.chess.search import EVASIONS, MATE, new_scoring, score_moves
from ks_baselines.advisors.chess.values import structure

from ks_env.core.record import Array
from ks_env.core.start import castling_rights

MEMORY = new_scoring().search


def read_board(position: chess.Board) -> Array:
    """BOARD[1] of a python-chess board."""
    boards = np.zeros(1, BOARD)
    clear(boards[0])
    for square, piece in position.piece_map().items():
        put(boards[0], square, piece.piece_type | (0 if piece.color else 8))
    board = boards[0]
    board["pawns"] = structure(board)
    board["side"] = 0 if position.turn else 1
    board["rights"] = castling_rights(position)
    if position.ep_square is not None and position.has_pseudo_legal_en_passant():
        board["ep"] = position.ep_square
    refresh(board)
    return boards


def to_move(packed: int) -> chess.Move:
    return chess.Move(start_of(packed), end_of(packed), promotion_of(packed) or None)


def kernel_scores(board: chess.Board, depth: int) -> dict[chess.Move, int]:
    moves, scores = np.zeros(MOST_MOVES, np.int32), np.zeros(MOST_MOVES, np.int32)
    n = score_moves(read_board(board)[0], depth, MEMORY[0], moves, scores)
    found = {to_move(int(moves[i])): int(scores[i]) for i in range(n)}
    assert len(found) == n
    return found


def is_loud(board: chess.Board, move: chess.Move) -> bool:
    if move.promotion is not None:
        return move.promotion == chess.QUEEN
    return board.is_capture(move)


def quiesced(board: chess.Board, ply: int, level: int = 0) -> int:
    moves = list(board.legal_moves)
    if level < EVASIONS and board.is_check():
        best = ply - MATE
    else:
        own = board.occupied_co[board.turn] & ~(board.pawns | board.kings)
        if level == 0 and not own and not moves:
            return 0
        best = evaluate(read_board(board)[0])
        moves = [move for move in moves if is_loud(board, move)]
    for move in moves:
        board.push(move)
        best = max(best, -quiesced(board, ply + 1, level + 1))
        board.pop()
    return best


def minimax(board: chess.Board, depth: int, ply: int) -> int:
    if depth == 0:
        return quiesced(board, ply)
    best = None
    for move in board.legal_moves:
        board.push(move)
        value = -minimax(board, depth - 1, ply + 1)
        board.pop()
        best = value if best is None else max(best, value)
    if best is None:
        return ply - MATE if board.is_check() else 0
    return best


def oracle_scores(board: chess.Board, depth: int) -> dict[chess.Move, int]:
    scores = {}
    for move in list(board.legal_moves):
        board.push(move)
        scores[move] = -minimax(board, depth - 1, 1)
        board.pop()
    return scores


def random_endings(seed: int, count: int) -> list[chess.Board]:
    """Positions with the kings and four to six other men on random squares, playable and not over."""
    rng = random.Random(seed)
    found: list[chess.Board] = []
    kinds = [chess.PAWN, chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]
    while len(found) < count:
        board = chess.Board(None)
        men = [chess.Piece(chess.KING, colour) for colour in chess.COLORS]
        men += [chess.Piece(rng.choice(kinds), rng.random() < 0.5) for _ in range(rng.randint(4, 6))]
        for square, man in zip(rng.sample(range(64), len(men)), men, strict=True):
            board.set_piece_at(square, man)
        board.turn = rng.random() < 0.5
        if board.is_valid() and not board.is_game_over():
            found.append(board)
    return found


def random_positions(seed: int, plies: int) -> list[chess.Board]:
    """Every position of one random game, from the start."""
    rng, board, found = random.Random(seed), chess.Board(), []
    for _ in range(plies):
        if board.is_game_over():
            break
        found.append(board.copy(stack=False))
        board.push(rng.choice(list(board.legal_moves)))
    return found
