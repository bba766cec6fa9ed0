"""Approach B (T10 §5.2, Fig. 6): UCT over messages, a simulation from each new move, the average backed up.

The tree, its messages and the way down are those of `ks_baselines.mcts.search`. An iteration ends at the
first move that has not been looked at yet, from which it simulates once; every move on the way has the mean
of the simulations that went through it as its value. So a move is sampled as often as it is visited, where
approach C takes the weighted average of its messages at once.
"""

from ks_baselines.mcts.approach_b.simulation import simulate
from ks_baselines.mcts.constants import Constants
from ks_baselines.mcts.search import draw_child, select
from ks_baselines.mcts.tree import MOST_DEPTH, Tree
from ks_env.core.jit import kernel
from ks_env.core.memory import uncounted
from ks_env.core.record import f4, i8


@kernel
def credit(tree: Tree, place: int, outcome: float) -> None:
    """Take an outcome into the averages from a move up to the root."""
    while place >= 0:
        entry = tree.moves[place]
        entry.visits += 1
        entry.total += outcome
        entry.value = entry.total / f4(entry.visits)
        node = tree.nodes[entry.node]
        node.visits += 1
        node.value += (outcome - node.value) / f4(node.visits)
        node.times += 1
        place = i8(node.move)


@kernel
def look_at_new(tree: Tree, index: int, k: int, c: Constants) -> None:
    """Simulate from the next move of the node."""
    node = tree.nodes[index]
    place = i8(node.first + node.tried)
    outcome = simulate(tree, index, place, k, c)
    node.tried += 1
    tree.moves[place].total = f4(0.0)
    credit(tree, place, outcome)


@kernel
def end_at(tree: Tree, index: int) -> None:
    """An iteration ends at a node without a new move: its balance is the outcome."""
    node = tree.nodes[index]
    if node.move >= 0:
        node.visits += 1
        node.times += 1
        credit(tree, i8(node.move), node.balance)


@kernel
def iterate_b(tree: Tree, k: int, c: Constants) -> bool:
    """One iteration; False if the memory is used up or there is nothing to look at."""
    index = i8(0)
    for _ in range(MOST_DEPTH):
        node = tree.nodes[index]
        if node.tried < node.count:
            look_at_new(tree, index, k, c)
            return True
        if node.count == 0:
            break
        index = draw_child(tree, index, select(tree, index, c), c)
        if index < 0:
            return False
    end_at(tree, index)
    return index != 0


@kernel
def search_b(tree: Tree, iterations: int, k: int, c: Constants) -> int:
    """Iterate from the root, `nodes[0]`, which is open; how many iterations were made."""
    tree = uncounted(tree)
    for done in range(iterations):
        if not iterate_b(tree, k, c):
            return done
    return iterations
