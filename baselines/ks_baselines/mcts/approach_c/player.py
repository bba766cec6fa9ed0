"""Approach C of Ciancarini and Favini (2010, §5.3) as a player."""

from collections.abc import Callable

from ks_baselines.mcts.approach_c.search import search
from ks_baselines.mcts.constants import APPROACH_C
from ks_baselines.mcts.player import NODES, Settings, TreePlayer, exploring, play_a_little, settings_of
from ks_baselines.mcts.tree import Tree


class MctsCPlayer(TreePlayer):
    """Approach C (Ciancarini and Favini 2010, §5.3). A node is an iteration: it judges one move."""

    @property
    def compiling(self) -> tuple[str, Callable[[], object]]:
        """See `SearchPlayer`."""
        return "mcts-c", lambda: play_a_little(MctsCPlayer("mcts-c", APPROACH_C, Settings(nodes=50)))

    def grow(self, tree: Tree, nodes: int) -> int:
        """See `TreePlayer`."""
        return int(search(tree, nodes, self.record))


def mcts_c_player(
    nodes: int = NODES,
    seconds: float | None = None,
    threads: int = 1,
    c: float | None = None,
    endings: bool = False,
    profile: str | None = None,
) -> MctsCPlayer:
    """The player `mcts-c`: approach C of Ciancarini and Favini (2010), §5.3.

    Its exploration constant is c. With `endings` it mates as Darkboard does, which is not in the paper.
    `profile` is a file that `ks profile` wrote of games of its opponent.

    Raises:
        ValueError: a parameter that makes no player.
    """
    settings = settings_of("mcts-c", nodes, seconds, threads, profile, endings)
    name = "mcts-c:endings" if endings else "mcts-c"
    return MctsCPlayer(name, exploring("mcts-c", APPROACH_C, c), settings)
