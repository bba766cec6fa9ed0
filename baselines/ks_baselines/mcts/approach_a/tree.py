"""The tree of approach A in flat arrays, of the shape of `ks_baselines.mcts.tree`.

    node (own turn)  --move-->  answer to it  --the opponent's turn-->  node (own turn)

T10 §5.1: "the tree does not contain boards, but only referee's messages which are used to traverse it". A
NODE is a moment at which the seat is to move, a MOVE is one of its tries there, and the two tiers of messages
are one number, the `key` of the child that they lead to. The own men at a node follow from the moves and the
captures announced on the way, so its tries are the same on every board.
"""

from typing import Any, NamedTuple

import numpy as np

from ks_env.core.layout import TRUTH
from ks_env.core.record import Record, dtype_of, field
from ks_env.core.tries import MOST_TRIES
from ks_env.games.kriegspiel.layout import VIEW

Array = np.ndarray[Any, Any]


class Node(Record):
    """The record NODE."""

    key: int = field("i8")  # the messages by which it was reached, see `keys`
    value: float = field("f4")  # mean result of the iterations that came through
    total: float = field("f4")  # their sum
    visits: int = field("i4")  # how many they were; so often were these messages drawn
    first: int = field("i4")  # its moves are `moves[first : first + count]`
    count: int = field("i4")
    tried: int = field("i4")  # how many of them have been expanded: the first ones
    move: int = field("i4")  # by which it was reached, -1 at the root
    next: int = field("i4")  # the next child of that move, -1 for none


NODE = dtype_of(Node)


class Move(Record):
    """The record MOVE."""

    move: int = field("i4")  # packed, see `ks_baselines.darkboard.moves`
    node: int = field("i4")  # whose it is
    value: float = field("f4")  # mean result
    total: float = field("f4")  # sum of the results
    visits: int = field("i4")
    child: int = field("i4")  # the first child, -1 for none


MOVE = dtype_of(Move)

MOST_DEPTH = 64


class Tree(NamedTuple):
    """Memory of a search.

    Attributes:
        nodes: NODE[N].
        moves: MOVE[M].
        used: i8[2], nodes and moves in use.
        random: u8[1], the stream of random numbers.
        board: TRUTH[1], that of the iteration.
        legal: u8[64], where each own man may legally go on it.
        seen: VIEW[1], the seat's at a node that is opened, as far as its tries hang on it.
        tries: i2[MOST_TRIES], those of that node.
    """

    nodes: Array
    moves: Array
    used: Array
    random: Array
    board: Array
    legal: Array
    seen: Array
    tries: Array


def new_tree(nodes: int, moves: int, random: Array) -> Tree:
    """Memory for one thread, whose random numbers come from `random: u8[1]`."""
    return Tree(
        nodes=np.zeros(nodes, NODE),
        moves=np.zeros(moves, MOVE),
        used=np.zeros(2, np.int64),
        random=random,
        board=np.zeros(1, TRUTH),
        legal=np.zeros(64, np.uint64),
        seen=np.zeros(1, VIEW),
        tries=np.zeros(MOST_TRIES, np.int16),
    )
