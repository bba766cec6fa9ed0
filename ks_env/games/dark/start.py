"""Start positions of dark chess: a FEN to a game row."""

from collections.abc import Sequence

import chess
import numpy as np

from ks_env.core.record import Array
from ks_env.core.start import Row, fill_own, fill_truth, numbered, parse_fen
from ks_env.games.dark.board import DarkBoard
from ks_env.games.dark.judge import open_game
from ks_env.games.dark.layout import GAME


def _fill_view(view: Row, board: chess.Board, seat: int) -> None:
    """The position is public: a seat has seen all men once."""
    fill_own(view, board, seat, ("lost", "took", "passed", "last"))
    for square in chess.SquareSet(board.occupied_co[seat == 1]):
        view["recalled"][board.piece_type_at(square)] |= np.uint64(1 << (square ^ (56 * seat)))


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
    return numbered([start_row(fen) for fen in fens])
