"""The own-board mask is what some placement of the hidden men makes pseudo-legal: all are tried."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest

from tests.invisible_duel import InvisibleDuel, draw_try
from tests.oracle import actions
from tests.oracle.invisible_seat import Seat

SMALL = (
    ("none v g7", "4k3/6b1/8/8/2P5/8/4P3/R1B1K2R b KQ - 0 1"),
    ("none v d7", "4k3/3p4/8/4P1P1/8/8/8/4K3 b - - 0 1"),
    ("none v d7 b8", "1n2k3/3p4/8/P3P1P1/8/8/7r/4K3 b - - 0 1"),
    ("c1 h1 v none", "4k3/p2p4/8/8/4p3/8/4P3/2B1K2R w K - 0 1"),
    ("a7 v none", "4k3/P6p/8/8/8/8/1p6/R3K3 w Q - 0 1"),
)


def placements(seat: Seat) -> Iterator[dict[int, int]]:
    """By square, the kinds of the opponent's hidden men, in every way that the public bound allows."""
    numbers = sorted(seat.unseen)
    free = [s for s in range(64) if s not in seat.own and s not in seat.seen]
    for squares in itertools.product(free, repeat=len(numbers)):
        if len(set(squares)) == len(squares) and all(map(seat_allows(seat), numbers, squares)):
            yield dict(zip(squares, (seat.unseen[n] for n in numbers), strict=True))


def seat_allows(seat: Seat):  # type: ignore[no-untyped-def]
    """Whether hidden man n may stand there, said a second time."""

    def allows(number: int, square: int) -> bool:
        if number in seat.placed:
            return square == seat.placed[number]
        if seat.unseen[number] == chess.PAWN:
            return 1 <= chess.square_rank(square) <= 6
        if seat.unseen[number] == chess.BISHOP and number in seat.shade:
            return bool(chess.BB_DARK_SQUARES >> square & 1) == seat.shade[number]
        return True

    return allows


def by_brute_force(seat: Seat, turn: chess.Color) -> set[int]:
    """All tries that are pseudo-legal in some placement."""
    found: set[int] = set()
    base = chess.Board(None)
    base.turn = turn
    for square, (kind, _) in seat.own.items():
        base.set_piece_at(square, chess.Piece(kind, turn))
    for square, kind in seat.seen.items():
        base.set_piece_at(square, chess.Piece(kind, not turn))
    for placed in placements(seat):
        board = base.copy(stack=False)
        for square, kind in placed.items():
            board.set_piece_at(square, chess.Piece(kind, not turn))
        for passed in _passed(seat, board, placed):
            board.ep_square = passed
            found |= {actions.number_of(move, turn) for move in board.generate_pseudo_legal_moves()}
        found |= _castling(seat, board)
    return found


def _passed(seat: Seat, board: chess.Board, placed: dict[int, int]) -> Iterator[int | None]:
    yield seat.passed
    if seat.turn != "hidden" or seat.unseen.get(seat.mover) != chess.PAWN or seat.lost is not None:
        return
    row, ahead = (4, 8) if seat.colour else (3, -8)
    for square, kind in placed.items():
        beyond = (square + ahead, square + 2 * ahead)
        if kind == chess.PAWN and square // 8 == row and not any(board.piece_at(s) for s in beyond):
            yield square + ahead


def _castling(seat: Seat, board: chess.Board) -> set[int]:
    """Whether attacked or not: whether a move is pseudo-legal does not depend on it."""
    home = chess.E1 if seat.colour else chess.E8
    ends = {
        c: home + (2 if c > home else -2) for c in seat.rights if not chess.between(home, c) & board.occupied
    }
    return {actions.number_of(chess.Move(home, end), seat.colour) for end in ends.values()}


@pytest.mark.parametrize(("hidden", "fen"), SMALL)
def test_own_board_by_brute_force(hidden: str, fen: str) -> None:
    rng = random.Random(fen)
    duel = InvisibleDuel(hidden, fen)
    decisions = 0
    for _ in range(40):
        turn = duel.ours.to_play
        if turn is None or decisions == 6:
            break
        seat = duel.oracle.seats[turn]
        if seat.unseen:
            decisions += 1
            own = set(np.flatnonzero(duel.ours.mask(turn, "own-board")).tolist())
            assert own == by_brute_force(seat, turn)
        duel.ask(draw_try(rng, duel))
        duel.compare()
    assert decisions >= 3
