"""What the players of T10 §5 share: a location map that follows the game, rules before search, a budget."""

import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ks_baselines.compiled import CompiledPlayer
from ks_baselines.darkboard.constants import LITERAL as DARKBOARD
from ks_baselines.darkboard.hard_rules import NO_RULE, answer_first
from ks_baselines.darkboard.moves import pack
from ks_baselines.mcts.explain import Explanation, TryExplained
from ks_baselines.mcts.threads import in_threads, share_out
from ks_env.belief.location import LOCATION, follow_map, open_map
from ks_env.belief.location.layout import RATES
from ks_env.belief.profile import shipped_drifts
from ks_env.core.jit import compile_once
from ks_env.core.ruleset import ICC, Ruleset
from ks_env.core.tables import TRY_FROM, TRY_KIND, TRY_TO
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import list_tries

NODES = 2_000  # of a choice, where none are given
Array = np.ndarray[Any, Any]
FIRST_RATE = 100_000.0  # nodes a second, until the player has measured its own


class SearchPlayer(CompiledPlayer):
    """A player that searches with a budget, for one game at a time.

    Args:
        name: as shown in results.
        nodes: budget of a choice, in the player's nodes.
        seconds: budget of a choice in seconds, in the place of the other; games are not repeatable then.
        threads: how many searches share a choice, each with a memory and a random stream of its own.

    Attributes:
        nodes: nodes since `begin`.
        place: LOCATION[1], what the seat knows and expects.
        tries: i2[MOST_TRIES], those of the turn.
        root: MOVE[N] of the player's trees, the tries of the last search, of all trees together.
    """

    def __init__(self, name: str, nodes: int, seconds: float | None, threads: int = 1) -> None:
        self.name = name
        self.threads = threads
        self.budget = nodes
        self.seconds = seconds
        self.nodes = 0
        self.hard_rules = DARKBOARD.record()[0]
        self.rules = ICC.record()[0]
        self.place = np.zeros(1, LOCATION)
        self.tries = np.zeros(MOST_TRIES, np.int16)
        self.root: Array = np.zeros(0)
        self._packed: list[int] = []
        self._scratch = np.zeros((4, 64), np.float32)
        self._seed = 0
        self._rate = FIRST_RATE

    def prepare(self) -> None:
        """Compile the kernels."""
        compile_once(*self.compiling)

    @property
    @abstractmethod
    def compiling(self) -> tuple[str, Callable[[], object]]:
        """A name for the player's kernels, and a call that compiles them all."""

    def start(self, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int) -> None:
        """See `CompiledPlayer`."""
        self._seed = seed
        self.rules = ruleset.record()[0]
        self.place[0] = open_map(list(fens), colour)
        self.nodes = 0

    def choose(self, view: View) -> int:
        """The next try: recaptures and pawn tries first (T10 §5.1, "shared by all our programs")."""
        n = self.look(view)
        known = self.place[0]["known"]
        ruled = int(answer_first(known, view, self.rules, self.tries, n, self.hard_rules))
        return ruled if ruled != NO_RULE else int(self.tries[self.think(view, n)])

    def look(self, view: View) -> int:
        """Bring the location map up to date and list the tries; how many."""
        if not follow_map(self.place[0], view, self.rules, RATES, shipped_drifts(), self._scratch):
            raise ValueError(
                f"player {self.name!r} cannot follow the view: expected the game it has begun, asked in each"
                " of its turns"
            )
        return int(list_tries(view, self.rules, INFORMED, self.tries))

    def explain(self, view: View, most: int) -> Explanation:
        """The decision that `choose(view)` makes, explained; it may still be asked to choose."""
        before = self.nodes
        chosen = self.choose(view)
        made = self.nodes - before
        if made == 0:
            return Explanation(chosen, "rule", (), 0)
        best = sorted(self.root[self.root["visits"] > 0], key=self.standing, reverse=True)
        tries = tuple(self.explain_entry(entry, most) for entry in best[:most])
        return Explanation(chosen, "search", tries, made)

    @abstractmethod
    def explain_entry(self, entry: Any, most: int) -> TryExplained:
        """One of the root's tries, with so many of its messages at most."""

    def standing(self, entry: Any) -> tuple[int, float]:
        """What tries of the root are compared by."""
        return int(entry["visits"]), float(entry["value"])

    def pack_tries(self, view: View, n: int) -> list[int]:
        """The first n tries as packed moves, kept for `most_visited`."""
        tries = self.tries[:n].astype(np.int64)
        self._packed = [
            int(pack(int(TRY_FROM[a]), int(TRY_TO[a]), int(view["men"][TRY_FROM[a]]), int(TRY_KIND[a])))
            for a in tries
        ]
        return self._packed

    def most_visited(self) -> int:
        """The place among the tries of the best one at the root."""
        return self._packed.index(int(max(self.root, key=self.standing)["move"]))

    def largest_tree(self, most: int, rate: float) -> int:
        """Nodes that each thread needs memory for; at most so many where the budget is in seconds."""
        if self.seconds is None:
            return -(-self.budget // self.threads) + 2
        return min(most, max(NODES, int(self.seconds * rate))) + 2

    @abstractmethod
    def think(self, view: View, n: int) -> int:
        """Search among the first n tries; the place of the one to make."""

    def stream(self, view: View, thread: int = 0) -> int:
        """A seed for this turn's random numbers in a thread, from the game's."""
        seeds = [self._seed, int(view["moves"]), int(view["refusals"])]
        if thread:
            seeds.append(thread)
        return int(np.random.default_rng(seeds).integers(2**63))

    def spend(self, *searches: Callable[[int], int]) -> None:
        """Spend the budget on searches, each in a thread of its own; a budget in nodes is divided.

        Args:
            searches: each is given a number of nodes and says how many it made; fewer, and it is at its end.
        """
        if self.seconds is None:
            shares = share_out(self.budget, len(searches))
            pairs = zip(searches, shares, strict=True)
            self.nodes += sum(in_threads([partial(search, share) for search, share in pairs]))
            return
        begun = time.perf_counter()
        made = sum(in_threads([partial(self._spend_seconds, search, begun) for search in searches]))
        self.nodes += made
        self._rate = max(1.0, made / len(searches) / max(1e-6, time.perf_counter() - begun))

    def _spend_seconds(self, search: Callable[[int], int], begun: float) -> int:
        """Call one search until the time is up; how many nodes it made."""
        assert self.seconds is not None
        done = 0
        while (spent := time.perf_counter() - begun) < self.seconds:
            part = max(16, int(min(self.seconds - spent, self.seconds / 4) * self._rate))
            made = search(part)
            done += made
            if made < part:
                break
        return done


def check_budget(player: str, nodes: int, seconds: float | None) -> None:
    """Refuse budgets that are none.

    Raises:
        ValueError: nodes is no positive integer, or seconds no positive number.
    """
    if type(nodes) is not int or nodes < 1:
        raise ValueError(f"player {player!r}: nodes is {nodes!r}; expected an integer of at least 1")
    if seconds is not None and (type(seconds) not in (int, float) or seconds <= 0):
        raise ValueError(f"player {player!r}: seconds is {seconds!r}; expected a positive number")
