"""Start positions: FEN to a game row."""

import chess
import numpy as np

from ks_env.core.layout import AGE_MAX
from ks_env.core.record import Array
from ks_env.core.ruleset import ICC, Ruleset, check_ruleset
from ks_env.core.start import Row, fill_own, fill_truth, numbered, parse_fen
from ks_env.games.kriegspiel.judge import open_game
from ks_env.games.kriegspiel.layout import GAME


def _fill_view(view: Row, board: chess.Board, seat: int, hidden: bool) -> None:
    fill_own(view, board, seat, ("lost", "took", "passed", "last", "enemy", "stepped", "tries", "left"))
    view["start"] = -1 if hidden else 0
    if hidden:
        view["age"] = np.where(view["men"] == 0, AGE_MAX, 0)
    own_step = board.turn != (seat == 0)  # one's own double step is known, hidden start or not
    if board.ep_square is not None and own_step:
        view["stepped"] = (board.ep_square ^ (56 * seat)) + 8


def start_row(fen: str = chess.STARTING_FEN, rules: Ruleset = ICC, *, hidden: bool = False) -> Row:
    """The row of a new game, GAME[()] as a 0-d structured array, with its start announced.

    Args:
        rules: what is announced of it.
        hidden: the seats know their own men only; the position is not public.

    Raises:
        ValueError: see `parse_fen`.
    """
    check_ruleset(rules)
    board = parse_fen(fen)
    row = np.zeros(1, GAME)
    fill_truth(row[0]["truth"], board)
    for seat in (0, 1):
        _fill_view(row[0]["views"][seat], board, seat, hidden)
    open_game(row[0], rules.record()[0])
    if row[0]["truth"]["ep"] >= 0:  # a legal en passant capture counts toward the identity of a position
        assert row[0]["truth"]["ep"] == board.ep_square
    return row[0]


def start_rows(fens: list[str], rules: Ruleset = ICC, *, hidden: bool = False) -> Array:
    """Rows GAME[K] for a list of start positions, one of which is drawn for each game.

    With `hidden`, the list is the declared set of placements, so nothing public may tell its entries apart
    but the own men: side to move, half-move clock and move number must agree.

    Raises:
        ValueError: the list is empty, a FEN is bad, or hidden starts disagree.
    """
    if hidden and len({tuple(fen.split()[1:2] + fen.split()[4:]) for fen in fens}) > 1:
        raise ValueError("hidden start positions must agree in side to move, half-move clock and move number")
    return numbered([start_row(fen, rules, hidden=hidden) for fen in fens], hidden=hidden)
