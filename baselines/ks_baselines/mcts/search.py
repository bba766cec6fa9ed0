"""Approach C (T10 §5.3, Fig. 8): UCT over messages, each new move judged at once, the best value backed up.

"Simulations only last one move plus quiescence." An iteration goes down from the root: at a node the move
with the greatest v + c √(ln N / n) is taken and messages are drawn; at the first move that has not been
looked at yet it ends with that move's weighted average. Upwards, a move's value is the mean over its messages
as often as they were drawn, and a node's the maximum over its moves.
"""

from typing import Any

import numpy as np

from ks_baselines.darkboard.moves import end_of, generate, kind_of, pack, start_of
from ks_baselines.mcts.constants import Constants
from ks_baselines.mcts.guards import count_guards
from ks_baselines.mcts.knowing import draw_loss, knowing_value, losses
from ks_baselines.mcts.messages import (
    ILLEGAL,
    draw_answer,
    draw_turn,
    follow_messages,
    know_control,
)
from ks_baselines.mcts.tree import MOST_DEPTH, Move, Node, Tree
from ks_baselines.mcts.worth import mean_suffered, static_value
from ks_env.belief.location.answers import chance_check, chance_legal, is_pawn_capture
from ks_env.belief.location.layout import PAWNS, PIECES
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ZERO, lowest, random_below, random_share, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.memory import uncounted
from ks_env.core.record import f4, i8
from ks_env.core.tables import PAWN, PAWN_ATTACKS

ONE = f4(1.0)
NONE = f4(0.0)


@kernel
def add_pawn_captures(known: Metaposition, out: np.ndarray, n: int) -> int:
    """Captures by own pawns on squares that are certainly occupied."""
    certain = ~(known.ghosts[0] | known.own[0])
    pawns = known.own[PAWN]
    while pawns != ZERO:
        start = lowest(pawns)
        pawns = without_lowest(pawns)
        targets = PAWN_ATTACKS[0, start] & certain
        while targets != ZERO:
            out[n] = pack(start, lowest(targets), PAWN, 0)
            n += 1
            targets = without_lowest(targets)
    return n


@kernel
def shuffle(tree: Tree, n: int) -> None:
    """A random order of the generated moves: "adding a new random node with each iteration"."""
    for i in range(n - 1, 0, -1):
        j = random_below(tree.random, 0, i + 1)
        kept = tree.list[i]
        tree.list[i] = tree.list[j]
        tree.list[j] = kept


@kernel
def open_node(tree: Tree, index: int, n: int) -> bool:
    """Give a node the n moves of `tree.list`, in a random order; False if the memory is used up."""
    first = tree.used[1]
    if first + n > tree.moves.shape[0]:
        return False
    tree.used[1] += n
    shuffle(tree, n)
    node = tree.nodes[index]
    node.first = first
    node.count = n
    node.tried = 0
    node.best = -1
    node.visits = 0
    node.value = node.balance
    for i in range(n):
        entry = tree.moves[first + i]
        entry.move = tree.list[i]
        entry.node = index
        entry.visits = 0
        entry.child = -1
        entry.bias = NONE
    return True


@kernel
def list_moves(known: Metaposition, out: np.ndarray) -> int:
    """The moves of a moment below the root into `out: i4[512]`; how many."""
    return add_pawn_captures(known, out, generate(known, out))


@kernel
def list_others(tree: Tree, place: int) -> int:
    """The moves beside that at `place`, which was refused, into `tree.list`; how many.

    They are those of its node less that one, so that every try refused since the last accepted move is left
    out, and whatever the mask left out at the root.
    """
    node = tree.nodes[tree.moves[place].node]
    n = 0
    for i in range(node.first, node.first + node.count):
        if i != place:
            tree.list[n] = tree.moves[i].move
            n += 1
    return n


@kernel
def set_chances(tree: Tree, node: Node, entry: Move) -> None:
    """The chances of the answers to a move (T10 §5.2, first set)."""
    place, move = node.place, i8(entry.move)
    maps, start, end = place.maps, start_of(move), end_of(move)
    entry.legal = chance_legal(place.known, maps, tree.empty, start, end)
    entry.pawn, entry.piece = maps[PAWNS, end], maps[PIECES, end]
    here = entry.pawn + entry.piece
    if is_pawn_capture(place.known, start, end):
        if here > NONE:
            entry.pawn /= here
            entry.piece /= here
    elif kind_of(move) == PAWN:
        entry.pawn = entry.piece = NONE
    elif here > ONE:
        entry.pawn /= here
        entry.piece /= here
    entry.check = chance_check(place.known, maps, start, end)


@kernel
def look_at_next(tree: Tree, index: int, c: Constants) -> int:
    """Judge the next move of the node; its place in `tree.moves`. `prepare` has to be of this node."""
    node = tree.nodes[index]
    place = i8(node.first + node.tried)
    node.tried += 1
    entry = tree.moves[place]
    set_chances(tree, node, entry)
    if c.beyond != NONE:
        value = knowing_value(node, entry, tree.control, tree.guards, tree.losses, tree.sums[1], c)
    else:
        value = static_value(node, entry, tree.control[0], tree.guards, tree.sums[0], tree.sums[1], c)
    entry.value = value
    entry.total = value * c.trust
    entry.visits = 1
    return place


@kernel
def prepare(tree: Tree, index: int, c: Constants) -> None:
    """Prob_control and guards of a node, unless they are at hand."""
    know_control(tree, tree.nodes[index], index)
    if tree.used[3] == index:
        return
    tree.used[3] = index
    place = tree.nodes[index].place
    count_guards(place.known, tree.guards)
    if c.beyond != NONE:
        tree.sums[1] = losses(place, tree.control, tree.guards, c, tree.chances, tree.losses)
    else:
        tree.sums[1] = mean_suffered(place.known, tree.control[0], tree.guards, c)


@kernel
def select(tree: Tree, index: int, c: Constants) -> int:
    """The move with the greatest v + c √(ln N / n) (T10 §2)."""
    node = tree.nodes[index]
    logarithm = np.log(f4(max(1, node.visits)))
    best, found = f4(-np.inf), i8(node.first)
    for i in range(node.first, node.first + node.tried):
        entry = tree.moves[i]
        bound = (entry.value + entry.bias) / c.scale + c.exploration * np.sqrt(logarithm / f4(entry.visits))
        if bound > best:
            best, found = bound, i8(i)
    return found


@kernel
def child_of(tree: Any, place: int, key: int) -> int:
    """The child of a move by these messages, -1 for none yet."""
    child = i8(tree.moves[place].child)
    while child >= 0 and tree.nodes[child].key != key:
        child = i8(tree.nodes[child].next)
    return child


@kernel
def new_child(tree: Tree, place: int, answer: int, victim: int, key: int, c: Constants) -> int:
    """Make the child; -1 if the memory is used up."""
    child = tree.used[0]
    if child >= tree.nodes.shape[0]:
        return i8(-1)
    entry = tree.moves[place]
    follow_messages(tree, child, i8(entry.node), entry, answer, victim, c)
    node = tree.nodes[child]
    n = list_others(tree, place) if answer == ILLEGAL else list_moves(node.place.known, tree.list)
    if not open_node(tree, child, n):
        return i8(-1)
    tree.used[0] += 1
    node.move = place
    node.key = key
    node.next = entry.child
    node.times = 0
    entry.child = child
    return child


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


@kernel
def draw_child(tree: Tree, index: int, place: int, c: Constants) -> int:
    """Draw messages for a move of the node; the child they lead to, -1 if the memory is used up."""
    node, entry = tree.nodes[index], tree.moves[place]
    answer = draw_answer(tree, entry)
    if c.beyond == NONE:
        victim = draw_turn(tree, node, index, entry, answer, c.retaliation, c)
    elif answer == ILLEGAL:
        victim = -1
    else:
        prepare(tree, index, c)
        luck = random_share(tree.random, 0)
        victim = draw_loss(node, entry, answer, luck, tree.control, tree.guards, tree.chances, c)
    key = answer + 8 * (victim + 1)
    child = child_of(tree, place, key)
    return child if child >= 0 else new_child(tree, place, answer, victim, key, c)


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
            prepare(tree, index, c)
            back_up(tree, look_at_next(tree, index, c), c)
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
