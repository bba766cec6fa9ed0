"""Terms of one seat in one game, outside of any environment."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

from ks_env.belief import inputs
from ks_env.belief.terms import Terms, Tries, make_terms
from ks_env.core.ruleset import Ruleset
from ks_env.core.tries import INFORMED
from ks_env.games.opening import Opening

PRESETS = ("raw", "darkboard", "full", "judged")


@cache
def preset(name: str) -> Terms:
    made = make_terms(name)
    assert made is not None
    return made


class SeatTries(inputs.SeatTries):
    """The same with a game begun, and fresh arrays from each call."""

    def __init__(self, terms: Terms, opening: Opening) -> None:
        super().__init__(terms)
        self.begin(opening)

    @property
    def memory(self) -> Any:
        return self._memory

    def tries(self, view: Any, ruleset: Ruleset, level: int = INFORMED) -> Tries:
        return deepcopy(self.describe(view, ruleset.record()[0], level))


def bytes_of(tries: Tries) -> tuple[bytes, ...]:
    return tuple(array.tobytes() for array in tries)
