"""Approach B of Ciancarini and Favini (2010, §5.2) as a player."""

from collections.abc import Callable

from ks_baselines.mcts.approach_b.search import search_b, search_hybrid
from ks_baselines.mcts.constants import APPROACH_B, Constants
from ks_baselines.mcts.player import NODES, Settings, TreePlayer, exploring, play_a_little, settings_of
from ks_baselines.mcts.tree import Tree
from ks_baselines.parameters import check_switch, check_whole

MOST_K = 50


class MctsBPlayer(TreePlayer):
    """Approach B (Ciancarini and Favini 2010, §5.2). A node is an iteration: it makes one simulation.

    Args:
        name: as shown in results.
        constants: what it plays by.
        k: most own tries of a simulation.
        settings: see `Settings`.
        hybrid: take the weighted average of a simulation's first move, as approach C does (Ciancarini and
            Favini 2010, §7).
    """

    def __init__(
        self, name: str, constants: Constants, k: int, settings: Settings, hybrid: bool = False
    ) -> None:
        super().__init__(name, constants, settings)
        self.k = k
        self.hybrid = hybrid

    @property
    def compiling(self) -> tuple[str, Callable[[], object]]:
        """See `SearchPlayer`."""
        name, hybrid = ("mcts-b:hybrid" if self.hybrid else "mcts-b"), self.hybrid
        return name, lambda: play_a_little(MctsBPlayer(name, APPROACH_B, 2, Settings(nodes=50), hybrid))

    def grow(self, tree: Tree, nodes: int) -> int:
        """See `TreePlayer`."""
        search = search_hybrid if self.hybrid else search_b
        return int(search(tree, nodes, self.k, self.record))


def mcts_b_player(
    k: int = 1,
    nodes: int = NODES,
    seconds: float | None = None,
    threads: int = 1,
    c: float | None = None,
    endings: bool = False,
    profile: str | None = None,
    hybrid: bool = False,
) -> MctsBPlayer:
    """The player `mcts-b`: approach B of Ciancarini and Favini (2010), §5.2, at most k own tries deep.

    Its exploration constant is c. With `endings` it mates as Darkboard does, which is not in the paper.
    `profile` is a file that `ks profile` wrote of games of its opponent. With `hybrid` the first move of a
    simulation is weighed over all its messages, as in approach C (§7).

    Raises:
        ValueError: a parameter that makes no player.
    """
    settings = settings_of("mcts-b", nodes, seconds, threads, profile, endings)
    check_whole("mcts-b", "k", k, 1, MOST_K)
    check_switch("mcts-b", "hybrid", hybrid)
    name = f"mcts-b:k={k}" + (",hybrid" if hybrid else "") + (",endings" if endings else "")
    return MctsBPlayer(name, exploring("mcts-b", APPROACH_B, c), k, settings, hybrid)
