"""What approaches B and C share as players: trees over messages, grown from a turn's tries (T10, Fig. 3)."""

from abc import abstractmethod
from functools import partial

from ks_baselines.mcts.base import FIRST_RATE, SearchPlayer
from ks_baselines.mcts.constants import Constants
from ks_baselines.mcts.explain import TryExplained, explain_try
from ks_baselines.mcts.search import open_node
from ks_baselines.mcts.threads import add_roots
from ks_baselines.mcts.tree import Move, Tree, new_tree
from ks_env.belief.location.layout import PAWNS, PIECES
from ks_env.core.tables import ANY, KING
from ks_env.core.tries import MOST_TRIES
from ks_env.games.kriegspiel.layout import View

MOST_NODES = 200_000  # memory of a thread, where the budget is in seconds: 0.7 GB
MOVES_A_NODE = 40  # memory: moves for each node of the tree


class TreePlayer(SearchPlayer):
    """A player that grows trees, one a thread, and makes the try that was visited most in all of them.

    Args:
        name: as shown in results.
        constants: what it plays by.
        nodes: see `SearchPlayer`; a node is an iteration.
        seconds: see `SearchPlayer`.
        threads: see `SearchPlayer`.

    Attributes:
        trees: one a thread.
        tree: the first.
        trust: how many visits a move's first one counts for, see `add_roots`.
    """

    trust = 1.0

    def __init__(
        self, name: str, constants: Constants, nodes: int, seconds: float | None, threads: int = 1
    ) -> None:
        super().__init__(name, nodes, seconds, threads)
        self.constants = constants
        self.record = constants.record()[0]
        most = self.largest_tree(MOST_NODES, 4 * FIRST_RATE)
        self.trees = [new_tree(most, MOST_TRIES + most * MOVES_A_NODE) for _ in range(threads)]
        self.tree = self.trees[0]

    @abstractmethod
    def grow(self, tree: Tree, nodes: int) -> int:
        """Make so many iterations in a tree; how many were made."""

    def grow_all(self) -> None:
        """Spend the budget of a choice on the trees, each in a thread of its own."""
        self.spend(*(partial(self.grow, tree) for tree in self.trees))

    def lean(self, view: View, n: int) -> None:
        """Set the biases of the first tree's root, where the player has any."""

    def think(self, view: View, n: int) -> int:
        """Search among the first n tries; the place of the most visited."""
        if n > 1 and self.tries[n - 1] == ANY:
            n -= 1
        if n == 1:
            return 0
        self._prepare_root(view, n)
        self.lean(view, n)
        for tree in self.trees[1:]:
            _copy_biases(self.tree, tree)
        self.grow_all()
        self.root = add_roots([tree.moves[:n] for tree in self.trees], self.trust)
        return self.most_visited()

    def standing(self, entry: Move) -> tuple[int, float]:
        """See `SearchPlayer`."""
        return int(entry["visits"]), float(entry["value"] + entry["bias"])

    def explain_entry(self, entry: Move, most: int) -> TryExplained:
        """See `SearchPlayer`."""
        return explain_try(self.trees, entry, most)

    def _prepare_root(self, view: View, n: int) -> None:
        """Open the root of every tree with the first n tries."""
        packed = self.pack_tries(view, n)
        balance = self._balance()
        for thread, tree in enumerate(self.trees):
            tree.used[:] = 1, 0, -1, -1
            tree.random[0] = self.stream(view, thread)
            tree.list[:n] = packed
            root = tree.nodes[0]
            root["place"] = self.place[0]
            root["balance"] = balance
            root["move"], root["key"], root["next"], root["times"] = -1, -1, -1, 0
            open_node(tree, 0, n)

    def _balance(self) -> float:
        """Own men less the opponent's, by the constants' values."""
        place = self.place[0]
        own = sum(
            self.constants.own[kind] * int(place["known"]["own"][kind]).bit_count() for kind in range(1, KING)
        )
        left = place["left"]
        against = self.constants.enemy_pawn * left[PAWNS] + self.constants.enemy_piece * left[PIECES]
        return float(own - against)


def _copy_biases(source: Tree, target: Tree) -> None:
    """Give the moves of a root the biases of another tree's."""
    moves, others = (tree.moves[: tree.nodes[0]["count"]] for tree in (source, target))
    biases = dict(zip(moves["move"].tolist(), moves["bias"].tolist(), strict=True))
    others["bias"] = [biases[move] for move in others["move"].tolist()]
