"""How many own men control each square: who can take back."""

import numpy as np

from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.tables import KING, PAWN, PAWN_ATTACKS


@kernel
def count_guards(known: np.void, out: np.ndarray) -> None:
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
