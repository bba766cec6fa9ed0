"""Positions with published perft counts: (what it is heavy in, FEN, {depth: leaves}).

Sources: the Chess Programming Wiki's "Perft Results" (start to "middle game"), its "promotion" position, and
Martin Sedlak's positions for move generator bugs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import chess


class PerftPosition(NamedTuple):
    """A position and its published numbers of leaves by depth in plies."""

    name: str
    fen: str
    leaves: dict[int, int]

    @property
    def deepest(self) -> int:
        return max(self.leaves)


POSITIONS: Final = (
    PerftPosition("start", chess.STARTING_FEN, {1: 20, 2: 400, 3: 8_902, 4: 197_281, 5: 4_865_609}),
    PerftPosition(
        "kiwipete: castling, pins, en passant, promotion",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        {1: 48, 2: 2_039, 3: 97_862, 4: 4_085_603},
    ),
    PerftPosition(
        "en passant across a pin on the rank",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        {1: 14, 2: 191, 3: 2_812, 4: 43_238, 5: 674_624},
    ),
    PerftPosition(
        "promotion captures beside castling",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        {1: 6, 2: 264, 3: 9_467, 4: 422_333},
    ),
    PerftPosition(
        "promotion captures beside castling, colours reversed",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        {1: 6, 2: 264, 3: 9_467, 4: 422_333},
    ),
    PerftPosition(
        "promotion out of a fork",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        {1: 44, 2: 1_486, 3: 62_379, 4: 2_103_487},
    ),
    PerftPosition(
        "middle game",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        {1: 46, 2: 2_079, 3: 89_890, 4: 3_894_594},
    ),
    PerftPosition(
        "promotions of both sides",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        {1: 24, 2: 496, 3: 9_483, 4: 182_838, 5: 3_605_103},
    ),
    PerftPosition("illegal en passant on the rank", "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", {6: 1_134_888}),
    PerftPosition("illegal en passant on the diagonal", "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", {6: 824_064}),
    PerftPosition("en passant gives check", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", {6: 1_440_467}),
    PerftPosition("short castling gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", {6: 661_072}),
    PerftPosition("long castling gives check", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", {6: 803_711}),
    PerftPosition("castling rights", "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", {4: 1_274_206}),
    PerftPosition("castling prevented", "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", {4: 1_720_476}),
    PerftPosition("promotion out of check", "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", {6: 3_821_001}),
    PerftPosition("discovered check", "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", {5: 1_004_658}),
    PerftPosition("promotion to give check", "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", {6: 217_342}),
    PerftPosition("under-promotion to give check", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", {6: 92_683}),
    PerftPosition("self stalemate", "K1k5/8/P7/8/8/8/8/8 w - - 0 1", {6: 2_217}),
    PerftPosition("stalemate and mate", "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", {7: 567_584}),
    PerftPosition("double check", "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", {4: 23_527}),
)
