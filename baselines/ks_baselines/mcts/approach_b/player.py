"""Approach B of T10 §5.2 as a player."""

from collections.abc import Callable

import chess

from ks_baselines.mcts.approach_b.search import search_b
from ks_baselines.mcts.constants import APPROACH_B, Constants
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
from ks_env.belief.profile import Profile
from ks_env.core.ruleset import ICC
from ks_env.games.kriegspiel import opening
from ks_env.games.kriegspiel.game import Game

MOST_K = 50


class MctsBPlayer(TreePlayer):
    """Approach B (T10 §5.2). A node is an iteration: it makes one simulation.

    Args:
        name: as shown in results.
        constants: what it plays by.
        k: most own tries of a simulation.
        nodes: see `SearchPlayer`.
        seconds: see `SearchPlayer`.
        threads: see `SearchPlayer`.
        endings: see `TreePlayer`.
        profile: see `SearchPlayer`.
    """

    def __init__(
        self,
        name: str,
        constants: Constants,
        k: int,
        nodes: int,
        seconds: float | None,
        threads: int = 1,
        endings: bool = False,
        profile: Profile | None = None,
    ) -> None:
        super().__init__(name, constants, nodes, seconds, threads, endings, profile)
        self.k = k

    @property
    def compiling(self) -> tuple[str, Callable[[], object]]:
        """See `SearchPlayer`."""
        return "mcts-b", _play_a_little

    def grow(self, tree: Tree, nodes: int) -> int:
        """See `TreePlayer`."""
        return int(search_b(tree, nodes, self.k, self.record))


def _play_a_little() -> None:
    """Call every kernel once."""
    player = MctsBPlayer("mcts-b", APPROACH_B, 2, 50, None)
    player.start(opening(chess.WHITE))
    player.choose(Game(ICC).view(chess.WHITE))


def mcts_b_player(
    k: int = 1,
    nodes: int = NODES,
    seconds: float | None = None,
    threads: int = 1,
    c: float | None = None,
    endings: bool = False,
    profile: str | None = None,
) -> MctsBPlayer:
    """The player `mcts-b`: approach B of Ciancarini and Favini (2010), §5.2, at most k own tries deep.

    Its exploration constant is c. With `endings` it mates as Darkboard does, which is not in the paper.
    `profile` is a file that `ks profile` wrote of games of its opponent.

    Raises:
        ValueError: a parameter that makes no player.
    """
    check_budget("mcts-b", nodes, seconds)
    check_threads("mcts-b", threads)
    if type(k) is not int or not 1 <= k <= MOST_K:
        raise ValueError(f"player 'mcts-b': k is {k!r}; expected an integer from 1 to {MOST_K}")
    check_endings("mcts-b", endings)
    name = f"mcts-b:k={k}" + (",endings" if endings else "")
    constants, known = exploring("mcts-b", APPROACH_B, c), read_profile("mcts-b", profile)
    return MctsBPlayer(name, constants, k, nodes, seconds, threads, endings, known)
