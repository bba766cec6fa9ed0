"""Approach C of T10 §5.3 as a player."""

from collections.abc import Callable

import chess

from ks_baselines.mcts.approach_c.search import search
from ks_baselines.mcts.constants import APPROACH_C
from ks_baselines.mcts.player import (
    NODES,
    TreePlayer,
    check_budget,
    check_endings,
    check_threads,
    exploring,
    read_profile,
)
from ks_baselines.mcts.tree import Tree
from ks_env.core.ruleset import ICC
from ks_env.games.kriegspiel import opening
from ks_env.games.kriegspiel.game import Game


class MctsCPlayer(TreePlayer):
    """Approach C (T10 §5.3). A node is an iteration: it judges one move."""

    @property
    def compiling(self) -> tuple[str, Callable[[], object]]:
        """See `SearchPlayer`."""
        return "mcts-c", _play_a_little

    def grow(self, tree: Tree, nodes: int) -> int:
        """See `TreePlayer`."""
        return int(search(tree, nodes, self.record))


def _play_a_little() -> None:
    """Call every kernel once."""
    player = MctsCPlayer("mcts-c", APPROACH_C, 50, None)
    player.start(opening(chess.WHITE))
    player.choose(Game(ICC).view(chess.WHITE))


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
    check_budget("mcts-c", nodes, seconds)
    check_threads("mcts-c", threads)
    check_endings("mcts-c", endings)
    name = "mcts-c:endings" if endings else "mcts-c"
    constants, known = exploring("mcts-c", APPROACH_C, c), read_profile("mcts-c", profile)
    return MctsCPlayer(name, constants, nodes, seconds, threads, endings, known)
