"""Perft: the number of legal move sequences, the usual test of a move generator."""

import numpy as np

from ks_env.core.bits import ZERO, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import TRUTH
from ks_env.core.position import legal_targets, play, refresh
from ks_env.core.record import i8
from ks_env.core.start import fill_truth, parse_fen
from ks_env.core.tables import BISHOP, KNIGHT, PAWN, RANK_1, RANK_8, ROOK


@kernel
def _count(stack: np.ndarray, depth: int) -> int:
    """Leaves below `stack[depth]`, which has `depth` plies to go."""
    truth = stack[depth]
    side = i8(truth.side)
    last = RANK_8 if side == 0 else RANK_1
    men = truth.seats[side]
    total = 0
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        targets = legal_targets(truth, start)
        promotes = has(truth.kinds[PAWN], start)
        if depth == 1:
            total += popcount(targets)
            if promotes:
                total += 3 * popcount(targets & last)
            continue
        while targets != ZERO:
            end = lowest(targets)
            targets = without_lowest(targets)
            kinds = 4 if promotes and has(last, end) else 1
            for choice in range(kinds):
                under = 0
                if choice == 1:
                    under = KNIGHT
                elif choice == 2:
                    under = BISHOP
                elif choice == 3:
                    under = ROOK
                stack[depth - 1] = truth
                play(stack[depth - 1], start, end, under)
                refresh(stack[depth - 1])
                total += _count(stack, depth - 1)
    return total


def perft(fen: str, depth: int) -> int:
    """Number of legal move sequences of `depth` half-moves from the position."""
    if depth < 1:
        return 1
    stack = np.zeros(depth + 1, TRUTH)
    fill_truth(stack[depth], parse_fen(fen))
    refresh(stack[depth])
    return int(_count(stack, depth))
