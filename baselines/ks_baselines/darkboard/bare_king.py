"""Play against a bare king: an exact search over the squares where it may be.

Once the opponent has its king alone, the metaposition is the information set itself: a set of squares. A try
splits it by the referee's answer, and nothing needs to be assumed:

    illegal       the king stands in the way, or next to where the own king went: the set shrinks for free
    check types   those squares that are attacked in that way; without a flight the king is mated
    silent        the others; without a flight that is stalemate, which is avoided before all else

The same search chases a king that has few men left besides, with a queen or rook and another piece. These men
are left out of account, but that they may move in the king's place and may stand in the way of a check: it
is no longer exact then.

After each answer but the first the king moves. The cost of a try is the mean over the set of the cost after
the answers; at the leaves it is judged how large a region the king has to live in.
"""

from typing import NamedTuple

import numpy as np

from ks_baselines.darkboard.components import CENTRALITY, controlled
from ks_baselines.darkboard.moves import end_of, generate, kind_of, start_of, under_of
from ks_env.belief.metaposition.boards import king_squares
from ks_env.belief.metaposition.layout import METAPOSITION, Metaposition
from ks_env.core.attacks import bishop_attacks, rook_attacks, steps_apart
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.position import types_of_checks
from ks_env.core.record import f8, i8, u1
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
)

LEVELS = 3  # own moves looked ahead at most
MOST = 512
BEAM = 10  # moves that are looked at two moves deep
GROUPS = 34  # answers: illegal, silent, 32 combinations of check types
ILLEGAL, SILENT = 32, 0

# Costs in moves; ours. Only their order of size matters: stalemate, lost men, then the king's freedom.
STALEMATE_COST = 1500.0
OTHERS_STALEMATE = 0.5  # factor of that while the king has other men that may be able to move
LOST_COST = (0.0, 25.0, 25.0, 30.0, 80.0, 120.0, 0.0)  # by kind
REGION_COST = 0.35  # for each square of the king's region
SQUARE_COST = 0.15  # for each square where it may be
CENTRE_COST = 0.12  # for the centrality of each of these, at most eight of them counted in full
KING_COST = 0.25  # for each step between the kings
MEN_COST = 0.06  # for each step between the king and an own piece
NO_HEAVY_COST = 40.0  # nothing to mate with yet
ONE_HEAVY_COST = 6.0  # one queen or rook alone
PAWN_COST = 2.0  # for each step of the foremost pawn to promotion, while it is needed


class Kings(NamedTuple):
    """Memory of this search, made once a player.

    Attributes:
        men: METAPOSITION[LEVELS + 2], the own men along the line of play.
        moves: i4[LEVELS + 2, MOST].
        sets: u8[LEVELS + 2, GROUPS], the squares of each answer.
        costs: f8[LEVELS + 2, MOST], costs of the moves.
        by: u8[7], control by kind.
        tally: i8[2], sets judged so far; 1 if the king has other men, which may move in its place.
    """

    men: np.ndarray
    moves: np.ndarray
    sets: np.ndarray
    costs: np.ndarray
    by: np.ndarray
    tally: np.ndarray


def new_kings() -> Kings:
    """Memory for one player."""
    levels = LEVELS + 2
    return Kings(
        men=np.zeros(levels, METAPOSITION),
        moves=np.zeros((levels, MOST), np.int32),
        sets=np.zeros((levels, GROUPS), np.uint64),
        costs=np.zeros((levels, MOST)),
        by=np.zeros(7, np.uint64),
        tally=np.zeros(2, np.int64),
    )


@kernel
def move_own(m: Metaposition, move: int) -> None:
    """Move an own man on boards that hold the own men alone."""
    start, end, kind = start_of(move), end_of(move), kind_of(move)
    m.own[kind] &= ~bit(start)
    if kind == PAWN and end >= 56:
        kind = under_of(move) if under_of(move) != 0 else QUEEN
    m.own[kind] |= bit(end)
    m.own[0] = (m.own[0] & ~bit(start)) | bit(end)
    if kind == KING:
        m.rights = u1(0)
    m.ghosts[0] = ~m.own[0]


@kernel
def in_the_way(move: int) -> np.uint64:
    """King squares on which the referee calls the move illegal."""
    start, end = start_of(move), end_of(move)
    if kind_of(move) == KING:
        return KING_MOVES[end] | bit(end)
    return BETWEEN[start, end] | bit(end)


@kernel
def check_types(m: Metaposition, square: int) -> int:
    """Types of the checks that the own men give to a king there, as bits."""
    occupied = m.own[0]
    checkers = rook_attacks(square, occupied) & (m.own[ROOK] | m.own[QUEEN])
    checkers |= bishop_attacks(square, occupied) & (m.own[BISHOP] | m.own[QUEEN])
    checkers |= PAWN_ATTACKS[1, square] & m.own[PAWN] | KNIGHT_MOVES[square] & m.own[KNIGHT]
    return types_of_checks(square, checkers)


@kernel
def flights(control: np.uint64, square: int) -> np.uint64:
    """Squares to which the king may go, own men that nothing protects among them."""
    return KING_MOVES[square] & ~control


@kernel
def split(kings: Kings, level: int, squares: np.uint64, move: int) -> np.uint64:
    """Make the move on `men[level + 1]` and split the set by the answers into `sets[level]`; the control."""
    sets = kings.sets[level]
    for i in range(GROUPS):
        sets[i] = ZERO
    sets[ILLEGAL] = squares & in_the_way(move)
    squares &= ~sets[ILLEGAL]
    kings.men[level + 1] = kings.men[level]
    after = kings.men[level + 1]
    move_own(after, move)
    control = controlled(after, kings.by)
    checked = squares & control
    sets[SILENT] = squares & ~control
    while checked != ZERO:
        square = lowest(checked)
        checked = without_lowest(checked)
        sets[check_types(after, square)] |= bit(square)
    return control


@kernel
def region(squares: np.uint64, free: np.uint64) -> np.uint64:
    """All squares the king can reach from the set over the free ones."""
    grown = squares
    for _ in range(16):
        more = (grown | king_squares(grown)) & (free | squares)
        if more == grown:
            break
        grown = more
    return grown


@kernel
def material_cost(m: Metaposition) -> float:
    """What is still missing to mate with ease."""
    heavy = popcount(m.own[QUEEN]) + popcount(m.own[ROOK])
    if heavy >= 2:
        return 0.0
    cost = ONE_HEAVY_COST
    if heavy == 0:
        light = popcount(m.own[BISHOP]) * 2 + popcount(m.own[KNIGHT])
        cost = NO_HEAVY_COST if light < 3 else ONE_HEAVY_COST * 3.0
    foremost = 0
    pawns = m.own[PAWN]
    while pawns != ZERO:
        foremost = max(foremost, lowest(pawns) >> 3)
        pawns = without_lowest(pawns)
    if foremost > 0:
        cost += PAWN_COST * (7 - foremost)
    return cost


@kernel
def judge_set(kings: Kings, m: Metaposition, squares: np.uint64) -> float:
    """Cost of a set before an own move: how much room the king has, and how far the own king is."""
    kings.tally[0] += 1
    if squares == ZERO:
        return 0.0
    control = controlled(m, kings.by)
    room = region(squares, ~control & ~m.own[0])
    own_king = lowest(m.own[KING])
    cost = REGION_COST * popcount(room) + SQUARE_COST * popcount(squares)
    central = 0.0
    apart = 0.0
    board = squares
    while board != ZERO:
        square = lowest(board)
        board = without_lowest(board)
        central += CENTRALITY[square]
        apart += steps_apart(own_king, square)
    n = f8(popcount(squares))
    cost += CENTRE_COST * central / n * min(n, 8.0) + KING_COST * apart / n
    return cost + MEN_COST * steps_of_pieces(m, lowest(squares)) + material_cost(m)


@kernel
def steps_of_pieces(m: Metaposition, square: int) -> int:
    """How far the own pieces are from a square, all together."""
    steps = 0
    pieces = m.own[0] & ~m.own[PAWN] & ~m.own[KING]
    while pieces != ZERO:
        steps += steps_apart(lowest(pieces), square)
        pieces = without_lowest(pieces)
    return steps


@kernel
def loss(m: Metaposition, control: np.uint64, squares: np.uint64) -> float:
    """Expected cost, times the size of the set, of men that the king may capture: each square's dearest."""
    loose = m.own[0] & ~control
    if loose == ZERO or king_squares(squares) & loose == ZERO:
        return 0.0
    cost = 0.0
    while squares != ZERO:
        square = lowest(squares)
        squares = without_lowest(squares)
        worst = 0.0
        targets = KING_MOVES[square] & loose
        while targets != ZERO:
            target = lowest(targets)
            targets = without_lowest(targets)
            for kind in range(1, KING):
                if has(m.own[kind], target):
                    worst = max(worst, LOST_COST[kind])
        cost += worst
    return cost


@kernel
def sure_control(m: Metaposition, by: np.ndarray) -> np.uint64:
    """Squares that the own men control wherever the opponent's other men may stand."""
    kept = m.ghosts[0]
    others = m.ghosts[PAWN] | m.ghosts[KNIGHT] | m.ghosts[BISHOP] | m.ghosts[ROOK] | m.ghosts[QUEEN]
    m.ghosts[0] = ~(m.own[0] | others)
    control = controlled(m, by)
    m.ghosts[0] = kept
    return control


@kernel
def others_stuck(m: Metaposition) -> float:
    """How much stalemate counts while the king has other men: in full if all are pawns that are blocked."""
    if i8(m.most[0]) - 1 > i8(m.most[PAWN]):
        return OTHERS_STALEMATE
    squares = max(1, popcount(m.ghosts[PAWN]))
    blocked = popcount(m.ghosts[PAWN] & (m.own[0] << np.uint64(8)))
    return OTHERS_STALEMATE + (1.0 - OTHERS_STALEMATE) * blocked / f8(squares)


@kernel
def stuck_cost(kings: Kings, m: Metaposition, control: np.uint64, squares: np.uint64) -> float:
    """Cost, times the size of the set, of stalemates on the squares where the king may stand now."""
    cost = 0.0
    silent = squares & ~control
    pawns = ZERO  # in the way of their own king
    if kings.tally[1] != 0:
        silent = squares & ~sure_control(m, kings.by)
        pawns = m.ghosts[PAWN]
    while silent != ZERO:
        square = lowest(silent)
        silent = without_lowest(silent)
        if flights(control, square) & ~pawns == ZERO:
            cost += STALEMATE_COST
    return cost * others_stuck(m) if kings.tally[1] != 0 else cost


@kernel
def squares_next(kings: Kings, m: Metaposition, control: np.uint64, squares: np.uint64) -> np.uint64:
    """Where the king may stand after the opponent's turn; where it stood, if another man may have moved."""
    free = ~control & ~m.own[0]
    next_ones = king_squares(squares) & free
    return next_ones | (squares & free) if kings.tally[1] != 0 else next_ones


@kernel
def cost_one(kings: Kings, level: int, squares: np.uint64, move: int) -> float:
    """Mean cost of a move, its answers judged at once."""
    control = split(kings, level, squares, move)
    after = kings.men[level + 1]
    sets = kings.sets[level]
    stands = squares & ~sets[ILLEGAL]
    total = loss(after, control, stands) + stuck_cost(kings, after, control, stands)
    if sets[ILLEGAL] == squares:
        return 1000.0  # certainly refused, and nothing learnt
    for i in range(GROUPS):
        if sets[i] == ZERO:
            continue
        size = popcount(sets[i])
        if i == ILLEGAL:
            total += size * judge_set(kings, kings.men[level], sets[i])
        else:
            fled = squares_next(kings, after, control, sets[i])
            total += size * (1.0 + judge_set(kings, after, fled))
    return total / popcount(squares)


@kernel
def best_one(kings: Kings, level: int, squares: np.uint64) -> float:
    """Least mean cost over all moves of `men[level]`, one move deep; 0 for the empty set (mate)."""
    if squares == ZERO:
        return 0.0
    n = generate(kings.men[level], kings.moves[level])
    best = np.inf
    for i in range(n):
        best = min(best, cost_one(kings, level, squares, i8(kings.moves[level, i])))
    return best


@kernel
def cost_two(kings: Kings, level: int, squares: np.uint64, move: int) -> float:
    """Mean cost of a move, its answers looked into one move deep."""
    control = split(kings, level, squares, move)
    after = kings.men[level + 1]
    sets = kings.sets[level]
    if sets[ILLEGAL] == squares:
        return 1000.0
    stands = squares & ~sets[ILLEGAL]
    total = loss(after, control, stands) + stuck_cost(kings, after, control, stands)
    for i in range(ILLEGAL):
        if sets[i] != ZERO:
            fled = squares_next(kings, after, control, sets[i])
            total += popcount(sets[i]) * (1.0 + best_one(kings, level + 1, fled))
    if sets[ILLEGAL] != ZERO:
        kings.men[level + 1] = kings.men[level]
        total += popcount(sets[ILLEGAL]) * best_one(kings, level + 1, sets[ILLEGAL])
    return total / popcount(squares)


@kernel
def may_stalemate(kings: Kings, m: Metaposition, move: int) -> bool:
    """Whether a capture may leave the king stalemated, if it has no other men that can move."""
    kings.men[0] = m
    kings.men[0].ghosts[0] = ~m.own[0]
    kings.tally[1] = 0
    stands = m.ghosts[KING] & ~in_the_way(move)
    control = split(kings, 0, stands, move)
    return stuck_cost(kings, kings.men[1], control, stands) > 0.0


@kernel
def least(costs: np.ndarray, n: int) -> int:
    """Place of the least of the first n costs."""
    found = 0
    for i in range(1, n):
        if costs[i] < costs[found]:
            found = i
    return found


@kernel
def hunt(kings: Kings, m: Metaposition, n: int, bias: np.ndarray) -> int:
    """The best of the n moves in `moves[0]` against the king of a metaposition.

    All are judged one move deep, and the best of them two moves deep.

    Args:
        kings: memory; `costs[0]` is overwritten, `tally[0]` goes up.
        m: METAPOSITION; if the king is not bare, `tally[1]` is 1.
        bias: f8[n], costs added to the moves', such as for repetition.
    """
    kings.men[0] = m
    kings.men[0].ghosts[0] = ~m.own[0]
    kings.men[0].rights = u1(0)
    squares = m.ghosts[KING]
    costs, deeper = kings.costs[0], kings.costs[1]
    if squares == ZERO:
        return 0
    for i in range(n):
        costs[i] = cost_one(kings, 0, squares, i8(kings.moves[0, i])) + bias[i]
        deeper[i] = np.inf
    for _ in range(min(n, BEAM)):
        i = least(costs, n)
        deeper[i] = cost_two(kings, 0, squares, i8(kings.moves[0, i])) + bias[i]
        costs[i] = np.inf
    return least(deeper, n)
