"""The move hide advisor: how much more uncertain a try makes the opponent of one's hidden men (I01 §6.2)."""

import numpy as np

from ks_baselines.advisors.shadow import (
    attacks,
    entropy_if_free,
    gathered_entropy,
    moved_kind,
    spread,
)
from ks_env.belief.joint.layout import Joint, Work
from ks_env.core.bits import bit, has, lowest
from ks_env.core.jit import kernel
from ks_env.core.record import i8
from ks_env.core.tables import KING, PAWN, TRY_FROM, TRY_TO
from ks_env.games.invisible.layout import NUMBERS, View
from ks_env.games.invisible.tries import placed_men

UNKNOWN = -2.0


@kernel
def _after_hidden(shadow: Joint, view: View, action: int, quiet: np.ndarray, work: Work) -> float:
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    kind, n = i8(view.men[start]), i8(view.ids[start])
    after = moved_kind(kind, action)
    theirs = view.theirs | placed_men(view)
    occupied = ((view.own | theirs) & ~bit(start)) | bit(end)
    check = attacks(after, end, occupied, lowest(view.their_kinds[KING]))
    takes = has(theirs, end) or (kind == PAWN and (start ^ end) & 7 != 0)  # a pawn's diagonal always does
    plain = not takes and after == kind
    if plain and quiet[n, int(check)] != UNKNOWN:
        return quiet[n, int(check)]
    spread(shadow, view, n, (kind, after), end if takes else -1, check, work)
    found = gathered_entropy(work)
    if plain:
        quiet[n, int(check)] = found
    return found


@kernel
def hidings(
    shadow: Joint,
    view: View,
    before: float,
    tries: np.ndarray,
    count: int,
    quiet: np.ndarray,
    work: Work,
    out: np.ndarray,
) -> None:
    """Fill `out: f8[count]` with the change of the shadow's entropy by each try if it is accepted, in bits.

    Args:
        shadow: brought up to date with the view.
        view: the seat's view.
        before: entropy of the shadow now.
        tries: i2[count].
        count: how many.
        quiet: f8[NUMBERS, 2], overwritten.
        work: for as many boards as the shadow has room for.
        out: f8[count].
    """
    for n in range(NUMBERS):
        quiet[n, 0] = UNKNOWN
        quiet[n, 1] = UNKNOWN
    for i in range(count):
        action = i8(tries[i])
        start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
        if view.ids[start] != 0:
            found = _after_hidden(shadow, view, action, quiet, work)
        else:
            found = entropy_if_free(shadow, start, end)
        out[i] = found - before if found >= 0.0 else 0.0
