"""Approach C: UCT over messages, each new move judged at once, the best value backed up.

See Ciancarini and Favini (2010, §5.3, Fig. 8).

"Simulations only last one move plus quiescence." An iteration goes down from the root: at a node the move
with the greatest v + c √(ln N / n) is taken and messages are drawn; at the first move that has not been
looked at yet it ends with that move's weighted average. Upwards, a move's value is the mean over its messages
as often as they were drawn, and a node's the maximum over its moves.

"Since the percentages for each referee message are known in the model, it is easy to calculate the results
for each and obtain a weighed average value" (Fig. 9). The messages are: illegal; silent; a capture of a pawn
or a piece; a check; and then the opponent's: a retaliation, a capture elsewhere, the capture of the checking
man, silence.
"""

from collections.abc import Callable

import numpy as np

from ks_baselines.darkboard.moves import end_of, kind_of, start_of
from ks_baselines.mcts.constants import Constants
from ks_baselines.mcts.messages import draw_child, know_control, set_chances
from ks_baselines.mcts.tree import MOST_DEPTH, Move, Node, Tree, select
from ks_baselines.mcts.worth import (
    becomes,
    count_guards,
    exchange,
    exposed_to_pawns,
    other_guards,
    promotion_gain,
)
from ks_env.belief.location.answers import pawn_control
from ks_env.belief.location.layout import NONE, ONE, Location
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.memory import uncounted
from ks_env.core.record import f4, i8
from ks_env.core.tables import KING


@kernel
def mean_suffered(
    place: Location, control: np.ndarray, guards: np.ndarray, c: Constants
) -> tuple[float, float]:
    """Sum over own men of the loss if that man is captured, times Prob_control, and times its pawns alone."""
    known, total, pawns = place.known, NONE, NONE
    for kind in range(1, KING):
        men = known.own[kind]
        while men != ZERO:
            square = lowest(men)
            men = without_lowest(men)
            loss = exchange(c.own[kind], ONE, control[square], guards[square], c)
            total += control[square] * loss
            pawns += pawn_control(place.maps, square) * loss
    return total, pawns


@kernel
def static_value(
    node: Node,
    entry: Move,
    control: np.ndarray,
    guards: np.ndarray,
    sums: np.ndarray,
    c: Constants,
) -> float:
    """The weighted average over the messages to a move.

    Args:
        entry: MOVE with its chances.
        control: f4[64], Prob_control before the move.
        guards: i8[64], `count_guards`.
        sums: f4[4], `Tree.sums`: that of Prob_control, both of `mean_suffered`, `exposed_to_pawns`.
    """
    move = i8(entry.move)
    start, end, kind = start_of(move), end_of(move), kind_of(move)
    value = c.own[becomes(move)]
    others = other_guards(guards, move)
    taken = exchange(value, ONE, control[end], others, c)
    captures = entry.pawn + entry.piece
    balance = node.balance
    threatened = control[end] > NONE
    exposure, suffered, by_pawns, pawns = sums[0], sums[1], sums[2], sums[3]
    if kind != KING:
        before = exchange(value, ONE, control[start], guards[start], c)
        exposure += control[end] - control[start]
        suffered += control[end] * taken - control[start] * before
        gain, loss = pawn_control(node.place.maps, end), pawn_control(node.place.maps, start)
        pawns += gain - loss
        by_pawns += gain * taken - loss * before
    tried, to_pawns = NONE, NONE
    if pawns > NONE:
        tried = c.pawn_try * min(ONE, pawns)
        to_pawns = tried * max(NONE, by_pawns) / pawns
    calm = c.suffering * max(NONE, suffered) / exposure if exposure > NONE else NONE
    quiet = to_pawns + (ONE - tried) * calm
    retaliation = c.retaliation if threatened and kind != KING else NONE
    after_capture = entry.pawn * c.enemy_pawn + entry.piece * c.enemy_piece
    after_capture -= captures * (retaliation * taken + (ONE - retaliation) * quiet)
    checked = entry.check if threatened and kind != KING else NONE
    after_check = to_pawns + (ONE - tried) * c.checker_taken * taken
    silent = (ONE - captures) * ((ONE - checked) * quiet + checked * after_check)
    legal = balance + promotion_gain(move, c) + after_capture - max(NONE, silent)
    return entry.legal * legal + (ONE - entry.legal) * balance


@kernel
def prepare(tree: Tree, index: int, c: Constants) -> None:
    """Prob_control, guards and what is lost on average at a node, unless they are at hand."""
    know_control(tree, tree.nodes[index], index)
    if tree.used[3] == index:
        return
    tree.used[3] = index
    place = tree.nodes[index].place
    count_guards(place.known, tree.guards)
    tree.sums[1], tree.sums[2] = mean_suffered(place, tree.control[0], tree.guards, c)
    tree.sums[3] = exposed_to_pawns(place)


@kernel
def mean_value(tree: Tree, node: Node, entry: Move, c: Constants) -> float:
    """The weighted average over the messages to a move, of which it sets the chances."""
    set_chances(tree, node, entry)
    return static_value(node, entry, tree.control[0], tree.guards, tree.sums, c)


@kernel
def note_best(tree: Tree, index: int, place: int) -> None:
    """The value of the move at `place` has changed: which one of the node's is the best, whatever their bias.

    All of the moves are gone through only where it was the best one, and has fallen.
    """
    node = tree.nodes[index]
    value = tree.moves[place].value
    if node.best < 0 or value > tree.moves[node.best].value:
        node.best = place
    elif node.best == place and value < node.value:
        for i in range(node.first, node.first + node.tried):
            if tree.moves[i].value > tree.moves[node.best].value:
                node.best = i
    node.value = tree.moves[node.best].value


@kernel
def back_up(tree: Tree, place: int, c: Constants) -> None:
    """From a move whose value has changed up to the root."""
    while True:
        index = i8(tree.moves[place].node)
        node = tree.nodes[index]
        old = node.value
        note_best(tree, index, place)
        if node.move < 0:
            return
        place = i8(node.move)
        entry = tree.moves[place]
        entry.total += f4(node.times) * (node.value - old)
        entry.value = entry.total / (f4(entry.visits - 1) + c.trust)


@kernel
def visit_child(tree: Tree, child: int) -> None:
    """Its messages were drawn once more."""
    node = tree.nodes[child]
    node.times += 1
    entry = tree.moves[node.move]
    entry.visits += 1
    entry.total += node.value


@kernel
def settle(tree: Tree, index: int, c: Constants) -> None:
    """Back up a node that was visited once more and has nothing new to look at."""
    place = i8(tree.nodes[index].move)
    if place >= 0:
        entry = tree.moves[place]
        entry.value = entry.total / (f4(entry.visits - 1) + c.trust)
        back_up(tree, place, c)


def search_by(
    prepare: Callable[..., None], judge: Callable[..., float], draw_child: Callable[..., int]
) -> Callable[..., int]:
    """The kernel `search`, with how moves are judged and messages drawn.

    Args:
        prepare: (tree, index, c): what judging the moves of a node needs.
        judge: (tree, node, entry, c): the value of a move at the first look.
        draw_child: (tree, index, place, c): draw messages for a move of the node; see `messages.find_child`.
    """

    @kernel
    def look_at_next(tree: Tree, index: int, c: Constants) -> None:
        """Judge the next move of the node."""
        prepare(tree, index, c)
        node = tree.nodes[index]
        place = i8(node.first + node.tried)
        node.tried += 1
        entry = tree.moves[place]
        value = judge(tree, node, entry, c)
        entry.value = value
        entry.total = value * c.trust
        entry.visits = 1
        back_up(tree, place, c)

    @kernel
    def iterate(tree: Tree, c: Constants) -> bool:
        """One iteration; False if the memory is used up or there is nothing to look at."""
        index = i8(0)
        for _ in range(MOST_DEPTH):
            node = tree.nodes[index]
            node.visits += 1
            if node.count == 0:
                settle(tree, index, c)
                return index != 0
            if node.tried < node.count:
                look_at_next(tree, index, c)
                return True
            child = draw_child(tree, index, select(tree, index, c), c)
            if child < 0:
                return False
            visit_child(tree, child)
            index = child
        settle(tree, index, c)
        return True

    @kernel
    def search(tree: Tree, iterations: int, c: Constants) -> int:
        """Iterate from the root, `nodes[0]`, which is open; how many were made."""
        tree = uncounted(tree)
        for done in range(iterations):
            if not iterate(tree, c):
                return done
        return iterations

    return search


search = search_by(prepare, mean_value, draw_child)
