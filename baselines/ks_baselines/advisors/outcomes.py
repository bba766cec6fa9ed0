"""What the referee would answer to a try on a board, and what that is worth.

All is seen from the seat to move, in its own frame, as seat 0.
"""

import numpy as np

from ks_baselines.advisors.chess.board import Board, from_truth, pass_turn
from ks_baselines.advisors.chess.moves import end_of, promotion_of, start_of
from ks_baselines.advisors.chess.search import MATE, Search, score_moves, score_position
from ks_env.belief.joint.boards import number_on, numbers_among, without_hidden
from ks_env.core.answers import ILLEGAL, LOST, MOVED
from ks_env.core.bits import ZERO
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.position import has_legal_move, is_legal, play, refresh
from ks_env.core.record import f8, i8
from ks_env.core.tables import QUEEN, TRY_FROM, TRY_INDEX, TRY_KIND, TRY_TO, UNDER_INDEX
from ks_env.games.invisible.announcement import CHECK
from ks_env.games.invisible.judge import attackers_after, obstacle

MIXER = np.uint64(0x9E3779B97F4A7C15)


@kernel
def answer_to(truth: Truth, passed: int, action: int) -> int:
    """The kind of answer to a try that fits the seat's own board: MOVED, ILLEGAL or LOST."""
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if is_legal(truth, start, end):
        return MOVED
    if truth.checkers != ZERO or obstacle(truth, passed, start, end) == CHECK:
        return ILLEGAL
    return LOST


@kernel
def _mix(words: np.uint64, men: np.uint64) -> np.uint64:
    """One number of a small one and a board; scattered first, the small one's bits look like no squares."""
    return (words * MIXER) ^ men


@kernel
def told_by(truths: np.ndarray, at: int, row: np.ndarray, passed: int, action: int) -> np.uint64:
    """All that the mover would be told after a try, as one number: equal numbers, equal words.

    `truths[at]: TRUTH` is the board, `truths[at + 1]` is overwritten.
    """
    truth = truths[at]
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    answer = answer_to(truth, passed, action)
    if answer == LOST:
        return np.uint64(LOST)
    if answer == ILLEGAL:
        why = obstacle(truth, passed, start, end)
        by = attackers_after(truth, passed, start, end) if why == CHECK else ZERO
        said = np.uint64(ILLEGAL + 16 * why + 64 * numbers_among(row, by))
        return _mix(said, without_hidden(row, by))
    truths[at + 1] = truth
    after = truths[at + 1]
    play(after, start, end, i8(TRY_KIND[action]))
    refresh(after)
    taken, passing = 0, 0
    if after.said.square >= 0:
        taken = 1 + number_on(row, i8(after.said.square))
        passing = 0 if after.said.square == end else 1
    over = 0 if has_legal_move(after) else 1
    return _mix(np.uint64(MOVED + 16 * taken + 512 * over + 1024 * passing), after.checkers)


@kernel
def _action_of(move: int) -> int:
    start, end, kind = start_of(move), end_of(move), promotion_of(move)
    if kind == 0 or kind == QUEEN:
        return i8(TRY_INDEX[start, end])
    return i8(UNDER_INDEX[start & 7, (end & 7) - (start & 7) + 1]) + kind - 2


@kernel
def utilities_on(
    truth: Truth,
    passed: int,
    tries: np.ndarray,
    count: int,
    depth: int,
    memory: Search,
    board: Board,
    moves: np.ndarray,
    scores: np.ndarray,
    by_try: np.ndarray,
    out: np.ndarray,
) -> None:
    """The strategic utility of each try on one board, in centipawns for the mover.

    A legal try is worth what the search says; a lost turn what the position is worth with the other side to
    move; an illegal one what the best legal move is worth, since another try follows.

    Args:
        truth: TRUTH of the board.
        passed: square that a pawn has just passed over; -1.
        tries: i2[count].
        count: how many.
        depth: of the search, in plies, the try included.
        memory: SEARCH.
        board: BOARD, overwritten.
        moves: i4[MOST_MOVES], overwritten.
        scores: i4[MOST_MOVES], overwritten.
        by_try: i4[TRIES], overwritten.
        out: f8[count], filled.
    """
    from_truth(truth, board)
    legal = score_moves(board, depth, memory, moves, scores)
    best = -MATE if truth.checkers != ZERO else 0  # where there is no legal move
    if legal > 0:
        best = i8(scores[0])
    for i in range(legal):
        by_try[_action_of(i8(moves[i]))] = scores[i]
        best = max(best, i8(scores[i]))
    passing = 0
    known = False
    for i in range(count):
        answer = answer_to(truth, passed, i8(tries[i]))
        if answer == MOVED:
            out[i] = f8(by_try[tries[i]])
        elif answer == ILLEGAL:
            out[i] = f8(best)
        else:
            if not known:
                pass_turn(board)
                passing = -score_position(board, depth - 1, memory)
                known = True
            out[i] = f8(passing)
