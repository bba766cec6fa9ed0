"""The abstract game: the chances of the referee's messages, and the node that they lead to.

See Ciancarini and Favini (2010, §5.2).

A child of a move is a moment that certain messages lead to. Its key is `answer + 8 * (victim + 1)`: the
answer to the own move, and the square on which the opponent captures in its turn, -1 for none.
"""

import numpy as np

from ks_baselines.darkboard.moves import end_of, generate, kind_of, pack, start_of, under_of
from ks_baselines.mcts.constants import Constants
from ks_baselines.mcts.tree import Move, Node, Tree, child_of, list_others, open_node
from ks_baselines.mcts.worth import exposed_to_pawns, promotion_gain
from ks_env.belief.location.answers import (
    chance_check,
    chance_empty,
    chance_free,
    control,
    control_map,
    is_pawn_capture,
    pawn_control,
    way_of,
)
from ks_env.belief.location.evidence import refusal
from ks_env.belief.location.layout import NONE, ONE, PAWNS, PIECES, SORTS, Location, clear_forbidden, mass_on
from ks_env.belief.location.opponent import capturer, man_captures, silent_turn
from ks_env.belief.metaposition.announcements import line_between
from ks_env.belief.metaposition.boards import pawn_origins
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.opponent_move import simulate_meta
from ks_env.belief.metaposition.own_move import kind_at, simulate_pseudo
from ks_env.core.bits import ZERO, bit, lowest, random_share, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import i8
from ks_env.core.tables import BETWEEN, KING, KING_MOVES, KNIGHT_MOVES, LINES, PAWN, PAWN_ATTACKS

ILLEGAL, SILENT, PAWN_TAKEN, PIECE_TAKEN = range(4)
CHECK = 4  # added to the answer if the move checks
WALK = -2  # instead of a node's number: that of a simulation


@kernel
def draw_answer(tree: Tree, entry: Move) -> int:
    """What the referee says to a move."""
    if random_share(tree.random, 0) >= entry.legal:
        return ILLEGAL
    luck = random_share(tree.random, 0)
    answer = SILENT
    if luck < entry.pawn:
        answer = PAWN_TAKEN
    elif luck < entry.pawn + entry.piece:
        answer = PIECE_TAKEN
    return answer + CHECK if random_share(tree.random, 0) < entry.check else answer


@kernel
def know_control(tree: Tree, node: Node, index: int) -> None:
    """Prob_control at a node, unless it is at hand; `index` is its number, or WALK."""
    if tree.used[2] == index:
        return
    tree.used[2] = index
    known = node.place.known
    control_map(node.place.maps, known.own[0], tree.empty, tree.control)
    tree.sums[0] = mass_on(tree.control, 0, known.own[0] & ~known.own[KING])


@kernel
def chance_pawn_try(place: Location, before: float, move: int) -> float:
    """Chance that the opponent has a pawn try after a move; `before` it, `exposed_to_pawns`."""
    total = before
    if kind_of(move) != KING:
        total += pawn_control(place.maps, end_of(move)) - pawn_control(place.maps, start_of(move))
    return min(ONE, max(NONE, total))


@kernel
def draw_turn(
    tree: Tree, node: Node, index: int, entry: Move, answer: int, retaliation: float, c: Constants
) -> int:
    """The square on which the opponent captures after a move's answer, -1 for none.

    See Ciancarini and Favini (2010, §5.2, second set).

    Where it has a pawn try it almost always makes it (§5.1): the victim is drawn by the pawns that attack it.
    Prob_control is worked out only where something may be captured.

    Args:
        node: NODE before the move.
        index: its number, or WALK.
        answer: to the move.
        retaliation: chance that the man that has captured is captured.
    """
    luck = random_share(tree.random, 0)
    if answer == ILLEGAL:
        return -1
    place, move = node.place, i8(entry.move)
    pawns = exposed_to_pawns(place)
    taken = c.pawn_try * chance_pawn_try(place, pawns, move)
    if answer == SILENT and luck >= taken + (ONE - taken) * c.suffering:
        return -1
    know_control(tree, node, index)
    start, end, kind = start_of(move), end_of(move), kind_of(move)
    control = tree.control[0]
    threatened, captured = kind != KING and control[end] > NONE, answer & 3 >= PAWN_TAKEN
    if threatened and captured:
        if luck < retaliation:
            return end
        luck = random_share(tree.random, 0)
    by_pawn, rest = luck < taken, (luck - taken) / (ONE - taken)
    if not by_pawn and threatened and not captured and answer >= CHECK:
        return end if rest < c.checker_taken else -1
    if not by_pawn and rest >= c.suffering:
        return -1
    total = pawns if by_pawn else tree.sums[0]
    if kind != KING:
        total += attackers(place, control, end, by_pawn) - attackers(place, control, start, by_pawn)
    aim = random_share(tree.random, 0) * total
    men = place.known.own[0] & ~place.known.own[KING]
    while men != ZERO:
        square = lowest(men)
        men = without_lowest(men)
        stands = end if square == start else square
        aim -= attackers(place, control, stands, by_pawn)
        if aim < NONE:
            return stands
    return -1


@kernel
def attackers(place: Location, control: np.ndarray, square: int, pawns: bool) -> float:
    """Expected number of men that attack a square, or of pawns alone; `control: f4[64]` is Prob_control."""
    return pawn_control(place.maps, square) if pawns else control[square]


@kernel
def fit(place: Location) -> None:
    """Mask the matrices by the metaposition and bring each to its number of men: once, for speed."""
    maps, left = place.maps, place.left
    clear_forbidden(place.known, maps)
    for sort in range(SORTS):
        total = NONE
        for square in range(64):
            total += maps[sort, square]
        if total > NONE:
            factor = left[sort] / total
            for square in range(64):
                maps[sort, square] = min(ONE, maps[sort, square] * factor)


@kernel
def own_move(place: Location, move: int, answer: int) -> None:
    """The own move is accepted: what it finds empty, what it captures."""
    start, end = start_of(move), end_of(move)
    captured = answer & 3
    if captured == PAWN_TAKEN:
        place.left[PAWNS] = max(NONE, place.left[PAWNS] - ONE)
    elif captured == PIECE_TAKEN:
        place.left[PIECES] = max(NONE, place.left[PIECES] - ONE)
    known = place.known
    if captured == PIECE_TAKEN:
        known.ghosts[PAWN] &= ~bit(end)
    kings = known.ghosts[KING]
    simulate_pseudo(known, start, end, under_of(move), 1 if captured >= PAWN_TAKEN else 0)
    if answer >= CHECK:  # `simulate_pseudo` takes the king off what the man attacks
        known.ghosts[KING] = kings & ~known.own[0]
    for sort in range(SORTS):
        place.maps[sort, end] = NONE


@kernel
def lose_man(place: Location, square: int, empty: np.ndarray, who: np.ndarray) -> None:
    """The opponent captures on the square and stands there."""
    known = place.known
    kind = kind_at(known, square)
    here = bit(square)
    chance_empty(place.maps, known.own[0], empty)
    capturer(place.maps, empty, square, True, who)
    known.own[kind] &= ~here
    known.own[0] &= ~here
    known.ghosts[0] &= ~here
    lines = LINES[square, 0] | LINES[square, 1] | LINES[square, 2] | LINES[square, 3]
    known.ghosts[0] |= (lines | KNIGHT_MOVES[square] | KING_MOVES[square]) & ~known.own[0]  # it left one
    for other in range(1, 7):
        known.ghosts[other] |= here
    man_captures(place.maps, empty, square, who)


@kernel
def opponent_turn(place: Location, victim: int, drift: np.ndarray, scratch: np.ndarray, c: Constants) -> None:
    """The opponent captures on `victim`, or says nothing (-1): then it has hardly had a pawn try."""
    known = place.known
    if victim >= 0:
        lose_man(place, victim, scratch[0], scratch[1])
    else:
        if c.pawn_try > NONE:
            sources = pawn_origins(known.own[0] & ~known.own[KING])
            while sources != ZERO:
                place.maps[PAWNS, lowest(sources)] *= ONE - c.pawn_try
                sources = without_lowest(sources)
        simulate_meta(known)
        each = ONE / (c.pawn_rate * place.left[PAWNS] + c.piece_rate * place.left[PIECES] + c.king_rate)
        permitted = known.ghosts[KING] & ~known.own[0]
        silent_turn(
            place.maps,
            place.left,
            known.own[0],
            permitted,
            c.king_rate * each,
            c.pawn_rate * each,
            c.piece_rate * each,
            drift,
            scratch,
        )
    fit(place)


@kernel
def follow_move(tree: Tree, node: Node, entry: Move, answer: int, victim: int, c: Constants) -> int:
    """Take a node past an accepted move and the opponent's turn; the square on which that has captured.

    Args:
        node: NODE, in place.
        answer: to the move, not ILLEGAL.
        victim: square on which the opponent captures, -1 for none.
    """
    place, move = node.place, i8(entry.move)
    captured = answer & 3
    if captured == PAWN_TAKEN:
        node.balance += c.enemy_pawn
    elif captured == PIECE_TAKEN:
        node.balance += c.enemy_piece
    own_move(place, move, answer)
    node.balance += promotion_gain(move, c)
    if victim >= 0:
        if kind_at(place.known, victim) == 0:  # a rook that castled away
            victim = -1
        else:
            node.balance -= c.own[kind_at(place.known, victim)]
    opponent_turn(place, victim, tree.drifts[node.time], tree.scratch, c)
    node.time = min(node.time + 1, tree.drifts.shape[0] - 1)
    return victim


@kernel
def follow_refusal(node: Node, entry: Move, scratch: np.ndarray) -> None:
    """Take a node past a refused try; `scratch: f4[4, 64]` is overwritten."""
    place, move = node.place, i8(entry.move)
    chance_empty(place.maps, place.known.own[0], scratch[0])
    refusal(place.known, place.maps, scratch[0], start_of(move), end_of(move))


@kernel
def follow_messages(
    tree: Tree, child: int, parent: int, entry: Move, answer: int, victim: int, c: Constants
) -> None:
    """Make `nodes[child]` the moment after the messages."""
    tree.nodes[child].place = tree.nodes[parent].place
    node = tree.nodes[child]
    node.balance = tree.nodes[parent].balance
    node.time = tree.nodes[parent].time
    if answer == ILLEGAL:
        follow_refusal(node, entry, tree.scratch)
    else:
        follow_move(tree, node, entry, answer, victim, c)


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
def list_moves(known: Metaposition, out: np.ndarray) -> int:
    """The moves of a moment below the root into `out: i4[512]`; how many."""
    return add_pawn_captures(known, out, generate(known, out))


@kernel
def chance_pinned(known: Metaposition, maps: np.ndarray, empty: np.ndarray, start: int, end: int) -> float:
    """Prob_pin as it is printed; `ks_env.belief.location.answers` has a sharper one.

    See Ciancarini and Favini (2010, §5.2).
    """
    king = lowest(known.own[KING])
    if start == king:
        return control(maps, empty, end)
    if line_between(king, start) < 0 or BETWEEN[king, start] & known.own[0] != ZERO:
        return NONE
    return control(maps, empty, start)


@kernel
def chance_legal(known: Metaposition, maps: np.ndarray, empty: np.ndarray, start: int, end: int) -> float:
    """Prob_legal as it is printed: the chance that the way is free, less Prob_pin.

    See Ciancarini and Favini (2010, §5.2).

    Ciancarini and Favini (2010) say nothing of pawn captures: a man has to be there.
    """
    if is_pawn_capture(known, start, end):
        free = min(ONE, maps[PAWNS, end] + maps[PIECES, end])
    else:
        free = chance_free(empty, way_of(known, start, end))
        if start == lowest(known.own[KING]) and abs(start - end) == 2:
            free *= empty[end] * (ONE - min(ONE, control(maps, empty, (start + end) >> 1)))
    return max(NONE, free - chance_pinned(known, maps, empty, start, end))


@kernel
def set_chances(tree: Tree, node: Node, entry: Move) -> None:
    """The chances of the answers to a move; `tree.empty` has to be the node's.

    See Ciancarini and Favini (2010, §5.2, first set).
    """
    start, end = start_of(entry.move), end_of(entry.move)
    set_captures(node, entry, chance_legal(node.place.known, node.place.maps, tree.empty, start, end))


@kernel
def set_captures(node: Node, entry: Move, legal: float) -> None:
    """The chances that a move captures or checks; `legal` is the chance that it is accepted."""
    place, move = node.place, i8(entry.move)
    maps, start, end = place.maps, start_of(move), end_of(move)
    entry.legal = legal
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
def find_child(tree: Tree, place: int, answer: int, victim: int, c: Constants) -> int:
    """The child of a move that the messages lead to, made if it is missing; -1 if the memory is used up."""
    key = answer + 8 * (victim + 1)
    child = child_of(tree, place, key)
    return child if child >= 0 else new_child(tree, place, answer, victim, key, c)


@kernel
def draw_child(tree: Tree, index: int, place: int, c: Constants) -> int:
    """Draw messages for a move of the node; the child that they lead to, as `find_child`.

    This is how Ciancarini and Favini (2010) have it.
    """
    node, entry = tree.nodes[index], tree.moves[place]
    answer = draw_answer(tree, entry)
    victim = draw_turn(tree, node, index, entry, answer, c.retaliation, c)
    return find_child(tree, place, answer, victim, c)
