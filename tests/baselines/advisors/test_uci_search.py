"""The strategic advisor by a UCI engine gives what our own would, on boards with and without moves."""

import chess
import numpy as np
from ks_baselines.advisors.uci import UciSearch

from ks_env.core.actions import move_to_action
from ks_env.core.layout import TRUTH
from ks_env.core.position import refresh
from ks_env.core.start import fill_truth


class Stub:
    """An engine to which every move is worth its number in the list, in centipawns."""

    def scores(self, board: chess.Board) -> dict[chess.Move, int]:
        return {move: 10 * i for i, move in enumerate(board.legal_moves)}


def search() -> UciSearch:
    made = UciSearch.__new__(UciSearch)
    made._engine = Stub()  # type: ignore[assignment]
    made.nodes = 0
    return made


def utilities(fen: str, *moves: str) -> list[float]:
    board = chess.Board(fen)
    truths = np.zeros(1, TRUTH)
    fill_truth(truths[0], board)
    refresh(truths[0])
    tries = np.array([move_to_action(chess.Move.from_uci(move), chess.WHITE) for move in moves], np.int16)
    return list(search()._on_board(truths[0], -1, tries))


def test_a_lost_turn_that_stalemates_is_a_draw() -> None:
    fen = "k7/p1K5/B7/7P/8/8/8/8 w - - 0 1"
    board = chess.Board(fen)
    values = {move.uci(): 10.0 * i for i, move in enumerate(board.legal_moves)}
    assert utilities(fen, "h5g6", "h5h6") == [0.0, values["h5h6"]]


def test_an_illegal_try_is_worth_the_best_move_and_a_lost_turn_what_the_other_side_makes_of_it() -> None:
    fen = "4k3/8/8/8/1b6/8/3N4/R3K3 w - - 0 1"  # the knight is pinned
    board = chess.Board(fen)
    best = 10.0 * (board.legal_moves.count() - 1)
    board.push(chess.Move.null())
    passing = -10.0 * (board.legal_moves.count() - 1)
    assert utilities(fen, "d2f3") == [best]
    blocked = "4k3/8/8/p7/8/8/P7/R3K3 w - - 0 1"
    board = chess.Board(blocked)
    board.push(chess.Move.null())
    passing = -10.0 * (board.legal_moves.count() - 1)
    assert utilities(blocked, "a2b3") == [passing]


def test_a_board_that_cannot_be_is_worth_nothing() -> None:
    truths = np.zeros(1, TRUTH)
    fill_truth(truths[0], chess.Board("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"))  # the king can be taken
    tries = np.array([move_to_action(chess.Move.from_uci("e1d1"), chess.WHITE)], np.int16)
    assert search()._on_board(truths[0], -1, tries).tolist() == [0.0]
