"""A search over messages with learnt advantages of tries, as a player."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ks_baselines.mcts.advantage_search.advice import Advice
from ks_baselines.mcts.advantage_search.constants import DEFAULT, AdvantageConstants
from ks_baselines.mcts.advantage_search.network import Network
from ks_baselines.mcts.advantage_search.search import search
from ks_baselines.mcts.player import NODES, Settings, TreePlayer, play_a_little, settings_of
from ks_baselines.mcts.tree import Tree
from ks_env.belief.location.layout import NO_DRIFT, RATES
from ks_env.games.kriegspiel.layout import View


class AdvantageSearchPlayer(TreePlayer):
    """The player `advantage-search`. A node is an iteration: it judges one move.

    Args:
        name: as shown in results.
        constants: what it plays by.
        settings: see `Settings`.
        networks: see `Advice`.
    """

    def __init__(
        self,
        name: str,
        constants: AdvantageConstants,
        settings: Settings,
        networks: Sequence[Network] | None = None,
    ) -> None:
        super().__init__(name, constants, settings)
        self.advice = Advice(constants, networks)
        self.adviser = self.advice.adviser

    rates = RATES

    def drifts(self) -> npt.NDArray[np.float32]:
        """See `TreePlayer`; here men do not drift."""
        return NO_DRIFT

    @property
    def compiling(self) -> tuple[str, Callable[[], object]]:
        """See `SearchPlayer`."""
        return "advantage-search", lambda: play_a_little(
            AdvantageSearchPlayer("advantage-search", DEFAULT, Settings(nodes=50))
        )

    def grow(self, tree: Tree, nodes: int) -> int:
        """See `TreePlayer`."""
        return int(search(tree, nodes, self.record))

    def lean(self, view: View, n: int) -> None:
        """See `TreePlayer`."""
        self.advice.lean(self.trees, view, n, self.record)


def advantage_search_player(
    nodes: int = NODES, seconds: float | None = None, threads: int = 1
) -> AdvantageSearchPlayer:
    """The player `advantage-search`: a search over messages with learnt advantages of tries at the root.

    Raises:
        ValueError: a parameter that makes no player.
    """
    settings = settings_of("advantage-search", nodes, seconds, threads)
    return AdvantageSearchPlayer("advantage-search", DEFAULT, settings)
