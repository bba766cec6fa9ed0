"""How many own men control a square: who can take back."""

import numpy as np

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.attacks import bishop_attacks, man_attacks, rook_attacks
from ks_env.core.bits import ZERO, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.tables import (
    BISHOP,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    PAWN_ATTACKS,
    ROOK,
)


@kernel
def count_guards(known: Metaposition, out: np.ndarray) -> None:
    """Own men that control each square, into `out: i8[64]`; slides end at own and at certain men."""
    for square in range(64):
        out[square] = 0
    occupied = ~known.ghosts[0]
    for kind in range(PAWN, KING + 1):
        men = known.own[kind]
        while men != ZERO:
            man = lowest(men)
            men = without_lowest(men)
            seen = PAWN_ATTACKS[0, man] if kind == PAWN else man_attacks(kind, man, occupied)
            while seen != ZERO:
                out[lowest(seen)] += 1
                seen = without_lowest(seen)


@kernel
def guards_by(known: Metaposition, square: int, kind: int) -> np.uint64:
    """Own men of a kind that control one square, as `count_guards` counts them."""
    men = known.own[kind]
    if kind == PAWN:
        return men & PAWN_ATTACKS[1, square]
    if kind == KNIGHT:
        return men & KNIGHT_MOVES[square]
    if kind == KING:
        return men & KING_MOVES[square]
    occupied, seen = ~known.ghosts[0], ZERO
    if kind != ROOK and men != ZERO:
        seen |= bishop_attacks(square, occupied)
    if kind != BISHOP and men != ZERO:
        seen |= rook_attacks(square, occupied)
    return men & seen


@kernel
def guards_of(known: Metaposition, square: int) -> int:
    """How many own men control one square."""
    number = 0
    for kind in range(PAWN, KING + 1):
        number += popcount(guards_by(known, square, kind))
    return number
