"""The three-tiered game tree of Ciancarini and Favini (2010, Fig. 3) in flat arrays.

    node (own turn)  --move-->  answer to it  --the opponent's turn-->  node (own turn)

"The first two layers could be merged together (program moves and their outcomes), but remain separate for
computational ease in move selection." Here a NODE is a moment at which the seat is to move, a MOVE is one of
its moves there, and the two tiers of messages are one number, the `key` of the child that they lead to. All
memory is allocated once a player and used again for every decision.
"""

from typing import Any, NamedTuple

import numpy as np

from ks_baselines.mcts.constants import Constants
from ks_env.belief.location.layout import LOCATION, NONE, SORTS, Location
from ks_env.belief.profile import MOVES
from ks_env.core.bits import random_below
from ks_env.core.jit import kernel
from ks_env.core.record import Array, Record, dtype_of, f4, field, i8


class Node(Record):
    """The record NODE."""

    place: Location = field(LOCATION)  # what the seat would know and expect
    balance: float = field("f4")  # own men less the opponent's, by the constants' values
    value: float = field("f4")  # best of the moves' values; in approach B the mean of its simulations
    visits: int = field("i4")
    first: int = field("i4")  # its moves are `moves[first : first + count]`
    count: int = field("i4")
    tried: int = field("i4")  # how many of them have been looked at: the first ones
    best: int = field("i4")  # the one with the greatest value, -1 while none has been looked at
    move: int = field("i4")  # by which it was reached, -1 at the root
    key: int = field("i4")  # and by which messages, see `messages`
    next: int = field("i4")  # the next child of that move, -1 for none
    times: int = field("i4")  # how often these messages were drawn
    time: int = field("i4")  # own moves that the opponent has made, the last of `Tree.drifts` at most


NODE = dtype_of(Node)


class Move(Record):
    """The record MOVE."""

    move: int = field("i4")  # packed, see `ks_baselines.darkboard.moves`
    node: int = field("i4")  # whose it is
    legal: float = field("f4")  # chance that it is legal
    pawn: float = field("f4")  # chance that it captures a pawn if it is
    piece: float = field("f4")  # or a piece
    check: float = field("f4")  # chance that it checks if it is legal
    value: float = field("f4")  # mean over the messages; in approach B over the simulations
    total: float = field("f4")  # sum over what was drawn, the static value as often as it is trusted
    bias: float = field("f4")  # added to the value when moves are compared; 0 below the root
    visits: int = field("i4")
    child: int = field("i4")  # the first child, -1 for none


MOVE = dtype_of(Move)

MOST_DEPTH = 64
MOST_REFUSED = 64  # tries of a simulation that were refused since the last accepted move


class Tree(NamedTuple):
    """Memory of a search.

    Attributes:
        nodes: NODE[N].
        moves: MOVE[M].
        used: i8[4], nodes and moves in use; the node that `control`, `empty` and `sums[0]` are of, and that
            which `guards`, `losses` and `sums[1]` are of: -1 for none, `messages.WALK` for that of `walk`.
        random: u8[1], the stream of random numbers.
        control: f4[2, 64], Prob_control of the node in hand, and the part of it that is pieces.
        empty: f4[64], chance that a square is empty.
        scratch: f4[4, 64].
        guards: i8[64], own men that control each square.
        sums: f4[4], Prob_control summed over the own men but the king, and what `prepare` of the search says.
        chances: f4[64], chance that the man there is captured next, in `advantage_search` alone.
        losses: f4[64], what that costs on average.
        list: i4[512], moves generated.
        walk: NODE[1], where a simulation is.
        attempt: MOVE[1], what it tries there.
        refused: i4[64], what was refused to it there.
        drifts: f4[T, 3, 64], see `profile.Profile.drifts`, of the opponent's men by time; 1 for none.
    """

    nodes: Array
    moves: Array
    used: Array
    random: Array
    control: Array
    empty: Array
    scratch: Array
    guards: Array
    sums: Array
    chances: Array
    losses: Array
    list: Array
    walk: Array
    attempt: Array
    refused: Array
    drifts: Array


def new_tree(nodes: int, moves: int) -> Tree:
    """Memory for one player."""
    return Tree(
        nodes=np.zeros(nodes, NODE),
        moves=np.zeros(moves, MOVE),
        used=np.array([0, 0, -1, -1], np.int64),
        random=np.zeros(1, np.uint64),
        control=np.zeros((2, 64), np.float32),
        empty=np.zeros(64, np.float32),
        scratch=np.zeros((4, 64), np.float32),
        guards=np.zeros(64, np.int64),
        sums=np.zeros(4, np.float32),
        chances=np.zeros(64, np.float32),
        losses=np.zeros(64, np.float32),
        list=np.zeros(512, np.int32),
        walk=np.zeros(1, NODE),
        attempt=np.zeros(1, MOVE),
        refused=np.zeros(MOST_REFUSED, np.int32),
        drifts=np.ones((MOVES + 1, SORTS, 64), np.float32),
    )


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
def select(tree: Tree, index: int, c: Constants) -> int:
    """The move with the greatest v + c √(ln N / n) (Ciancarini and Favini 2010, §2)."""
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
