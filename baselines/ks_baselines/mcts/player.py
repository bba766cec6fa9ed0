"""What `mcts-a`, `mcts-b` and `mcts-c` share: a map that follows the game, rules, a budget, and trees.

See Ciancarini and Favini (2010, §5). Rules decide before the search.

Each thread has its own tree. Kernels release the GIL, so that plain threads run at once. What is played
depends on the seed and on the number of threads, and not on which of them is the first to end.
"""

import time
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import chess
import numpy as np
import numpy.typing as npt

from ks_baselines.compiled import CompiledPlayer
from ks_baselines.darkboard.constants import IMPROVED as DARKBOARD
from ks_baselines.darkboard.hard_rules import NO_RULE, take_first
from ks_baselines.darkboard.moves import pack
from ks_baselines.darkboard.player import darkboard_player
from ks_baselines.explained import Explanation, TryExplained
from ks_baselines.mcts.constants import Constants
from ks_baselines.mcts.explain import explain_try
from ks_baselines.mcts.threads import MOST_THREADS, add_roots, in_threads, share_out
from ks_baselines.mcts.tree import Move, Tree, new_tree, open_node
from ks_baselines.parameters import check_number, check_seconds, check_switch, check_whole
from ks_env.belief.location import LOCATION, follow_map, open_map
from ks_env.belief.location.layout import PAWNS, PIECES, SORTS
from ks_env.belief.profile import MOVES, Profile, shipped_drifts
from ks_env.core.jit import compile_once
from ks_env.core.record import Array
from ks_env.core.ruleset import ICC
from ks_env.core.tables import ANY, KING, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.games.kriegspiel import opening
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import list_tries
from ks_env.games.opening import Opening

LARGEST = 10**7  # nodes that a budget may be: some 35 GB of trees
NODES = 2_000  # of a choice, where none are given
FIRST_RATE = 100_000.0  # nodes a second, until the player has measured its own


def exploring(player: str, constants: Constants, c: float | None) -> Constants:
    """The constants with another exploration constant c of UCT; None keeps it.

    Raises:
        ValueError: c is not a number of at least 0.
    """
    if c is None:
        return constants
    check_number(player, "c", c, 0)
    return replace(constants, exploration=float(c))


def read_profile(player: str, file: str | None) -> Profile | None:
    """The opponent's profile in a file that `ks profile` wrote; None for no file.

    Raises:
        ValueError: there is no such file, or it holds no profile.
    """
    if file is None:
        return None
    try:
        return Profile.load(Path(file))
    except (TypeError, OSError, ValueError) as error:
        raise ValueError(
            f"player {player!r}: profile is {file!r}: {error}; expected a file that `ks profile` wrote"
        ) from error


@dataclass(frozen=True)
class Settings:
    """How much a player searches, and what it is told of its opponent.

    Attributes:
        nodes: budget of a choice, in the player's nodes.
        seconds: budget of a choice in seconds, instead of the other; games are not repeatable then.
        threads: how many searches share a choice, each with a memory and a random stream of its own.
        profile: of the opponent; None for the one that comes with the package.
        endings: leave the chase of a king with few men, and the choice of captures there, to Darkboard.
    """

    nodes: int = NODES
    seconds: float | None = None
    threads: int = 1
    profile: Profile | None = None
    endings: bool = False


def settings_of(
    player: str,
    nodes: int,
    seconds: float | None,
    threads: int,
    profile: str | None = None,
    endings: bool = False,
) -> Settings:
    """The settings that a user asks for; the profile is a file that `ks profile` wrote.

    Raises:
        ValueError: a value is not what is expected.
    """
    check_switch(player, "endings", endings)
    check_whole(player, "nodes", nodes, 1, LARGEST)
    check_seconds(player, seconds)
    check_whole(player, "threads", threads, 1, MOST_THREADS)
    return Settings(nodes, seconds, threads, read_profile(player, profile), endings)


def play_a_little(player: "SearchPlayer") -> None:
    """Call every kernel of a player once."""
    player.start(opening(chess.WHITE))
    player.choose(Game(ICC).view(chess.WHITE))


class SearchPlayer(CompiledPlayer):
    """A player that searches with a budget, for one game at a time.

    Args:
        name: as shown in results.
        settings: its budget, threads and profile.

    Attributes:
        nodes: nodes since `begin`.
        place: LOCATION[1], what the seat knows and expects.
        tries: i2[MOST_TRIES], those of the turn.
        root: MOVE[N] of the player's trees, the tries of the last search, of all trees together.
        rates: f4[3], see `follow_map`: all "stand a more or less equal chance of being moved" (Ciancarini and
            Favini 2010, §5.2).
    """

    rates = np.ones(SORTS, np.float32)

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self.profile = profile = settings.profile
        self._drifts = shipped_drifts() if profile is None else profile.smoothed().drifts()
        self.threads = settings.threads
        self.budget = settings.nodes
        self.seconds = settings.seconds
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

    def start(self, opening: Opening) -> None:
        """See `CompiledPlayer`."""
        self._seed = opening.seed
        self.rules = opening.ruleset.record()[0]
        self.place[0] = open_map(list(opening.fens), opening.colour)
        self.nodes = 0

    def choose(self, view: View) -> int:
        """The next try: recaptures and pawn tries first.

        See Ciancarini and Favini (2010, §5.1): they are "shared by all our programs".
        """
        n = self.look(view)
        known = self.place[0]["known"]
        ruled = int(take_first(known, view, self.rules, self.tries, n, self.hard_rules))
        return ruled if ruled != NO_RULE else int(self.tries[self.think(view, n)])

    def look(self, view: View) -> int:
        """Bring the location map up to date and list the tries; how many."""
        if not follow_map(self.place[0], view, self.rules, self.rates, self._drifts, self._scratch):
            raise ValueError(
                f"player {self.name!r} cannot follow the view: expected the game it has begun, asked in each"
                " of its turns"
            )
        self.root = self.root[:0]
        return int(list_tries(view, self.rules, INFORMED, self.tries))

    def weighed(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]:
        """See `WeighsTries`: the tries with visits, their values in men."""
        looked = [entry for entry in self.root if entry["visits"] > 0]
        at = np.array([self._packed.index(int(entry["move"])) for entry in looked], np.int64)
        return self.tries[at], np.array([self.standing(entry)[1] for entry in looked], np.float32)

    def explain(self, view: View, most: int) -> Explanation[TryExplained]:
        """The decision that `choose(view)` makes, explained; it may still be asked to choose."""
        before = self.nodes
        chosen = self.choose(view)
        made = self.nodes - before
        if made == 0:
            return Explanation(chosen, "rule", (), 0)
        best = sorted(self.root[self.root["visits"] > 0], key=self.standing, reverse=True)
        tries = tuple(self.explain_entry(entry) for entry in best[:most])
        return Explanation(chosen, "search", tries, made)

    @abstractmethod
    def explain_entry(self, entry: Any) -> TryExplained:
        """One of the root's tries."""

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


MOST_NODES = 200_000  # memory of a thread, where the budget is in seconds: 0.7 GB
MOVES_A_NODE = 40  # memory: moves for each node of the tree


class TreePlayer(SearchPlayer):
    """A player that grows trees, one a thread, and makes the try that was visited most in all of them.

    Args:
        name: as shown in results.
        constants: what it plays by.
        settings: see `Settings`; a node is an iteration.

    Attributes:
        trees: one a thread.
        tree: the first.
        adviser: Darkboard, for the endings; None without them.
    """

    def __init__(self, name: str, constants: Constants, settings: Settings) -> None:
        super().__init__(name, settings)
        self.constants = constants
        self.adviser = darkboard_player(metapositions=1) if settings.endings else None
        self.record = constants.record()[0]
        most = self.largest_tree(MOST_NODES, 4 * FIRST_RATE)
        self.trees = [new_tree(most, MOST_TRIES + most * MOVES_A_NODE) for _ in range(self.threads)]
        self.tree = self.trees[0]

    def prepare(self) -> None:
        """See `CompiledPlayer`."""
        super().prepare()
        if self.adviser is not None:
            self.adviser.prepare()

    def choose(self, view: View) -> int:
        """See `SearchPlayer`."""
        if self.adviser is None:
            return super().choose(view)
        n = self.look(view)
        sure = self.adviser.choose_surely(view)
        return sure if sure is not None else int(self.tries[self.think(view, n)])

    def start(self, opening: Opening) -> None:
        """See `CompiledPlayer`."""
        super().start(opening)
        if self.adviser is not None:
            self.adviser.start(opening)
        for tree in self.trees:
            tree.drifts[:] = self.drifts()[1 if opening.colour == chess.WHITE else 0]

    def drifts(self) -> npt.NDArray[np.float32]:
        """f4[2, T, 3, 64], by which the opponent's men move in the tree, see `profile.Profile.drifts`."""
        return self._drifts

    @abstractmethod
    def grow(self, tree: Tree, nodes: int) -> int:
        """Make so many iterations in a tree; how many were made."""

    def grow_all(self) -> None:
        """Spend the budget of a choice on the trees, each in a thread of its own."""
        self.spend(*(partial(self.grow, tree) for tree in self.trees))

    def lean(self, view: View, n: int) -> None:
        """Set the biases of the trees' roots, where the player has any."""

    def think(self, view: View, n: int) -> int:
        """Search among the first n tries; the place of the most visited."""
        if n > 1 and self.tries[n - 1] == ANY:
            n -= 1
        if n == 1:
            return 0
        self._prepare_root(view, n)
        self.lean(view, n)
        self.grow_all()
        self.root = add_roots([tree.moves[:n] for tree in self.trees], self.constants.trust)
        return self.most_visited()

    def standing(self, entry: Move) -> tuple[int, float]:
        """See `SearchPlayer`."""
        return int(entry["visits"]), float(entry["value"] + entry["bias"])

    def explain_entry(self, entry: Move) -> TryExplained:
        """See `SearchPlayer`."""
        return explain_try(self.trees, entry)

    def _prepare_root(self, view: View, n: int) -> None:
        """Open the root of every tree with the first n tries."""
        packed = self.pack_tries(view, n)
        balance = self._balance()
        moved = int(view["moves"]) - int(view["seat"] == 0) if self.place[0]["usual"] else MOVES
        for thread, tree in enumerate(self.trees):
            tree.used[:] = 1, 0, -1, -1
            tree.random[0] = self.stream(view, thread)
            tree.list[:n] = packed
            root = tree.nodes[0]
            root["place"] = self.place[0]
            root["balance"] = balance
            root["move"], root["key"], root["next"], root["times"] = -1, -1, -1, 0
            root["time"] = min(moved, len(tree.drifts) - 1)
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
