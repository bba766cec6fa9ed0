"""Terms of one seat in one game, outside of any environment."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ks_env.belief.terms import Terms, Tries, filled, make_terms, room_for
from ks_env.core.ruleset import Ruleset
from ks_env.core.tries import INFORMED
from ks_env.games.opening import Opening

PRESETS = ("raw", "darkboard", "full")


@cache
def preset(name: str) -> Terms:
    made = make_terms(name)
    assert made is not None
    return made


class SeatTries:
    """What terms say to a seat, with the memory of its game."""

    def __init__(self, terms: Terms, opening: Opening) -> None:
        self.terms = terms
        self.memory = np.zeros(1, terms.memory)
        self.memory[0] = terms.begin(opening)

    def tries(self, view: Any, ruleset: Ruleset, level: int = INFORMED) -> Tries:
        views, room = np.zeros(1, view.dtype), room_for(self.terms, 1)
        views[0] = view
        self.terms.describe(views, self.memory, ruleset.record()[0], level, room)
        return filled(room)


def bytes_of(tries: Tries) -> tuple[bytes, ...]:
    return tuple(array.tobytes() for array in tries)
