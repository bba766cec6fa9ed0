"""Approach B: UCT over messages, a simulation from each new move, the average backed up.

See Ciancarini and Favini (2010, §5.2, Fig. 6).

An iteration ends at the first move that has not been looked at yet, from which it simulates once; every move
on the way has the mean of the simulations that went through it as its value. So a move is sampled as often as
it is visited, where approach C takes the weighted average of its messages at once.

A simulation is a snippet of the abstract game, and its value the men left at its end:

    own try, answer, the opponent's turn; own try, answer, the opponent's turn; ...    at most k own tries

The first try is "the one leading to the tree node where simulation begins". Messages are drawn by their
chances in the model, as in the tree. Own tries are pseudo-random: "both players almost always try to capture
back or exploit a pawn try when possible", which is read as always. The snippet goes on "past the limit of k
moves in the event of a string of captures", and its value is the balance of men then. No board is made.

Readings: a refused try is one of the k, as an illegal one is a leaf in Fig. 9. In a string the opponent's
first capture comes with the "very high chance" of a retaliation, "for the second and subsequent captures, the
program uses Prob_control". The referee announces pawn tries from the second own turn on, as under ICC rules;
what it has said before is in the map.

The hybrid of Ciancarini and Favini (2010, §7) "would simulate the first move like C and then launch longer
simulations for the next moves". The value of its simulation is the weighted average of the first move, as in
C, and what the rest of the snippet adds to the balance that the messages drawn for that move lead to. Its
mean is that of B's.
"""

from collections.abc import Callable

import numpy as np

from ks_baselines.darkboard.moves import end_of, pack
from ks_baselines.mcts.approach_c.search import mean_value, prepare
from ks_baselines.mcts.constants import Constants
from ks_baselines.mcts.messages import (
    ILLEGAL,
    PAWN_TAKEN,
    PIECE_TAKEN,
    WALK,
    draw_answer,
    draw_child,
    draw_turn,
    follow_move,
    follow_refusal,
    know_control,
    list_moves,
    set_chances,
)
from ks_baselines.mcts.tree import MOST_DEPTH, MOST_REFUSED, Node, Tree, select
from ks_baselines.mcts.worth import (
    MOST_CAPTURES,
    becomes,
    guards_by,
    guards_of,
    promotion_gain,
    without_mover,
)
from ks_env.belief.location.answers import chance_empty
from ks_env.belief.location.layout import NONE, ONE, PAWNS, PIECES
from ks_env.belief.metaposition.boards import own_pawn_targets
from ks_env.belief.metaposition.own_move import kind_at
from ks_env.core.bits import ZERO, has, lowest, random_below, random_share, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.memory import uncounted
from ks_env.core.record import f4, i8
from ks_env.core.tables import KING, PAWN, PAWN_ATTACKS

REDRAWS = 8  # of a try that was refused already, before the snippet ends


@kernel
def was_refused(tree: Tree, move: int, refused: int) -> bool:
    """Whether the move is among the first `refused` of those refused to the simulation here."""
    found = False
    for i in range(refused):
        found |= tree.refused[i] == move
    return found


@kernel
def take_back(tree: Tree, square: int, refused: int) -> int:
    """The capture on the square by the cheapest own man that can make it, -1 for none."""
    known = tree.walk[0].place.known
    for kind in range(PAWN, KING + 1):
        men = guards_by(known, square, kind)
        while men != ZERO:
            move = pack(lowest(men), square, kind, 0)
            men = without_lowest(men)
            if not was_refused(tree, move, refused):
                return move
    return -1


@kernel
def hear_pawn_tries(tree: Tree) -> np.uint64:
    """Draw on which squares own pawns may capture, and tell the map; those squares.

    "When a square is found to be empty [...] due to a lack of pawn tries, the probabilities for the enemy
    pieces on that square are set to 0", and brought to 1 where there is a try; the matrices are brought to
    their sums with the opponent's turn. Where a man stands for certain, as one that has just captured, there
    is a try.
    """
    maps, known = tree.walk[0].place.maps, tree.walk[0].place.known
    targets = own_pawn_targets(known.own[PAWN]) & ~known.own[0]
    found = ZERO
    while targets != ZERO:
        square = lowest(targets)
        here = maps[PAWNS, square] + maps[PIECES, square]
        factor = NONE
        if here > NONE and (not has(known.ghosts[0], square) or random_share(tree.random, 0) < here):
            found |= np.uint64(1) << np.uint64(square)
            factor = ONE / here
        maps[PAWNS, square] *= factor
        maps[PIECES, square] *= factor
        targets = without_lowest(targets)
    return found


@kernel
def exploit(tree: Tree, tries: np.uint64, refused: int) -> int:
    """A pawn's capture on one of the squares, -1 for none."""
    pawns = tree.walk[0].place.known.own[PAWN]
    while tries != ZERO:
        square = lowest(tries)
        tries = without_lowest(tries)
        men = pawns & PAWN_ATTACKS[1, square]
        while men != ZERO:
            move = pack(lowest(men), square, PAWN, 0)
            men = without_lowest(men)
            if not was_refused(tree, move, refused):
                return move
    return -1


@kernel
def any_move(tree: Tree, refused: int) -> int:
    """A move at random, -1 where none is found."""
    n = list_moves(tree.walk[0].place.known, tree.list)
    if n == 0:
        return -1
    for _ in range(REDRAWS):
        move = i8(tree.list[random_below(tree.random, 0, n)])
        if not was_refused(tree, move, refused):
            return move
    return -1


@kernel
def next_try(tree: Tree, string: int, tries: np.uint64, refused: int) -> int:
    """The simulation's next try: to take back on `string`, a pawn try, or any; -1 for none."""
    move = -1
    if string >= 0:
        move = take_back(tree, string, refused)
    if move < 0 and tries != ZERO:
        move = exploit(tree, tries, refused)
    return move if move >= 0 else any_move(tree, refused)


@kernel
def weigh_try(tree: Tree, move: int, string: int) -> None:
    """Make the try in `tree.attempt` and work out the chances of its answers; on `string` it captures."""
    walk, attempt = tree.walk[0], tree.attempt[0]
    attempt.move = move
    chance_empty(walk.place.maps, walk.place.known.own[0], tree.empty)
    set_chances(tree, walk, attempt)
    here = attempt.pawn + attempt.piece
    if end_of(move) == string and here > NONE:
        attempt.pawn /= here
        attempt.piece /= here


@kernel
def lost_in_string(tree: Tree, node: Node, move: int, victim: int, c: Constants) -> float:
    """What a string of captures on one square costs, drawn: the opponent has captured on `victim`.

    Own men take back while there are any; the opponent takes again with the chance that Prob_control leaves
    for so many men. `worth.exchange` is the mean of it where all men are worth the same.

    Args:
        tree: memory, with Prob_control at the node.
        node: NODE before the move.
        move: the own move before the first capture.
        victim: square.
    """
    known, control = node.place.known, tree.control[0, victim]
    guards = guards_of(known, victim)
    if victim == end_of(move):
        lost = c.own[becomes(move)]
        guards = without_mover(guards, move)
    else:
        lost = c.own[kind_at(known, victim)]
    for step in range(1, min(MOST_CAPTURES, guards) + 1):
        lost -= c.enemy_piece
        if random_share(tree.random, 0) >= control - f4(step):
            return lost
        lost += c.own[3]
    return lost


@kernel
def last_balance(tree: Tree, node: Node, move: int, answer: int, victim: int, c: Constants) -> float:
    """The balance after the last try of the snippet, its answer, and the string of captures that follows."""
    balance = node.balance
    if answer == ILLEGAL:
        return balance
    if answer & 3 == PAWN_TAKEN:
        balance += c.enemy_pawn
    elif answer & 3 == PIECE_TAKEN:
        balance += c.enemy_piece
    balance += promotion_gain(move, c)
    if victim >= 0:
        balance -= lost_in_string(tree, node, move, victim, c)
    return balance


@kernel
def first_try(tree: Tree, index: int, place: int, c: Constants) -> tuple[int, int]:
    """Make the try that leads to where simulation begins; its answer, and the opponent's victim."""
    node, entry = tree.nodes[index], tree.moves[place]
    if tree.used[2] != index:
        tree.used[2] = -1
        chance_empty(node.place.maps, node.place.known.own[0], tree.empty)
    set_chances(tree, node, entry)
    answer = draw_answer(tree, entry)
    return answer, draw_turn(tree, node, index, entry, answer, c.retaliation, c)


@kernel
def play_on(tree: Tree, left: int, answer: int, victim: int, c: Constants) -> float:
    """The rest of a snippet whose last try is `tree.attempt`, made at `tree.walk`; the balance at its end.

    Args:
        left: own tries to come.
        answer: to that try.
        victim: of the opponent's turn after it.
    """
    walk, attempt = tree.walk[0], tree.attempt[0]
    string, refused, tries = -1, 0, ZERO
    for ahead in range(left, 0, -1):
        if answer == ILLEGAL:
            follow_refusal(walk, attempt, tree.scratch)
            tree.refused[refused] = attempt.move
            refused = min(refused + 1, MOST_REFUSED - 1)
        else:
            string = follow_move(tree, walk, attempt, answer, victim, c)
            refused = 0
            tries = hear_pawn_tries(tree)
        tree.used[2] = -1
        move = next_try(tree, string, tries, refused)
        if move < 0:
            return walk.balance
        weigh_try(tree, move, string)
        answer = draw_answer(tree, attempt)
        retaliation = c.retaliation
        if end_of(move) == string and answer != ILLEGAL:
            know_control(tree, walk, WALK)
            retaliation = min(ONE, tree.control[0, string])
        victim = draw_turn(tree, walk, WALK, attempt, answer, retaliation, c)
        if ahead == 1:
            return last_balance(tree, walk, move, answer, victim, c)
    return walk.balance


@kernel
def simulate(tree: Tree, index: int, place: int, k: int, c: Constants) -> float:
    """Simulate from a move of the node that is looked at for the first time; the balance of men at the end.

    Args:
        place: of the move, in `tree.moves`.
        k: most own tries.
    """
    answer, victim = first_try(tree, index, place, c)
    if k == 1:
        return last_balance(tree, tree.nodes[index], i8(tree.moves[place].move), answer, victim, c)
    tree.walk[0] = tree.nodes[index]
    tree.attempt[0] = tree.moves[place]
    return play_on(tree, k - 1, answer, victim, c)


@kernel
def simulate_after_mean(tree: Tree, index: int, place: int, k: int, c: Constants) -> float:
    """See `simulate`; the first move counts with its weighted average (Ciancarini and Favini 2010, §7)."""
    node, entry = tree.nodes[index], tree.moves[place]
    prepare(tree, index, c)
    mean = mean_value(tree, node, entry, c)
    if k == 1:
        return mean
    answer = draw_answer(tree, entry)
    victim = draw_turn(tree, node, index, entry, answer, c.retaliation, c)
    drawn = last_balance(tree, node, i8(entry.move), answer, victim, c)
    tree.walk[0] = node
    tree.attempt[0] = entry
    return mean + play_on(tree, k - 1, answer, victim, c) - drawn


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
def end_at(tree: Tree, index: int) -> None:
    """An iteration ends at a node without a new move: its balance is the outcome."""
    node = tree.nodes[index]
    if node.move >= 0:
        node.visits += 1
        node.times += 1
        credit(tree, i8(node.move), node.balance)


def search_by(simulate: Callable[..., float]) -> Callable[..., int]:
    """The kernel `search`, with a simulation.

    Args:
        simulate: (tree, index, place, k, c): see `simulate`.
    """

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
    def iterate(tree: Tree, k: int, c: Constants) -> bool:
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
    def search(tree: Tree, iterations: int, k: int, c: Constants) -> int:
        """Iterate from the root, `nodes[0]`, which is open; how many iterations were made."""
        tree = uncounted(tree)
        for done in range(iterations):
            if not iterate(tree, k, c):
                return done
        return iterations

    return search


search_b = search_by(simulate)
search_hybrid = search_by(simulate_after_mean)
