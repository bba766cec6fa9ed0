"""Approach C of T10 §5.3 as a player."""

from collections.abc import Callable, Sequence
from math import exp

import chess
import numpy as np

from baselines.darkboard.evaluation import COMPONENTS
from baselines.darkboard.player import DarkboardPlayer, darkboard_player
from baselines.mcts.attack import attack
from baselines.mcts.base import check_budget
from baselines.mcts.constants import DEFAULT, LITERAL, Constants
from baselines.mcts.search import search
from baselines.mcts.threads import check_threads
from baselines.mcts.tree import Tree
from baselines.mcts.tree_player import NODES, TreePlayer
from ks_env.belief.location.layout import PAWNS, PIECES
from ks_env.belief.metaposition import METAPOSITION
from ks_env.core.game import Game
from ks_env.core.ruleset import ICC, Ruleset
from ks_env.core.tries import MOST_TRIES

LOSSES = COMPONENTS.index("expected losses")
ORDINARY = (0, 1, 3, 3, 5, 9, 0)  # pawns that a man is worth, by kind, to tell who is ahead
MEAN_PIECE = 31 / 7
LEAD_SCALE = 1.5  # pawns


class MctsPlayer(TreePlayer):
    """Approach C (T10 §5.3). A node is an iteration: it judges one move.

    Args:
        name: as shown in results.
        constants: what it plays by.
        nodes: see `SearchPlayer`.
        seconds: see `SearchPlayer`.
        threads: see `SearchPlayer`.
    """

    def __init__(
        self, name: str, constants: Constants, nodes: int, seconds: float | None, threads: int = 1
    ) -> None:
        super().__init__(name, constants, nodes, seconds, threads)
        self.trust = constants.trust
        self._later = np.zeros(1, METAPOSITION)
        self._control = np.zeros(7, np.uint64)
        self._attack = np.zeros((MOST_TRIES, 2), np.float32)
        self.adviser: DarkboardPlayer | None = darkboard_player(metapositions=1) if constants.beyond else None

    @property
    def compiling(self) -> tuple[str, Callable[[], object]]:
        """See `SearchPlayer`."""
        return "mcts-c", _play_a_little

    def _begin(self, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int) -> None:
        super()._begin(colour, ruleset, fens, seed)
        if self.adviser is not None:
            self.adviser._begin(colour, ruleset, fens, seed)

    def choose(self, view: np.void) -> int:
        """The next try; the default player leaves rules and kings that are to be chased to Darkboard."""
        if self.adviser is None:
            return super().choose(view)
        n = self.look(view)
        sure = self.adviser.choose_surely(view)
        return sure if sure is not None else int(self.tries[self.think(view, n)])

    def grow(self, tree: Tree, nodes: int) -> int:
        """See `TreePlayer`."""
        return int(search(tree, nodes, self.record))

    def lean(self, view: np.void, n: int) -> None:
        """See `TreePlayer`."""
        if self.adviser is not None:
            self._take_advice(view, n)

    def _take_advice(self, view: np.void, n: int) -> None:
        """Bias the root's moves by Darkboard's components and by what they do to the opponent's king.

        Material, losses and captures are among the components: two estimates of them, the maps' and
        Darkboard's, do better together than either.
        """
        assert self.adviser is not None
        work = self.adviser.work
        self.adviser.weigh(view)
        c = self.constants
        worth = work.parts[:n] @ np.array(c.parts) + c.loops * self.adviser._bias[:n]
        attack(self.place[0], self._later, work.moves[0], n, self._control, self._attack)
        worth += self._attack[:n] @ np.array([c.pressure, c.nearness])
        fear = self._fear(view)
        self.record["fear"] = c.fear * fear
        worth += (fear - 1) * work.parts[:n, LOSSES] * c.parts[LOSSES]
        entries = self.tree.moves[: self.tree.nodes[0]["count"]]
        moves = work.moves[0, :n]
        order = np.argsort(moves)
        entries["bias"] = worth[order[np.searchsorted(moves, entries["move"], sorter=order)]]

    def _fear(self, view: np.void) -> float:
        """How much of the fear of losses is left: less as the fifty-move clock runs, above all when ahead."""
        c, left = self.constants, self.place[0]["left"]
        own = sum(worth * int(view["kinds"][kind]).bit_count() for kind, worth in enumerate(ORDINARY))
        lead = own - float(left[PAWNS]) - MEAN_PIECE * float(left[PIECES])
        ahead = 1 / (1 + exp((c.lead - lead) / LEAD_SCALE))
        clock = min(1.0, float(view["fifty"]) / 100)
        return 1 - min(1.0, max(0.0, clock * (c.calm + (c.bold - c.calm) * ahead)))


def _play_a_little() -> None:
    """Call every kernel once."""
    for constants in (LITERAL, DEFAULT):
        player = MctsPlayer("mcts-c", constants, 50, None)
        player._begin(chess.WHITE, ICC, [chess.STARTING_FEN], 0)
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
