"""The kernel players behind the `Player` protocol, for use outside the compiled environments."""

import numpy as np

from ks_env.core.layout import SeatView
from ks_env.core.ruleset import ICC, Ruleset
from ks_env.core.tries import MOST_TRIES
from ks_env.games.invisible.announcement import Announcement as InvisibleAnnouncement
from ks_env.games.invisible.layout import View
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.players.kernel import CAPTURE, RANDOM, choose


class KernelPlayer:
    """A kernel player of one game, Kriegspiel or invisible chess: a `Player` and an `InvisiblePlayer`.

    Attributes:
        kernel: its number, by which the compiled environments call it directly.
    """

    compiled = True

    def __init__(self, name: str, kernel: int) -> None:
        self.name = name
        self.kernel = kernel
        self._rules = ICC.record()
        self._random = np.zeros(1, np.uint64)
        self._scratch = np.zeros(MOST_TRIES, np.int16)

    def begin(self, colour: bool, ruleset: Ruleset, start_fen: str | None, seed: int) -> None:
        """A new game; only the ruleset and the seed matter."""
        self._rules = ruleset.record()
        self._random[0] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def begin_invisible(self, colour: bool, ruleset: Ruleset, start: View, seed: int) -> None:
        """A new game of invisible chess; only the ruleset and the seed matter."""
        self.begin(colour, ruleset, None, seed)

    def choose(self, view: SeatView) -> int:
        """The next try."""
        return int(choose(self.kernel, view, self._rules[0], self._random, 0, self._scratch))

    def hear(self, announcement: Announcement | InvisibleAnnouncement) -> None:
        """All it needs is in the view."""


def random_player() -> KernelPlayer:
    """The player `random`."""
    return KernelPlayer("random", RANDOM)


def capture_player() -> KernelPlayer:
    """The player `capture`."""
    return KernelPlayer("capture", CAPTURE)
