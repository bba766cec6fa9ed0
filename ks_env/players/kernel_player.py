"""The kernel players behind the `Player` protocol, for use outside the compiled environments."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ks_env.core.tries import MOST_TRIES
from ks_env.games import game_ids
from ks_env.games.opening import Opening
from ks_env.players.kernel import CAPTURE, RANDOM, choice_kernel


class KernelPlayer:
    """A kernel player, of every game.

    Attributes:
        kernel: its number, by which the compiled environments call it directly.
    """

    compiled = True
    games = game_ids()

    def __init__(self, name: str, kernel: int) -> None:
        self.name = name
        self.kernel = kernel
        self._rules: Any = None
        self._choose: Callable[..., int] | None = None
        self._random = np.zeros(1, np.uint64)
        self._scratch = np.zeros(MOST_TRIES, np.int16)

    def begin(self, opening: Opening) -> None:
        """A new game; only game, ruleset and seed matter."""
        self._choose = choice_kernel(opening.game.kernels)
        self._rules = opening.ruleset.record()[0]
        self._random[0] = np.random.SeedSequence(opening.seed).generate_state(1, np.uint64)[0]

    def choose(self, view: Any) -> int:
        """The next try.

        Raises:
            ValueError: no game has been begun.
        """
        if self._choose is None:
            raise ValueError("no game has been begun; call begin first")
        return int(self._choose(self.kernel, view, self._rules, self._random, 0, self._scratch))


def random_player() -> KernelPlayer:
    """The player `random`: draws evenly from the informed mask."""
    return KernelPlayer("random", RANDOM)


def capture_player() -> KernelPlayer:
    """The player `capture`: captures whenever it can, else moves at random."""
    return KernelPlayer("capture", CAPTURE)
