"""The search of `advantage-search`: that of approach C, with losses that were learnt of real games.

A move is judged by `losses.accepted_value`, and the opponent's captures are drawn by the same chances. At the
root each move has a bias besides, which is not backed up (see `advice`).
"""

from ks_baselines.mcts.advantage_search.constants import AdvantageConstants
from ks_baselines.mcts.advantage_search.losses import accepted_value, draw_loss, losses, set_chances
from ks_baselines.mcts.approach_c.search import search_by
from ks_baselines.mcts.messages import ILLEGAL, draw_answer, find_child, know_control
from ks_baselines.mcts.tree import Move, Node, Tree
from ks_baselines.mcts.worth import count_guards
from ks_env.core.bits import random_share
from ks_env.core.jit import kernel
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
def judge(tree: Tree, node: Node, entry: Move, c: AdvantageConstants) -> float:
    """The value of a move if it is accepted; sets the chances of its messages."""
    set_chances(tree, node, entry)
    return accepted_value(node, entry, tree.control, tree.guards, tree.losses, tree.sums[1], c)


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


search = search_by(prepare, judge, draw_child)
