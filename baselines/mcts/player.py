"""The MCTS players of T10 §5, for one game at a time."""

import time
from collections.abc import Sequence

import chess
import numpy as np

from baselines.darkboard.constants import LITERAL as DARKBOARD
from baselines.darkboard.evaluation import COMPONENTS
from baselines.darkboard.hard_rules import NO_RULE, answer_first
from baselines.darkboard.moves import pack
from baselines.darkboard.player import DarkboardPlayer, darkboard_player
from baselines.mcts.constants import DEFAULT, LITERAL, Constants
from baselines.mcts.explain import Explanation, explain_try
from baselines.mcts.search import open_node, search
from baselines.mcts.tree import new_tree
from ks_env.belief.location import LOCATION, follow_map, open_map
from ks_env.belief.location.layout import PAWNS, PIECES
from ks_env.belief.location.model import RATES
from ks_env.belief.profile import shipped_drifts
from ks_env.core.announcement import Announcement
from ks_env.core.game import Game
from ks_env.core.jit import compile_once
from ks_env.core.ruleset import ICC, Ruleset
from ks_env.core.tables import ANY, KING, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.core.tries import INFORMED, MOST_TRIES, list_tries

NODES = 2_000
MOST_NODES = 200_000  # memory, where the budget is in seconds: 0.7 GB
MOVES_A_NODE = 40  # memory: moves for each node of the tree
FIRST_RATE = 100_000.0  # iterations a second, until the player has measured its own
COUNTED = ("material", "opponent's men", "expected losses", "expected capture")  # by the search itself
OTHERS = np.array([name not in COUNTED for name in COMPONENTS])


class MctsPlayer:
    """Approach C (T10 §5.3).

    Args:
        name: as shown in results.
        constants: what it plays by.
        nodes: budget of a choice, in nodes of the tree: iterations, each of which judges one move.
        seconds: budget of a choice in seconds, in the place of the other; games are not repeatable then.

    Attributes:
        nodes: iterations since `begin`.
    """

    compiled = True

    def __init__(self, name: str, constants: Constants, nodes: int, seconds: float | None) -> None:
        self.name = name
        self.constants = constants
        self.budget = nodes
        self.seconds = seconds
        self.nodes = 0
        most = nodes if seconds is None else min(MOST_NODES, max(NODES, int(seconds * 4 * FIRST_RATE)))
        self.tree = new_tree(most + 2, (most + 2) * MOVES_A_NODE)
        self.record = constants.record()[0]
        self.hard_rules = DARKBOARD.record()[0]
        self.rules = ICC.record()[0]
        self.place = np.zeros(1, LOCATION)
        self.tries = np.zeros(MOST_TRIES, np.int16)
        self._scratch = np.zeros((4, 64), np.float32)
        self._seed = 0
        self._rate = FIRST_RATE
        self.adviser: DarkboardPlayer | None = darkboard_player(metapositions=1) if constants.beyond else None

    def begin(self, colour: bool, ruleset: Ruleset, start_fen: str | None, seed: int) -> None:
        """A new game; the seed fixes all that is drawn.

        Raises:
            ValueError: the start is hidden, and no placements are given (`begin_hidden`).
        """
        if start_fen is None:
            raise ValueError(
                f"player {self.name!r} cannot begin without a position; expected a start FEN, or the"
                " placements of a hidden start"
            )
        self.begin_hidden(colour, ruleset, [start_fen], seed)

    def begin_hidden(self, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int) -> None:
        """A new game from one of several positions that differ in the opponent's men only."""
        compile_once("mcts", _play_a_little)
        self._begin(colour, ruleset, fens, seed)

    def _begin(self, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int) -> None:
        self._seed = seed
        self.rules = ruleset.record()[0]
        self.place[0] = open_map(list(fens), colour)
        self.nodes = 0
        if self.adviser is not None:
            self.adviser._begin(colour, ruleset, fens, seed)

    def hear(self, announcement: Announcement) -> None:
        """All it needs is in the view."""

    def choose(self, view: np.void) -> int:
        """The next try: recaptures and pawn tries first (T10 §5.1, "shared by all our programs").

        The default player asks Darkboard about these, and leaves kings that are to be chased to it.
        """
        n = self.look(view)
        if self.adviser is not None:
            sure = self.adviser.choose_surely(view)
            return sure if sure is not None else int(self.tries[self.think(view, n)])
        known = self.place[0]["known"]
        ruled = int(answer_first(known, view, self.rules, self.tries, n, self.hard_rules))
        return ruled if ruled != NO_RULE else int(self.tries[self.think(view, n)])

    def explain(self, view: np.void, most: int) -> Explanation:
        """The decision that `choose(view)` makes, explained; it may still be asked to choose."""
        before = self.nodes
        chosen = self.choose(view)
        made = self.nodes - before
        if made == 0:
            return Explanation(chosen, "rule", (), 0)
        entries = self.tree.moves[: self.tree.nodes[0]["tried"]]
        best = sorted(
            entries, key=lambda entry: (-int(entry["visits"]), -float(entry["value"] + entry["bias"]))
        )
        tries = tuple(explain_try(self.tree, entry, most) for entry in best[:most])
        return Explanation(chosen, "search", tries, made)

    def look(self, view: np.void) -> int:
        """Bring the location map up to date and list the tries; how many."""
        if not follow_map(self.place[0], view, self.rules, RATES, shipped_drifts(), self._scratch):
            raise ValueError(
                f"player {self.name!r} cannot follow the view: expected the game it has begun, asked in each"
                " of its turns"
            )
        return int(list_tries(view, self.rules, INFORMED, self.tries))

    def think(self, view: np.void, n: int) -> int:
        """Search among the first n tries; the place of the most visited."""
        if n > 1 and self.tries[n - 1] == ANY:
            n -= 1
        if n == 1:
            return 0
        tree = self.tree
        self._prepare_root(view, n)
        if self.adviser is not None:
            self._take_advice(view, n)
        if self.seconds is None:
            self.nodes += int(search(tree, self.budget, self.record))
        else:
            self._search_for(self.seconds)
        count = int(tree.nodes[0]["count"])
        entries = tree.moves[:count]
        best = max(
            range(count), key=lambda i: (entries["visits"][i], entries["value"][i] + entries["bias"][i])
        )
        return self._packed.index(int(entries["move"][best]))

    def _prepare_root(self, view: np.void, n: int) -> None:
        tree, place = self.tree, self.place[0]
        tries = self.tries[:n].astype(np.int64)
        self._packed = [
            int(pack(int(TRY_FROM[a]), int(TRY_TO[a]), int(view["men"][TRY_FROM[a]]), int(TRY_KIND[a])))
            for a in tries
        ]
        tree.used[:] = 1, 0, -1
        tree.random[0] = np.random.default_rng(
            [self._seed, int(view["moves"]), int(view["refusals"])]
        ).integers(2**63)
        tree.list[:n] = self._packed
        root = tree.nodes[0]
        root["place"] = place
        own = sum(
            self.constants.own[kind] * int(place["known"]["own"][kind]).bit_count() for kind in range(1, KING)
        )
        left = place["left"]
        root["balance"] = (
            own - self.constants.enemy_pawn * left[PAWNS] - self.constants.enemy_piece * left[PIECES]
        )
        root["move"], root["key"], root["next"], root["times"] = -1, -1, -1, 0
        open_node(tree, 0, n)

    def _take_advice(self, view: np.void, n: int) -> None:
        """Bias the root's moves by what Darkboard sees in them beside material."""
        assert self.adviser is not None
        work = self.adviser.work
        self.adviser.weigh(view)
        worth = work.parts[:n, OTHERS].sum(axis=1) + self.adviser._bias[:n]
        entries = self.tree.moves[: self.tree.nodes[0]["count"]]
        place = {int(move): i for i, move in enumerate(work.moves[0, :n])}
        for entry in entries:
            entry["bias"] = self.constants.darkboard * worth[place[int(entry["move"])]]

    def _search_for(self, seconds: float) -> None:
        """Iterate in parts until the time is over."""
        begun, done = time.perf_counter(), 0
        while (spent := time.perf_counter() - begun) < seconds:
            part = max(16, int(min(seconds - spent, seconds / 4) * self._rate))
            made = int(search(self.tree, part, self.record))
            done += made
            if made < part:
                break
        self.nodes += done
        self._rate = max(1000.0, done / max(1e-6, time.perf_counter() - begun))


def _play_a_little() -> None:
    """Call every kernel once."""
    for constants in (LITERAL, DEFAULT):
        player = MctsPlayer("mcts-c", constants, 50, None)
        player._begin(chess.WHITE, ICC, [chess.STARTING_FEN], 0)
        player.choose(Game(ICC).view(chess.WHITE))


def mcts_c_player(nodes: int = NODES, seconds: float | None = None, literal: bool = False) -> MctsPlayer:
    """The player `mcts-c`: approach C of T10 §5.3; with `literal`, that and nothing else.

    Raises:
        ValueError: a parameter that makes no player.
    """
    if type(nodes) is not int or nodes < 1:
        raise ValueError(f"player 'mcts-c': nodes is {nodes!r}; expected an integer of at least 1")
    if seconds is not None and (type(seconds) not in (int, float) or seconds <= 0):
        raise ValueError(f"player 'mcts-c': seconds is {seconds!r}; expected a positive number")
    if not isinstance(literal, bool):
        raise ValueError(f"player 'mcts-c': literal is {literal!r}; expected True or False")
    name = "mcts-c:literal" if literal else "mcts-c"
    return MctsPlayer(name, LITERAL if literal else DEFAULT, nodes, seconds)
