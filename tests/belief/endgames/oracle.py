"""The same game of sets on python-chess, square by square, for the tests.

White has the men. A set of squares is a frozenset of python-chess squares of the bare king.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import chess

from ks_env.belief.endgames import Table
from ks_env.core.actions import action_to_move
from tests.oracle.position import check_word

Men = tuple[tuple[int, int], ...]  # (kind, square), the king first
Squares = frozenset[int]


class Said(NamedTuple):
    """What one try brings with the bare king on one square."""

    words: tuple[str, ...]  # check types announced
    lost: bool  # stalemate, the king may take a man, or a promotion cannot mate
    replies: Squares  # where the king goes; none after a mate


def position(men: Men, king: int) -> chess.Board:
    """White's men and the bare king, White to move."""
    board = chess.Board(None)
    for kind, square in men:
        board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
    board.set_piece_at(king, chess.Piece(chess.KING, chess.BLACK))
    return board


def possible(men: Men) -> Squares:
    """Where the bare king can stand with White to move."""
    taken = {square for _, square in men}
    return frozenset(k for k in chess.SQUARES if k not in taken and position(men, k).is_valid())


@functools.cache
def tries(men: Men) -> list[chess.Move]:
    """White's moves judged by its own men."""
    board = chess.Board(None)
    for kind, square in men:
        board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
    return list(board.pseudo_legal_moves)


@functools.lru_cache(1_000_000)
def judge(men: Men, king: int, move: chess.Move) -> Said | None:
    """What the try brings; None if it is illegal."""
    board = position(men, king)
    if board.piece_at(move.to_square) or move not in board.legal_moves:
        return None
    board.push(move)
    words = (check_word(king, s, board.piece_type_at(s) or 0) for s in board.checkers())
    replies = list(board.legal_moves)
    lost = board.is_stalemate() or any(board.is_capture(reply) for reply in replies)
    lost |= move.promotion in (chess.KNIGHT, chess.BISHOP)
    return Said(tuple(sorted(words)), lost, frozenset(reply.to_square for reply in replies))


def moved(men: Men, move: chess.Move) -> Men:
    """The men after a move."""
    after = (move.promotion, move.to_square)
    return tuple(
        (after[0] or kind, after[1]) if square == move.from_square else (kind, square) for kind, square in men
    )


def move_of(men: Men, action: int) -> chess.Move:
    """White's move of a try's number."""
    move = action_to_move(action, chess.WHITE)
    promotes = (chess.PAWN, move.from_square) in men and chess.square_rank(move.to_square) == 7
    return action_to_move(action, chess.WHITE, promotes)


def wins_next(men: Men, king_set: Squares, moves: int, table: Table) -> bool:
    """As `wins`, but what is won after the next accepted move is read from a table."""
    if not king_set:
        return True
    for move in tries(men):
        refused, by_words = answers(men, king_set, move)
        if len(refused) == len(king_set) or None in by_words.values():
            continue
        after = kinds_of(moved(men, move))
        depths = [table.moves(after, board_of(s)) if s else 0 for s in by_words.values() if s is not None]
        kept = all(depth is not None and depth < moves for depth in depths)
        if kept and wins_next(men, refused, moves, table):
            return True
    return False


def answers(
    men: Men, king_set: Squares, move: chess.Move
) -> tuple[Squares, dict[tuple[str, ...], Squares | None]]:
    """Squares from which the try is refused; the king's squares after its reply by announcement.

    None for an announcement after which the win may be lost.
    """
    refused: set[int] = set()
    by_words: dict[tuple[str, ...], Squares | None] = {}
    for king in king_set:
        said = judge(men, king, move)
        if said is None:
            refused.add(king)
            continue
        before = by_words.get(said.words, frozenset())
        by_words[said.words] = None if said.lost or before is None else before | said.replies
    return frozenset(refused), by_words


def wins(men: Men, king_set: Squares, moves: int) -> bool:
    """Whether mate within this many moves is certain, by the definition: all tries, in every order."""
    if not king_set:
        return True
    if moves == 0:
        return False
    for move in tries(men):
        refused, by_words = answers(men, king_set, move)
        if len(refused) == len(king_set) or None in by_words.values():
            continue
        after = moved(men, move)
        kept = all(wins(after, replies, moves - 1) for replies in by_words.values() if replies is not None)
        if kept and wins(men, refused, moves):
            return True
    return False


def board_of(squares: Squares) -> int:
    """The squares as bits."""
    return int(chess.SquareSet(squares))


def kinds_of(men: Men) -> list[int]:
    """Boards of the men by kind, as in a VIEW."""
    kinds = [0] * 7
    for kind, square in men:
        kinds[kind] |= 1 << square
    return kinds
