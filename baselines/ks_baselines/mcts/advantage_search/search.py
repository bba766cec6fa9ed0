"""The search of `advantage-search`: that of approach C, with losses that were learnt of real games.

A move is judged by `losses.accepted_value`, and the opponent's captures are drawn by the same chances. At the
root each move has a bias besides, which is not backed up (see `advice`).
"""

from ks_baselines.mcts.advantage_search.constants import AdvantageConstants
from ks_baselines.mcts.advantage_search.losses import accepted_value, draw_loss, losses
from ks_baselines.mcts.approach_c.search import first_value, next_move, settle, visit_child
from ks_baselines.mcts.messages import ILLEGAL, draw_answer, find_child, know_control
from ks_baselines.mcts.tree import MOST_DEPTH, Tree, select
from ks_baselines.mcts.worth import count_guards
from ks_env.core.bits import random_share
from ks_env.core.jit import kernel
from ks_env.core.memory import uncounted
from ks_env.core.record import i8


@kernel
def prepare(tree: Tree, index: int, c: AdvantageConstants) -> None:
    """Prob_control, guards and expected losses of a node, unless they are at hand."""
    know_control(tree, tree.nodes[index], index)
    if tree.used[3] == index:
        return
    tree.used[3] = index
    place = tree.nodes[index].place
    count_guards(place.known, tree.guards)
    tree.sums[1] = losses(place, tree.control, tree.guards, c, tree.chances, tree.losses)


@kernel
def look_at_next(tree: Tree, index: int, c: AdvantageConstants) -> None:
    """Judge the next move of the node."""
    prepare(tree, index, c)
    place = next_move(tree, index)
    node, entry = tree.nodes[index], tree.moves[place]
    value = accepted_value(node, entry, tree.control, tree.guards, tree.losses, tree.sums[1], c)
    first_value(tree, place, value, c)


@kernel
def draw_child(tree: Tree, index: int, place: int, c: AdvantageConstants) -> int:
    """Draw messages for a move of the node; the child that they lead to, as `find_child`."""
    node, entry = tree.nodes[index], tree.moves[place]
    answer, victim = draw_answer(tree, entry), i8(-1)
    if answer != ILLEGAL:
        prepare(tree, index, c)
        luck = random_share(tree.random, 0)
        victim = draw_loss(node, entry, answer, luck, tree.control, tree.guards, tree.chances, c)
    return find_child(tree, place, answer, victim, c)


@kernel
def iterate(tree: Tree, c: AdvantageConstants) -> bool:
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
def search(tree: Tree, iterations: int, c: AdvantageConstants) -> int:
    """Iterate from the root, `nodes[0]`, which is open; how many were made."""
    tree = uncounted(tree)
    for done in range(iterations):
        if not iterate(tree, c):
            return done
    return iterations
