"""Fixed-depth search that gives every legal move its exact value (Bud et al. 2001, §4, footnote 2).

Fail-soft alpha-beta; captures first, the most valuable victim by the least valuable attacker, then two
killers a ply. Below the last ply, captures and promotions to queens only, with the right to stand still; in
check, all evasions for the first `EVASIONS` plies of this. After `MOST_QUIET` positions below one of the
last ply all others there are taken as they stand: positions full of queens have no end of captures. Each move
of the root has the full window, so that no value is a bound. A stalemate below the last ply is seen where the
side to move has but its king and pawns.

    10,000 - n   a mate after n plies        0   stalemate
    10,000       the king can be taken: only where the side not to move is in check
"""

from typing import NamedTuple

import numpy as np

from ks_baselines.advisors.chess.board import (
    BOARD,
    Board,
    find_checkers,
    find_pinned,
    from_truth,
    in_check,
    play,
    refresh,
)
from ks_baselines.advisors.chess.evaluation import evaluate
from ks_baselines.advisors.chess.moves import (
    CAPTURE,
    KILLER,
    MOST_MOVES,
    MOVE_MASK,
    ORDER,
    end_of,
    generate,
    generate_captures,
    promotion_of,
    start_of,
    take_best,
)
from ks_env.core.bits import ZERO
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.position import king_square
from ks_env.core.record import Array, Record, dtype_of, field, i4, i8
from ks_env.core.tables import KING, PAWN, QUEEN, TRIES
from ks_env.core.tries import number_of

MATE = 10_000
INFINITE = 20_000
DEEPEST = 16  # plies of a search
LEVELS = DEEPEST + 64  # with captures, promotions and evasions below
EVASIONS = 4
MOST_QUIET = 30_000


class Node(Record):
    """The record NODE."""

    board: Board = field(BOARD)
    best: int = field("i8")  # the best value so far
    alpha: int = field("i8")  # values up to this one need not be exact
    beta: int = field("i8")  # nor those from this one
    depth: int = field("i8")  # plies to go; from 0 on downwards only captures are looked into
    moves: int = field("i8")  # how many there are
    at: int = field("i8")  # how many of them have been looked into
    move: int = field("i8")  # the latest of these


NODE = dtype_of(Node)


class Search(Record):
    """The record SEARCH."""

    nodes: int = field("i8")  # positions visited, quiescence included; only ever counted up
    last_ply: int = field("i8")  # the same at the latest position of the last ply
    path: tuple[Node, ...] = field(NODE, (LEVELS,))  # from the root
    killers: Array = field("i4", (LEVELS, 2))  # quiet moves too good elsewhere on the ply, latest first
    moves: Array = field("i4", (LEVELS, MOST_MOVES))  # of each position of the path, see `moves`


SEARCH = dtype_of(Search)


class Scoring(NamedTuple):
    """Memory for the values of all moves of a position; each thread needs its own.

    Attributes:
        search: SEARCH[1].
        board: BOARD[1], the position.
        moves: i4[MOST_MOVES], its legal moves.
        scores: i4[MOST_MOVES], their values in centipawns for the mover.
        by_try: i4[TRIES], the same by the number of the try.
    """

    search: Array
    board: Array
    moves: Array
    scores: Array
    by_try: Array


def new_scoring() -> Scoring:
    """Memory for one thread."""
    moves, scores = np.zeros(MOST_MOVES, np.int32), np.zeros(MOST_MOVES, np.int32)
    return Scoring(np.zeros(1, SEARCH), np.zeros(1, BOARD), moves, scores, np.zeros(TRIES, np.int32))


@kernel
def _only_pawns(board: Board) -> bool:
    """Whether the side to move has pawns and its king only, as in nearly every stalemate."""
    own = board.seats[i8(board.side)]
    return own & ~(board.kinds[PAWN] | board.kinds[KING]) == ZERO


@kernel
def _order_killers(moves: np.ndarray, n: int, killers: np.ndarray) -> None:
    for i in range(n):
        move = moves[i] & MOVE_MASK
        if moves[i] >= CAPTURE << ORDER:
            continue
        if move == killers[0]:
            moves[i] = i4((KILLER + 1) << ORDER | move)
        elif move == killers[1]:
            moves[i] = i4(KILLER << ORDER | move)


@kernel
def _remember_killer(killers: np.ndarray, move: int) -> None:
    bare = i4(move & MOVE_MASK)
    if move < CAPTURE << ORDER and bare != killers[0]:
        killers[1] = killers[0]
        killers[0] = bare


@kernel
def _open_quiet(node: Node, moves: np.ndarray, last: bool) -> None:
    """Begin with a position of the captures: standing still, then captures; in check, all evasions.

    Args:
        node: NODE, whose board, depth (0 or less) and bounds are set.
        moves: i4[MOST_MOVES].
        last: nothing may be looked into.
    """
    board = node.board
    node.moves = 0
    find_checkers(board)
    if board.checkers != ZERO and node.depth > -EVASIONS and not last:
        find_pinned(board)
        node.best = -INFINITE
        node.moves = generate(board, moves)
        return
    if node.depth == 0 and _only_pawns(board):
        find_pinned(board)
        if generate(board, moves) == 0:
            node.best = 0
            return
    node.best = evaluate(board)
    if not last and node.best < node.beta:
        find_pinned(board)
        node.moves = generate_captures(board, moves)


@kernel
def _open(memory: Search, ply: int, depth: int, alpha: int, beta: int) -> None:
    """Begin with the position of the path at `ply`, whose board is set."""
    node, moves = memory.path[ply], memory.moves[ply]
    memory.nodes += 1
    node.alpha, node.beta, node.depth, node.at = alpha, beta, depth, 0
    if depth <= 0:
        if depth == 0:
            memory.last_ply = memory.nodes
        _open_quiet(node, moves, ply >= LEVELS - 1 or memory.nodes - memory.last_ply > MOST_QUIET)
        return
    refresh(node.board)
    node.best = -INFINITE
    node.moves = generate(node.board, moves)
    _order_killers(moves, node.moves, memory.killers[ply])


@kernel
def _go_down(memory: Search, ply: int, move: int) -> None:
    below = memory.path[ply + 1].board
    memory.path[ply + 1].board = memory.path[ply].board
    play(below, start_of(move), end_of(move), promotion_of(move))


@kernel
def _close(node: Node, ply: int) -> int:
    """Value of a position when its moves have been looked into."""
    if node.best > -INFINITE:
        return node.best
    return ply - MATE if node.board.checkers != ZERO else 0


@kernel
def search(memory: Search, first: int, depth: int, alpha: int, beta: int) -> int:
    """Value of the position of the path at ply `first`, for its side to move.

    The tree is walked with a path of its own: a kernel that calls itself crashes when Numba loads its
    caller from the cache.

    Args:
        first: ply from the root.
        depth: plies to go; captures are looked into below.
        alpha: values up to this one need not be exact.
        beta: nor those from this one.
    """
    ply = first
    _open(memory, ply, depth, alpha, beta)
    while True:
        node = memory.path[ply]
        if node.at < node.moves and node.best < node.beta:
            move = take_best(memory.moves[ply], node.at, node.moves)
            node.at += 1
            node.move = move
            _go_down(memory, ply, move)
            ply += 1
            _open(memory, ply, node.depth - 1, -node.beta, -max(node.alpha, node.best))
            continue
        value = _close(node, ply)
        if ply == first:
            return value
        ply -= 1
        above = memory.path[ply]
        if -value > above.best:
            above.best = -value
            if -value >= above.beta and above.depth > 0:
                _remember_killer(memory.killers[ply], above.move)


@kernel
def _begin(memory: Search, board: Board) -> None:
    memory.path[0].board = board
    for ply in range(DEEPEST + 1):
        memory.killers[ply, 0] = i4(0)
        memory.killers[ply, 1] = i4(0)


@kernel
def score_moves(board: Board, depth: int, memory: Search, moves: np.ndarray, scores: np.ndarray) -> int:
    """Every legal move with its exact value.

    Args:
        board: BOARD, left as it is.
        depth: plies in all, the move itself included, from 1 to DEEPEST; captures are looked into below.
        memory: SEARCH; its `nodes` goes up by the positions visited.
        moves: i4[MOST_MOVES], filled with the packed moves (see `moves`), without an order.
        scores: i4[MOST_MOVES], filled with their values in centipawns for the mover.

    Returns:
        How many moves.
    """
    _begin(memory, board)
    root = memory.path[0].board
    refresh(root)
    victim = king_square(root, 1 - i8(root.side))
    below = min(depth, DEEPEST) - 1
    count = generate(root, memory.moves[0])
    for i in range(count):
        move = i8(memory.moves[0, i]) & MOVE_MASK
        moves[i] = i4(move)
        if end_of(move) == victim:
            scores[i] = i4(MATE)
        else:
            _go_down(memory, 0, move)
            scores[i] = i4(-search(memory, 1, below, -INFINITE, INFINITE))
    return count


@kernel
def score_position(board: Board, depth: int, memory: Search) -> int:
    """Value for the side to move, in centipawns; with no move it is mated or stalemated.

    After `pass_turn` this is what a lost turn gives to the other side.

    Args:
        board: BOARD, left as it is.
        depth: plies, from 0 (captures only) to DEEPEST.
        memory: SEARCH; its `nodes` goes up by the positions visited.
    """
    if in_check(board, 1 - i8(board.side)):
        return MATE
    _begin(memory, board)
    return search(memory, 0, min(depth, DEEPEST), -INFINITE, INFINITE)


@kernel
def score_tries(scoring: Scoring, truth: Truth, depth: int) -> int:
    """Fill `moves`, `scores` and `by_try` of a TRUTH record's position; how many moves are legal.

    `depth` is that of `score_moves`; tries that are no legal move keep their values.
    """
    from_truth(truth, scoring.board[0])
    legal = score_moves(scoring.board[0], depth, scoring.search[0], scoring.moves, scoring.scores)
    for i in range(legal):
        move = i8(scoring.moves[i])
        kind = promotion_of(move)
        action = number_of(start_of(move), end_of(move), kind if kind != QUEEN else 0)
        scoring.by_try[action] = scoring.scores[i]
    return legal
