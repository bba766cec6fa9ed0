"""What is added to the tries at the root of the trees."""

from collections.abc import Sequence
from math import exp
from typing import Any

import numpy as np

from ks_baselines.darkboard.player import darkboard_player
from ks_baselines.mcts.advantage_search.constants import LEAD_SCALE, LOSSES, AdvantageConstants
from ks_baselines.mcts.advantage_search.network import Network, judge, shipped_networks
from ks_baselines.mcts.advantage_search.search import prepare
from ks_baselines.mcts.advantage_search.terms import (
    STATE_TERMS,
    TRY_TERMS,
    attack,
    describe_state,
    describe_tries,
)
from ks_baselines.mcts.tree import Tree
from ks_env.belief.location.layout import PAWNS, PIECES, Location
from ks_env.belief.metaposition import METAPOSITION
from ks_env.belief.terms.state import PIECE, WORTH
from ks_env.core.tries import MOST_TRIES
from ks_env.games.kriegspiel.layout import View

ADVANTAGE = 3.0  # pawns that a tenth of a game's score is worth, beside what the tree finds


class Advice:
    """What tries are worth at the root: by rules of thumb, or by what was learnt.

    The rules of thumb are Darkboard's components of the evaluation and an attack on the opponent's king.
    Material, losses and captures are among the components: two estimates of them, the maps' and Darkboard's,
    do better together than either. Networks are told of all that, and take its place: tries are compared by
    their advantages alone, and by what the tree finds beyond its first look at them.

    Args:
        constants: what the player plays by.
        networks: of advantages, which are added up; none for the rules of thumb; None for those that are
            shipped.

    Attributes:
        adviser: Darkboard, for its rules, its chases of kings and its evaluation.
        state: f4[len(STATE_TERMS)], of the last state described.
        terms: f4[MOST_TRIES, len(TRY_TERMS)], of its tries.
        advantages: f4[MOST_TRIES], of its tries, by the last network.
        values: f4[MOST_TRIES], of its tries, by which they are compared.
    """

    def __init__(self, constants: AdvantageConstants, networks: Sequence[Network] | None = None) -> None:
        self.constants = constants
        self.networks = shipped_networks() if networks is None else networks
        self.adviser = darkboard_player(metapositions=1)
        self.state = np.zeros(len(STATE_TERMS), np.float32)
        self.terms = np.zeros((MOST_TRIES, len(TRY_TERMS)), np.float32)
        self.advantages = np.zeros(MOST_TRIES, np.float32)
        self.values = np.zeros(MOST_TRIES, np.float32)
        self._parts = np.array(constants.parts)
        self._later = np.zeros(1, METAPOSITION)
        self._control = np.zeros(7, np.uint64)
        self._attack = np.zeros((MOST_TRIES, 2), np.float32)

    def describe(self, tree: Tree, view: View, n: int, record: Any) -> None:
        """Work out the terms of the state, which is open as the tree's root."""
        prepare(tree, 0, record)
        describe_state(tree, view, n, self.state)

    def lean(self, trees: Sequence[Tree], view: View, n: int, record: Any) -> None:
        """Set the biases of the n moves of every tree's root, and the constants' fear, in their record."""
        tree, work = trees[0], self.adviser.work
        self.adviser.weigh(view)
        moves = work.moves[0]
        worth = self._weigh(tree.nodes[0]["place"], view, n, record)
        self.describe(tree, view, n, record)
        self.values[:n] = worth
        loops = self.adviser.bias
        describe_tries(tree, view, moves, n, work.parts, self._attack, loops, record, self.values, self.terms)
        if self.networks:
            worth -= self.values[:n]  # the value of the move at the first look is a part of it
            self._judge(moves, n)
            worth += self.values[:n]
        order = np.argsort(moves[:n])
        for tree in trees:
            entries = tree.moves[: tree.nodes[0]["count"]]
            entries["bias"] = worth[order[np.searchsorted(moves[:n], entries["move"], sorter=order)]]

    def _judge(self, moves: np.ndarray[Any, Any], n: int) -> None:
        """Set the values of the first n tries to what was learnt of them."""
        self.values[:n] = 0
        for network in self.networks:
            judge(network, self.state, self.terms, moves, n, self.advantages)
            self.values[:n] += ADVANTAGE * self.advantages[:n]

    def _weigh(self, place: Location, view: View, n: int, record: Any) -> np.ndarray[Any, Any]:
        """What the rules of thumb add to each move: f8[n]."""
        work, c = self.adviser.work, self.constants
        worth = work.parts[:n] @ self._parts + c.loops * self.adviser.bias[:n]
        attack(place, self._later, work.moves[0], n, self._control, self._attack)
        worth += self._attack[:n] @ np.array([c.pressure, c.nearness])
        fear = self._fear(place, view)
        record["fear"] = c.fear * fear
        worth += (fear - 1) * work.parts[:n, LOSSES] * c.parts[LOSSES]
        return np.asarray(worth)

    def _fear(self, place: Location, view: View) -> float:
        """How much of the fear of losses is left: less as the fifty-move clock runs, above all when ahead."""
        c, left = self.constants, place["left"]
        own = sum(float(worth) * int(view["kinds"][kind]).bit_count() for kind, worth in enumerate(WORTH))
        lead = own - float(left[PAWNS]) - float(PIECE) * float(left[PIECES])
        ahead = 1 / (1 + exp((c.lead - lead) / LEAD_SCALE))
        clock = min(1.0, float(view["fifty"]) / 100)
        return 1 - min(1.0, max(0.0, clock * (c.calm + (c.bold - c.calm) * ahead)))
