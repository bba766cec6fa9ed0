"""Start positions for random games, chosen so that rare announcements and every end occur."""

from __future__ import annotations

import random
from typing import Final

import chess

LISTED: Final = (
    # promotions and promotion captures
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/PPPPPPPP/8/2k5/8/2K5/pppppppp/8 w - - 0 1",
    "rnbqk1nr/PPP4P/8/8/8/8/ppp4p/RNBQK1NR w KQkq - 0 1",
    "8/2P1k3/8/8/8/8/4K1p1/8 w - - 40 60",
    "1n1nk3/2P5/8/8/8/8/6p1/4K2B b - - 0 1",
    # en passant
    "4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
    "4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 1",
    "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1",
    "1b2k3/p1p5/8/1P1P4/5K2/8/8/7R b - - 0 1",
    "r3k2r/p1pp1pp1/1b2q1b1/1P2P2P/1p2p2p/1B2Q1B1/P1PP1PP1/R3K2R w KQkq - 0 1",
    "8/8/8/1k1pP2R/8/8/P7/4K3 w - d6 0 1",
    "8/6k1/8/3pP3/8/2B5/P7/4K3 w - d6 0 1",
    "6k1/8/8/3pP3/2B5/8/P7/4K3 w - d6 0 1",
    "4k3/p7/8/8/K2Pp2r/8/8/8 b - d3 0 1",
    # castling
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    # checks, double checks, pins
    "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1",
    "q2nk1b1/8/8/1N1n4/3N1n2/8/8/R1BNK2Q w - - 0 1",
    "4k3/4r3/2p1n3/8/B6b/3N2P1/4R3/4K3 w - - 0 1",
    "2b1k3/3n4/2n1r3/8/8/4R1N1/4N3/2B1K2B b - - 0 1",
    "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1",
    "4k3/8/8/8/1B2N3/4R3/2N5/B3K3 w - - 0 1",
    "r2qk2r/8/2n1n3/b6b/B6B/2N1N3/8/R2QK2R w KQkq - 0 1",
    "4k3/2P2P2/8/8/8/b3n2b/4r3/6K1 b - - 0 1",
    "4k3/4r3/8/8/8/4n3/8/4K3 b - - 0 1",
    "4k2r/R6p/5P2/3B4/4N3/8/8/4RK2 w k - 0 1",
    "1k1r4/ppp5/8/8/8/1q6/5PPP/6K1 b - - 0 1",
    # few men: mates, stalemates, material, fifty moves, repetition
    "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
    "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
    "k7/2Q5/8/1K6/8/8/7p/8 w - - 0 1",
    "k7/8/1K6/8/8/8/8/1Q5R w - - 0 1",
    "8/8/8/8/4k3/8/8/KR6 w - - 70 90",
    "8/8/8/3k4/8/8/8/KBB5 w - - 90 90",
    "8/8/8/3k4/8/8/8/KBN5 b - - 60 90",
    "8/8/8/8/8/2k5/2p5/2K5 b - - 0 1",
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1",
    "K1k5/8/P7/8/8/8/8/8 w - - 0 1",
    "7k/7P/5K2/8/8/8/8/8 w - - 0 1",
    "k7/p1p5/P1P5/8/8/p1p5/P1P5/K7 w - - 0 1",
    "7k/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 20 30",
    "4k3/8/8/8/8/8/4n3/4K2B w - - 0 1",
    "b3k3/8/8/8/8/8/8/B3K2N w - - 0 1",
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
    "3k4/3P4/8/3K4/8/8/8/8 w - - 0 1",
)


def random_start(rng: random.Random) -> str:
    """A position from random play of up to 120 plies, its en passant square kept, its clock at times late."""
    board = chess.Board()
    for _ in range(rng.randrange(120)):
        moves = list(board.legal_moves)
        captures = [move for move in moves if board.is_capture(move)]
        board.push(rng.choice(captures if captures and rng.random() < 0.4 else moves))
        if not any(board.legal_moves) or board.is_insufficient_material():
            board.pop()
            break
    if rng.random() < 0.1:
        board.halfmove_clock = max(board.halfmove_clock, rng.randrange(100))
        board.ep_square = None
    return board.fen(en_passant="fen")


def draw_start(rng: random.Random, played: float = 0.3) -> str:
    """The usual start, a listed one, or one from random play, which takes the longest to draw.

    Args:
        rng: what is drawn from.
        played: share of those from random play.
    """
    kind = rng.random()
    if kind < 0.15:
        return chess.STARTING_FEN
    return rng.choice(LISTED) if kind < 1 - played else random_start(rng)
