"""Quiet random starts, without which players that leave little to chance play the same games again."""

import chess
import numpy as np

MOST_DRAWS = 1000  # moves that are looked at for one start


def quiet_start(rng: np.random.Generator, fen: str, most: int) -> str:
    """A position some random quiet moves away: no captures, no checks.

    Args:
        rng: draws.
        fen: where the moves begin.
        most: half-moves; their number is drawn evenly from 0 to this one.

    Returns:
        Its FEN. Where quiet moves are hard to find there are fewer of them than were drawn.
    """
    board, plies = chess.Board(fen), int(rng.integers(most + 1))
    for _ in range(MOST_DRAWS):
        moves = list(board.legal_moves)
        if len(board.move_stack) >= plies or not moves:
            break
        move = moves[rng.integers(len(moves))]
        if not board.is_capture(move) and not board.gives_check(move):
            board.push(move)
    if board.move_stack and board.is_stalemate():
        board.pop()
    return board.fen()


def quiet_starts(rng: np.random.Generator, number: int, most: int) -> list[str]:
    """So many of them, from the initial position; some may be alike."""
    return [quiet_start(rng, chess.STARTING_FEN, most) for _ in range(number)]
