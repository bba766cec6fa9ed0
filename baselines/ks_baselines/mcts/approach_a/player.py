"""Approach A of Ciancarini and Favini (2010, §5.1) as a player, and why it tries what it tries."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ks_baselines.darkboard.moves import end_of, start_of
from ks_baselines.explained import TryExplained
from ks_baselines.mcts.approach_a.constants import DEFAULT, Constants
from ks_baselines.mcts.approach_a.pool import Pool, board_weights, new_pool
from ks_baselines.mcts.approach_a.sampler import fill_pool
from ks_baselines.mcts.approach_a.search import Move, Tree, new_tree, open_node, search
from ks_baselines.mcts.explain import explain_root
from ks_baselines.mcts.player import MOVES_A_NODE, NODES, SearchPlayer, Settings, play_a_little, settings_of
from ks_baselines.mcts.threads import add_roots
from ks_env.core.position import is_legal
from ks_env.core.tables import ANY
from ks_env.core.tries import MOST_TRIES
from ks_env.games.kriegspiel.layout import View
from ks_env.games.opening import Opening


def share_legal(pool: Pool, move: int) -> float:
    """On what share of the pool's boards the move is legal."""
    boards = pool.boards[: pool.used[0]]
    return float(np.mean([bool(is_legal(board, start_of(move), end_of(move))) for board in boards]))


MOST_NODES = 200_000  # memory, where the budget is in seconds: 0.2 GB
FIRST_RATE = 40_000.0  # playouts a second, until the player has measured its own


class MctsAPlayer(SearchPlayer):
    """Approach A. A node is an iteration: it adds one move and plays one game to the end.

    See Ciancarini and Favini (2010, §5.1).

    Args:
        name: as shown in results.
        constants: what it plays by.
        settings: see `Settings`; each thread has a tree of its own, and all the same boards.
    """

    def __init__(self, name: str, constants: Constants, settings: Settings) -> None:
        super().__init__(name, settings)
        self._rate = FIRST_RATE
        self.constants = constants
        self.record = constants.record()[0]
        most = self.largest_tree(MOST_NODES, FIRST_RATE)
        self.pool = new_pool(int(constants.pool))
        streams = [self.pool.random, *(np.zeros(1, np.uint64) for _ in range(1, self.threads))]
        self.trees = [new_tree(most, MOST_TRIES + most * MOVES_A_NODE, stream) for stream in streams]

    @property
    def compiling(self) -> tuple[str, Callable[[], object]]:
        """See `SearchPlayer`."""
        return "mcts-a", lambda: play_a_little(MctsAPlayer("mcts-a", DEFAULT, Settings(nodes=300)))

    def start(self, opening: Opening) -> None:
        """See `CompiledPlayer`."""
        super().start(opening)
        self.pool.begun[:] = self.place[0]["known"]["most"]
        self.pool.begun[0] = self.place[0]["usual"]

    def think(self, view: View, n: int) -> int:
        """Search among the first n tries; the place of the most visited.

        If no board could be made, any try is as good as another, and one is drawn.
        """
        if n > 1 and self.tries[n - 1] == ANY:
            n -= 1
        if n == 1:
            return 0
        if self.draw_boards(view, n) == 0:
            return self.stream(view) % n
        self._prepare_root(view, n)
        self.spend(*(partial(self._grow, tree) for tree in self.trees))
        self.root = add_roots([tree.moves[:n] for tree in self.trees])
        return self.most_visited()

    def explain_entry(self, entry: Move) -> TryExplained:
        """See `SearchPlayer`."""
        parts = {"chance: legal": share_legal(self.pool, int(entry["move"]))}
        return explain_root(self.trees, entry, "visits", parts, 0.0)

    def _grow(self, tree: Tree, nodes: int) -> int:
        """Make so many iterations in a tree; how many were made."""
        return int(search(tree, self.pool, nodes, self.rules, self.record))

    def draw_boards(self, view: View, n: int) -> int:
        """Fill the pool for a decision among the first n tries, "any?" left out; how many boards it has."""
        pool, place = self.pool, self.place[0]
        pool.random[0] = self.stream(view)
        pool.tries[:] = self.tries
        pool.weights[:] = board_weights(view, bool(place["usual"]), self.constants.floor, self.profile)
        size = len(pool.boards) if self.seconds is not None else min(len(pool.boards), self.budget)
        return int(fill_pool(pool, size, place, view, self.rules, n, self.record))

    def _prepare_root(self, view: View, n: int) -> None:
        """Open the root of every tree with the first n tries."""
        self.pack_tries(view, n)
        for thread, tree in enumerate(self.trees):
            if thread > 0:
                tree.random[0] = self.stream(view, thread)
            tree.used[:] = 1, 0
            tree.tries[:n] = self.tries[:n]
            root = tree.nodes[0]
            root["move"], root["key"], root["next"] = -1, -1, -1
            open_node(tree, 0, view["men"], n)


def mcts_a_player(
    nodes: int = NODES, seconds: float | None = None, threads: int = 1, profile: str | None = None
) -> MctsAPlayer:
    """The player `mcts-a`: approach A of Ciancarini and Favini (2010), §5.1. A node is a game played out.

    `profile` is a file that `ks profile` wrote of games of its opponent.

    Raises:
        ValueError: a parameter that makes no player.
    """
    return MctsAPlayer("mcts-a", DEFAULT, settings_of("mcts-a", nodes, seconds, threads, profile))
