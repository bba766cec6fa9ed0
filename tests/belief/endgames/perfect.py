"""King and pawn against king as chess, where all is seen: which positions are won, by retrograde analysis.

Written with python-chess's tables of attacks alone. Arrays are [king, pawn, bare king], White has the pawn.
"""

from __future__ import annotations

import functools
from typing import Any

import chess
import numpy as np

Wins = np.ndarray[Any, np.dtype[np.bool_]]

KINGS: Wins = np.array([[bool(chess.BB_KING_ATTACKS[a] >> b & 1) for b in range(64)] for a in range(64)])
PAWNS = [square for square in chess.SQUARES if 0 < chess.square_rank(square) < 7]


def promotes_and_wins(king: int, end: int, bare: int) -> bool:
    """Whether a queen or a rook on `end` is neither taken nor stalemate: then it wins."""
    for kind in (chess.QUEEN, chess.ROOK):
        board = chess.Board(None)
        board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(end, chess.Piece(kind, chess.WHITE))
        board.set_piece_at(bare, chess.Piece(chess.KING, chess.BLACK))
        board.turn = chess.BLACK
        if not board.is_stalemate() and not any(board.is_capture(move) for move in board.legal_moves):
            return True
    return False


def possible() -> tuple[Wins, Wins]:
    """Positions that can be, with White to move and with Black to move."""
    after = np.zeros((64, 64, 64), np.bool_)
    for pawn in PAWNS:
        after[:, pawn] = ~KINGS & ~np.eye(64, dtype=np.bool_)
        after[pawn, pawn, :] = after[:, pawn, pawn] = False
    before = after.copy()
    for pawn in PAWNS:
        before[:, pawn, list(chess.SquareSet(chess.BB_PAWN_ATTACKS[chess.WHITE][pawn]))] = False
    return before, after


def promotions(before: Wins) -> Wins:
    """White to move: won by a promotion."""
    won = np.zeros_like(before)
    for king, pawn, bare in np.argwhere(before[:, 48:56]).tolist():
        end = pawn + 56
        if end not in (king, bare):
            won[king, pawn + 48, bare] = promotes_and_wins(king, end, bare)
    return won


def white_wins(before: Wins, lost: Wins, won: Wins) -> Wins:
    """White to move: a move leads to a lost position, or it was won before."""
    won = won.copy()
    for king in chess.SQUARES:
        for step in np.flatnonzero(KINGS[king]):
            won[king] |= lost[step]
    for pawn in (p for p in PAWNS if p < 48):
        won[:, pawn] |= lost[:, pawn + 8]
        if pawn < 16:
            free = np.ones((64, 64), np.bool_)
            free[pawn + 8, :] = free[:, pawn + 8] = False
            won[:, pawn] |= lost[:, pawn + 16] & free
    return won & before


def black_loses(before: Wins, after: Wins, won: Wins) -> Wins:
    """Black to move: it can move, every move leads to a won position, and it cannot take the pawn."""
    escapes, moves = np.zeros_like(after), np.zeros_like(after)
    for bare in chess.SQUARES:
        for step in np.flatnonzero(KINGS[bare]):
            moves[:, :, bare] |= before[:, :, step]
            escapes[:, :, bare] |= before[:, :, step] & ~won[:, :, step]
    for pawn in PAWNS:
        escapes[:, pawn] |= KINGS[pawn][None, :] & ~KINGS[pawn][:, None]
    return after & moves & ~escapes


@functools.cache
def white_to_move() -> tuple[Wins, Wins]:
    """Positions that can be with White to move, and those of them that are won."""
    before, after = possible()
    won = promotions(before)
    while True:
        more = white_wins(before, black_loses(before, after, won), won)
        if np.array_equal(more, won):
            return before, won
        won = more
