"""A location map brought up to date with what its seat has been told."""

import numpy as np

from ks_env.belief.location.layout import Location
from ks_env.belief.location.turns import hear, opponent_turn, own_move
from ks_env.belief.metaposition.follow import stamp_of
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import u2
from ks_env.games.kriegspiel.layout import View


@kernel
def follow_map(
    place: Location, view: View, rules: Rules, rates: np.ndarray, drifts: np.ndarray, scratch: np.ndarray
) -> bool:
    """Bring a location map up to date; doing so again with the same view changes nothing.

    Args:
        place: LOCATION, in place.
        view: VIEW of the same seat.
        rules: RULES record.
        rates: f4[3], how often the king, a pawn and a piece move, in relation to each other.
        drifts: f4[2, T, 3, 64], see `profile.Profile.drifts`.
        scratch: f4[4, 64], overwritten.

    Returns:
        False if the view is more than an own move and an answer ahead, or lies behind.
    """
    if view.over:
        return True
    known = place.known
    told = stamp_of(view)
    if told < known.stamp or told > known.stamp + 2:
        return False
    while known.stamp < told:
        if (known.stamp & 1) == view.seat:
            if told == known.stamp + 2 or not view.turn:
                own_move(place, view, rules, scratch)
        else:
            if not view.turn:
                return False
            opponent_turn(place, view, rules, rates, drifts, scratch)
            known.refusals = view.refusals
            known.asked = view.asked
        known.stamp += u2(1)
    if view.turn and (known.refusals != view.refusals or known.asked != view.asked):
        hear(place, view, rules, scratch)
        known.refusals = view.refusals
        known.asked = view.asked
    return True
