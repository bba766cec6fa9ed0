"""An `advantage-search` that tries things out and notes what it did."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from ks_baselines.mcts.advantage_search.advice import Advice
from ks_baselines.mcts.advantage_search.constants import DEFAULT
from ks_baselines.mcts.advantage_search.network import Network
from ks_baselines.mcts.advantage_search.player import AdvantageSearchPlayer
from ks_baselines.mcts.advantage_search.terms import STATE_TERMS, TRY_TERMS
from ks_baselines.mcts.player import Settings

from ks_env.core.tables import ANY
from ks_env.games.opening import Opening

Row = np.ndarray[Any, Any]
NOISE = 0.3  # share of tries that are drawn
TEMPERATURE = 0.3  # of the draw, on values

ROW = np.dtype(
    [
        ("state", "f4", (len(STATE_TERMS),)),
        ("terms", "f2", (len(TRY_TERMS),)),
        ("move", "i4"),  # packed
        ("turn", "i4"),  # own turns before
    ]
)
"""A try that was made, and accepted."""


class Explorer(AdvantageSearchPlayer):
    """The default player without its tree: it makes the try of greatest value, or at times draws one.

    Args:
        noise: share of tries that are drawn, by exp(value / TEMPERATURE).
        networks: what it has learnt.

    Attributes:
        row: ROW[1], its last choice; None if a rule made it.
    """

    advice: Advice

    def __init__(self, noise: float = NOISE, networks: Sequence[Network] = ()) -> None:
        super().__init__("explorer", DEFAULT, Settings(nodes=1), networks=networks)
        self.noise = noise
        self.row: Row | None = None
        self._luck = np.random.default_rng()

    def start(self, opening: Opening) -> None:
        """See `CompiledPlayer`."""
        super().start(opening)
        self._luck = np.random.default_rng([opening.seed, 1])

    def choose(self, view: Any) -> int:
        """The next try."""
        n = self.look(view)
        if n > 1 and self.tries[n - 1] == ANY:
            n -= 1
        self.row = None
        self._prepare_root(view, n)
        self.advice.describe(self.tree, view, n, self.record)
        sure = self.advice.adviser.choose_surely(view)
        if sure is not None:
            return sure
        return int(self.tries[self._explore(view, n)]) if n > 1 else int(self.tries[0])

    def _explore(self, view: Any, n: int) -> int:
        """The place of the try to make; notes it."""
        self.lean(view, n)
        values = self.advice.values[:n]
        if self._luck.random() < self.noise:
            values = values + np.float32(TEMPERATURE) * self._luck.gumbel(size=n).astype(np.float32)
        best = int(np.argmax(values))
        self.row = np.zeros(1, ROW)
        self.row["state"], self.row["terms"] = self.advice.state, self.advice.terms[best]
        self.row["move"] = self.advice.adviser.work.moves[0, best]
        return best
