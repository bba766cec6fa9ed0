"""Approach A (Ciancarini and Favini 2010, §5.1, Fig. 5): UCT over the own moves on random boards.

    node (own turn)  --move-->  answer to it  --the opponent's turn-->  node (own turn)

Ciancarini and Favini (2010, §5.1): "the tree does not contain boards, but only referee's messages which are
used to traverse it". A NODE is a moment at which the seat is to move, a MOVE is one of its tries there, and
the two tiers of messages are one number, the `key` of the child that they lead to. The own men at a node
follow from the moves and the captures announced on the way, so its tries are the same on every board.

An iteration takes a board of the pool and goes down from the root. At a node, own moves are those of its
tries that are legal on the board: `uctSelection(n, legalMoves(b), ...)`. While some of them have not been
expanded, one of these is at random ("adding a new random node with each iteration"), played, and the game
simulated to its end; otherwise the one with the greatest v + c √(ln N / n) is played, the opponent answers
with a pseudo-random move, and the referee's messages to both select the child. The mean result is backed up.

Readings: since selection is among legal moves, as in Fig. 5, no refused try is in the tree; one that is legal
on few boards is visited less often, and so less likely to be the most visited. N is the visits of the node,
on whatever boards. A simulation is not adjudicated if the ending stands on the board already when it is
drawn, or every move would be worth the same.

The key of a child says what is heard, the answer to the own move and then the reply:

========  =======================================================================================
bits      what the seat hears
========  =======================================================================================
0–1       what is said to be captured by the own move: nothing, a pawn, a piece, a man
2         the square said is not the one on which the move ended (en passant)
3–7, 8–9  types of the checks given, and how many men give them
10–14     pawn tries of the opponent, plus 1; 0 if nothing is said
15–21     square on which the opponent captures, plus 1; 0 for none
22–26     types of the checks suffered; 27–28 by how many men
29–33     own pawn tries, plus 1; 0 if nothing is said
34        a promotion of the opponent was announced
35–48     the opponent's pawns that have a capture, where they are named: a digest
49–62     the same for one's own
========  =======================================================================================

What only the referee knows is in no key. Kinds of own men need no saying, and the squares of own captures
follow from the move.
"""

from typing import NamedTuple

import numpy as np

from ks_baselines.darkboard.moves import end_of, pack, start_of, under_of
from ks_baselines.mcts.approach_a.constants import Constants
from ks_baselines.mcts.approach_a.playout import (
    GOES_ON,
    NO_MOVE,
    clear_winner,
    pseudo_random_move,
    result,
    simulate,
    without_moves,
)
from ks_baselines.mcts.approach_a.pool import Pool
from ks_baselines.mcts.tree import MOST_DEPTH, child_of
from ks_env.core.bits import ZERO, has, lowest, popcount, random_below, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import TRUTH, Rules, Truth
from ks_env.core.position import check_types, legal_targets, play, refresh
from ks_env.core.record import Array, Record, dtype_of, f4, field, i1, i8, u1
from ks_env.core.ruleset import SQUARES
from ks_env.core.tables import ANY, BOTH_SIDES, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.games.kriegspiel.hearing import said_kind, said_square, said_tries
from ks_env.games.kriegspiel.layout import VIEW
from ks_env.games.kriegspiel.tries import NOT_ASKED, list_tries


class Node(Record):
    """The record NODE."""

    key: int = field("i8")  # the messages by which it was reached, see above
    visits: int = field("i4")  # how many iterations came through; so often were these messages drawn
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


class Tree(NamedTuple):
    """Memory of a search.

    Attributes:
        nodes: NODE[N].
        moves: MOVE[M].
        used: i8[2], nodes and moves in use.
        random: u8[1], the stream of random numbers.
        board: TRUTH[1], that of the iteration.
        legal: u8[64], where each own man may legally go on it.
        seen: VIEW[1], the seat's at a node that is opened, as far as its tries depend on it.
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


DIGEST = np.uint64(0x9E3779B97F4A7C15)


@kernel
def digest(board: np.uint64) -> int:
    """14 bits that tell boards of pawns apart, 0 for none: equal for two in some 16,000."""
    if board == ZERO:
        return 0
    return i8((board * DIGEST) >> np.uint64(50))


@kernel
def checks_part(truth: Truth) -> int:
    """Check types and checkers of the side to move: 7 bits."""
    return i8(check_types(truth)) | popcount(truth.checkers) << 5


@kernel
def tries_part(truth: Truth, rules: Rules) -> int:
    """What is said of the pawn tries of the side to move: 5 bits."""
    said = truth.said
    said.tries = truth.tries
    return i8(said_tries(said, rules)) + 1


@kernel
def answer_key(truth: Truth, rules: Rules, end: int) -> int:
    """The answer to the own move, which ended on `end`; the board is played and refreshed."""
    said = truth.said
    key = i8(said_kind(said, rules))
    if key != 0 and said_square(said, rules) != end:
        key |= 4
    key |= checks_part(truth) << 3 | tries_part(truth, rules) << 10
    if rules.pawn_tries == SQUARES:
        key |= digest(truth.try_squares) << 35
    return key


@kernel
def turn_key(truth: Truth, rules: Rules) -> int:
    """What is heard of the opponent's move; the board is played and refreshed."""
    said = truth.said
    key = 0
    if said.captured != 0:
        key = (i8(said_square(said, rules)) + 1) << 15
    key |= checks_part(truth) << 22 | tries_part(truth, rules) << 29
    if rules.promotion_said and said.promoted != 0:
        key |= 1 << 34
    if rules.pawn_tries == SQUARES:
        key |= digest(truth.try_squares) << 49
    return key


@kernel
def open_node(tree: Tree, index: int, men: np.ndarray, n: int) -> bool:
    """Give a node the first n of `tree.tries` as moves; False if the memory is used up.

    Args:
        men: u1[64], kinds of own men on their squares.
        n: how many tries, without "any?".
    """
    first = tree.used[1]
    if first + n > tree.moves.shape[0]:
        return False
    tree.used[1] += n
    node = tree.nodes[index]
    node.first = first
    node.count = n
    node.tried = 0
    node.visits = 0
    for i in range(n):
        action = i8(tree.tries[i])
        start = i8(TRY_FROM[action])
        entry = tree.moves[first + i]
        entry.move = pack(start, i8(TRY_TO[action]), i8(men[start]) & 7, i8(TRY_KIND[action]))
        entry.node = index
        entry.visits = 0
        entry.value = entry.total = f4(0.0)
        entry.child = -1
    return True


@kernel
def tries_on(tree: Tree, rules: Rules) -> int:
    """List the seat's tries on the iteration's board from what it would know there; how many."""
    board, view = tree.board[0], tree.seen[0]
    view.own = board.seats[0]
    for kind in range(1, 7):
        view.kinds[kind] = board.kinds[kind] & board.seats[0]
    view.rights = u1(board.rights & BOTH_SIDES)
    view.checks = u1(check_types(board))
    view.checkers = u1(popcount(board.checkers))
    board.said.tries = board.tries
    view.tries = i1(said_tries(board.said, rules))
    view.try_squares = board.try_squares
    view.enemy = i1(-1)
    view.asked = u1(NOT_ASKED)
    n = list_tries(view, rules, INFORMED, tree.tries)
    return n - 1 if n > 0 and tree.tries[n - 1] == ANY else n


@kernel
def find_legal(tree: Tree) -> None:
    """Fill `tree.legal` for the men of side 0, which is to move."""
    board = tree.board[0]
    men = board.seats[0]
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        tree.legal[start] = legal_targets(board, start)


@kernel
def is_open(tree: Tree, place: int) -> bool:
    """Whether the move is legal on the iteration's board."""
    move = i8(tree.moves[place].move)
    return has(tree.legal[start_of(move)], end_of(move))


@kernel
def expand(tree: Tree, index: int) -> int:
    """A random legal move of the node that has not been expanded, put behind those that have; -1 for none."""
    node = tree.nodes[index]
    found, able = i8(-1), 0
    for place in range(node.first + node.tried, node.first + node.count):
        if is_open(tree, place):
            able += 1
            if random_below(tree.random, 0, able) == 0:
                found = i8(place)
    if found < 0:
        return found
    front = i8(node.first + node.tried)
    move = tree.moves[found].move
    tree.moves[found].move = tree.moves[front].move
    tree.moves[front].move = move
    node.tried += 1
    return front


@kernel
def select(tree: Tree, index: int, c: Constants) -> int:
    """The legal move with the greatest v + c √(ln N / n) (Ciancarini and Favini 2010, §2), -1 for none."""
    node = tree.nodes[index]
    logarithm = np.log(f4(max(1, node.visits)))
    best, found = f4(-np.inf), i8(-1)
    for place in range(node.first, node.first + node.tried):
        if is_open(tree, place):
            entry = tree.moves[place]
            bound = entry.value + c.exploration * np.sqrt(logarithm / f4(entry.visits))
            if bound > best:
                best, found = bound, i8(place)
    return found


@kernel
def new_child(tree: Tree, place: int, key: int, rules: Rules) -> int:
    """Make the child to which the messages lead; -1 if the memory is used up."""
    child = tree.used[0]
    if child >= tree.nodes.shape[0]:
        return i8(-1)
    n = tries_on(tree, rules)
    if not open_node(tree, child, tree.board[0].men, n):
        return i8(-1)
    tree.used[0] += 1
    node = tree.nodes[child]
    node.move = place
    node.key = key
    node.next = tree.moves[place].child
    tree.moves[place].child = child
    return child


@kernel
def back_up_node(tree: Tree, index: int) -> int:
    """Count an iteration at a node; the move by which it was reached, -1 at the root."""
    node = tree.nodes[index]
    node.visits += 1
    return i8(node.move)


@kernel
def back_up(tree: Tree, place: int, value: float) -> None:
    """Count a result at a move and all above it: "the average node value as backup operator"."""
    while place >= 0:
        entry = tree.moves[place]
        entry.visits += 1
        entry.total += value
        entry.value = entry.total / f4(entry.visits)
        place = back_up_node(tree, i8(entry.node))


@kernel
def answer(tree: Tree, place: int, key: int, rules: Rules, adjudicate: bool, c: Constants) -> int:
    """The opponent's turn after a move; the child that the messages lead to.

    -1 if the game ended or the tree is full, and then the result has been backed up.
    """
    board = tree.board[0]
    reply = pseudo_random_move(board, tree.random, c)
    if reply == NO_MOVE:
        back_up(tree, place, without_moves(board, rules))
        return i8(-1)
    play(board, start_of(reply), end_of(reply), 0)
    refresh(board)
    value = result(board, rules, adjudicate)
    child = i8(-1)
    if value == GOES_ON:
        key |= turn_key(board, rules)
        child = child_of(tree, place, key)
        if child < 0:
            child = new_child(tree, place, key, rules)
        if child >= 0:
            return child
        value = simulate(board, tree.random, rules, adjudicate, c)
    back_up(tree, place, value)
    return child


@kernel
def make_move(tree: Tree, place: int, rules: Rules, adjudicate: bool) -> float:
    """Play a move of the tree on the iteration's board; its result, or GOES_ON."""
    board, move = tree.board[0], i8(tree.moves[place].move)
    play(board, start_of(move), end_of(move), under_of(move))
    refresh(board)
    return result(board, rules, adjudicate)


@kernel
def iterate(tree: Tree, rules: Rules, c: Constants) -> None:
    """One iteration on `tree.board`: selection, expansion, simulation, backpropagation."""
    board = tree.board[0]
    adjudicate = clear_winner(board) == GOES_ON
    index = i8(0)
    for depth in range(MOST_DEPTH):
        find_legal(tree)
        place = expand(tree, index)
        leaf = place >= 0 or depth == MOST_DEPTH - 1
        if place < 0:
            place = select(tree, index, c)
        if place < 0:
            back_up(tree, back_up_node(tree, index), without_moves(board, rules))
            return
        value = make_move(tree, place, rules, adjudicate)
        if value == GOES_ON and leaf:
            value = simulate(board, tree.random, rules, adjudicate, c)
        if value != GOES_ON:
            back_up(tree, place, value)
            return
        index = answer(
            tree, place, answer_key(board, rules, end_of(tree.moves[place].move)), rules, adjudicate, c
        )
        if index < 0:
            return


@kernel
def search(tree: Tree, pool: Pool, iterations: int, rules: Rules, c: Constants) -> int:
    """Iterate from the root, `nodes[0]`, which is open, each time on a board of the pool; how many times."""
    for _ in range(iterations):
        tree.board[0] = pool.boards[random_below(tree.random, 0, pool.used[0])]
        iterate(tree, rules, c)
    return iterations
