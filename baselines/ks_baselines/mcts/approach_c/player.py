"""Approach C of T10 §5.3 as a player."""

from collections.abc import Callable, Sequence

import chess

from ks_baselines.mcts.approach_c.advantage.network import Network
from ks_baselines.mcts.approach_c.advice import Advice
from ks_baselines.mcts.base import NODES, check_budget
from ks_baselines.mcts.constants import DEFAULT, LITERAL, Constants
from ks_baselines.mcts.search import search
from ks_baselines.mcts.threads import check_threads
from ks_baselines.mcts.tree import Tree
from ks_baselines.mcts.tree_player import TreePlayer
from ks_env.core.ruleset import ICC, Ruleset
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.layout import View


class MctsPlayer(TreePlayer):
    """Approach C (T10 §5.3). A node is an iteration: it judges one move.

    Args:
        name: as shown in results.
        constants: what it plays by.
        nodes: see `SearchPlayer`.
        seconds: see `SearchPlayer`.
        threads: see `SearchPlayer`.
        networks: see `Advice`.
    """

    def __init__(
        self,
        name: str,
        constants: Constants,
        nodes: int,
        seconds: float | None,
        threads: int = 1,
        networks: Sequence[Network] | None = None,
    ) -> None:
        super().__init__(name, constants, nodes, seconds, threads)
        self.trust = constants.trust
        self.advice = Advice(constants, networks) if constants.beyond else None

    @property
    def compiling(self) -> tuple[str, Callable[[], object]]:
        """See `SearchPlayer`."""
        return "mcts-c", _play_a_little

    def start(self, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int) -> None:
        """See `CompiledPlayer`."""
        super().start(colour, ruleset, fens, seed)
        if self.advice is not None:
            self.advice.begin(colour, ruleset, fens, seed)

    def choose(self, view: View) -> int:
        """The next try; the default player leaves rules and kings that are to be chased to Darkboard."""
        if self.advice is None:
            return super().choose(view)
        n = self.look(view)
        sure = self.advice.adviser.choose_surely(view)
        return sure if sure is not None else int(self.tries[self.think(view, n)])

    def grow(self, tree: Tree, nodes: int) -> int:
        """See `TreePlayer`."""
        return int(search(tree, nodes, self.record))

    def lean(self, view: View, n: int) -> None:
        """See `TreePlayer`."""
        if self.advice is not None:
            self.advice.lean(self.tree, view, n, self.record)


def _play_a_little() -> None:
    """Call every kernel once."""
    for constants in (LITERAL, DEFAULT):
        player = MctsPlayer("mcts-c", constants, 50, None)
        player.start(chess.WHITE, ICC, [chess.STARTING_FEN], 0)
        player.choose(Game(ICC).view(chess.WHITE))


def mcts_c_player(
    nodes: int = NODES, seconds: float | None = None, literal: bool = False, threads: int = 1
) -> MctsPlayer:
    """The player `mcts-c`: approach C of T10 §5.3; with `literal`, that and nothing else.

    Raises:
        ValueError: a parameter that makes no player.
    """
    check_budget("mcts-c", nodes, seconds)
    check_threads("mcts-c", threads)
    if not isinstance(literal, bool):
        raise ValueError(f"player 'mcts-c': literal is {literal!r}; expected True or False")
    name = "mcts-c:literal" if literal else "mcts-c"
    return MctsPlayer(name, LITERAL if literal else DEFAULT, nodes, seconds, threads)
