"""Start positions of dark chess: a FEN to a game row."""

from collections.abc import Sequence

import chess
import numpy as np

from ks_env.core.start import Array, Row, castling_rights, fill_truth, parse_fen
from ks_env.games.dark.board import DarkBoard
from ks_env.games.dark.judge import open_game
from ks_env.games.dark.layout import GAME


def _fill_view(view: Row, board: chess.Board, seat: int) -> None:
    """The position is public: a seat has seen all men once."""
    colour, mirror = seat == 0, 56 * seat
    view["seat"] = seat
    for square, piece in board.piece_map().items():
        here = np.uint64(1 << (square ^ mirror))
        if piece.color == colour:
            view["men"][square ^ mirror] = piece.piece_type
            view["kinds"][piece.piece_type] |= here
            view["own"] |= here
        else:
            view["recalled"][piece.piece_type] |= here
    view["rights"] = castling_rights(board) >> (2 * seat) & 3
    view["moves"] = board.fullmove_number
    view["fifty"] = board.halfmove_clock
    for field in ("lost", "took", "passed", "last"):
        view[field] = -1


def start_row(fen: str = chess.STARTING_FEN) -> Row:
    """The row of a new game, GAME[()], with its start announced.

    Raises:
        ValueError: see `ks_env.core.start.parse_fen`; kings may stand in attack.
    """
    board = parse_fen(fen, DarkBoard)
    row = np.zeros(1, GAME)
    fill_truth(row[0]["truth"], board)
    for seat in (0, 1):
        _fill_view(row[0]["views"][seat], board, seat)
    open_game(row[0])
    return row[0]


def start_rows(fens: Sequence[str]) -> Array:
    """Rows GAME[K] for a list of start positions, one of which is drawn for each game.

    Raises:
        ValueError: the list is empty, or a FEN is bad.
    """
    if not fens:
        raise ValueError("no start position given; expected at least one FEN")
    out = np.zeros(len(fens), GAME)
    for i, fen in enumerate(fens):
        out[i] = start_row(fen)
        out[i]["truth"]["start"] = i
        out[i]["views"]["start"] = i
    return out
