"""The search against a plain minimax, mates, mirrors, and endings that it has to win."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import chess
import numpy as np
import pytest
from ks_baselines.advisors.chess.board import pass_turn
from ks_baselines.advisors.chess.evaluation import (
    BISHOP_SEES,
    LIMIT,
    MOST_SEEN,
    ROOK_SEES,
    evaluate,
    mobility,
)
from ks_baselines.advisors.chess.moves import MOST_MOVES
from ks_baselines.advisors.chess.search import (
    LEVELS,
    MATE,
    MOST_QUIET,
    new_scoring,
    score_moves,
    score_position,
)

from tests.baselines.advisors.chess.oracle import (
    MEMORY,
    kernel_scores,
    minimax,
    oracle_scores,
    random_endings,
    random_positions,
    read_board,
)

SMALL = [
    "4k2r/6pp/8/3pP3/8/8/5PPP/4K2R w Kk d6 0 1",
    "r3k3/1p6/8/2b5/8/1N6/6P1/R3K2R w KQq - 0 1",
    "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1",
    "k7/P7/8/1K6/8/8/8/8 w - - 0 1",
    "3rk3/8/8/8/8/8/4r3/4K2R w K - 0 1",
]


@pytest.mark.parametrize("fen", SMALL)
@pytest.mark.parametrize("depth", [1, 2])
def test_scores_are_those_of_minimax(fen: str, depth: int) -> None:
    board = chess.Board(fen)
    assert kernel_scores(board, depth) == oracle_scores(board, depth)
    assert score_position(read_board(board)[0], depth, MEMORY[0]) == minimax(board, depth, 0)


@pytest.mark.parametrize("seed", range(3))
def test_scores_of_random_endings_are_those_of_minimax(seed: int) -> None:
    for board in random_endings(seed, 12):
        assert kernel_scores(board, 1) == oracle_scores(board, 1)
    for board in random_endings(seed + 100, 1):
        assert kernel_scores(board, 2) == oracle_scores(board, 2)


def test_scores_at_depth_three() -> None:
    board = chess.Board("8/k1p5/8/1P6/8/8/6R1/K7 b - - 0 1")
    assert kernel_scores(board, 3) == oracle_scores(board, 3)


@pytest.mark.parametrize(
    ("fen", "uci", "plies"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 3),
        ("k7/8/8/8/8/1r6/r7/6K1 b - - 0 1", "b3b1", 1),
    ],
)
def test_mates(fen: str, uci: str, plies: int) -> None:
    board = chess.Board(fen)
    scores = kernel_scores(board, plies)
    assert scores[chess.Move.from_uci(uci)] == MATE - plies
    assert max(scores.values()) == MATE - plies


def test_mated_and_stalemated() -> None:
    mated, stale = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"
    for depth in range(3):
        assert score_position(read_board(chess.Board(mated))[0], depth, MEMORY[0]) == -MATE
        assert score_position(read_board(chess.Board(stale))[0], depth, MEMORY[0]) == 0
    assert kernel_scores(chess.Board(mated), 2) == {}


def test_a_king_that_can_be_taken() -> None:
    board = chess.Board("6k1/8/8/8/8/8/8/K5R1 w - - 0 1")
    assert kernel_scores(board, 2)[chess.Move.from_uci("g1g8")] == MATE
    assert score_position(read_board(board)[0], 2, MEMORY[0]) == MATE


def test_a_lost_turn() -> None:
    """White has a piece attacked: with the turn it saves it, and without it is lost."""
    record = read_board(chess.Board("4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1"))
    passed = record.copy()
    pass_turn(passed[0])
    with_turn = score_position(record[0], 2, MEMORY[0])
    assert -score_position(passed[0], 1, MEMORY[0]) < with_turn - 200


@pytest.mark.parametrize("seed", range(2))
def test_colours_are_served_alike(seed: int) -> None:
    for board in random_positions(seed + 10, 120)[3::9]:
        mirror = board.mirror()
        assert evaluate(read_board(board)[0]) == evaluate(read_board(mirror)[0])
        assert abs(evaluate(read_board(board)[0])) <= LIMIT
        mirrored = {
            chess.Move(m.from_square ^ 56, m.to_square ^ 56, m.promotion): score
            for m, score in kernel_scores(mirror, 2).items()
        }
        assert kernel_scores(board, 2) == mirrored


@pytest.mark.parametrize("seed", range(3))
def test_what_bishops_and_rooks_see(seed: int) -> None:
    for board in random_positions(seed, 40):
        record = read_board(board)[0]
        for seat, colour in enumerate((chess.WHITE, chess.BLACK)):
            expected = sum(
                share * (min(len(board.attacks(square)), MOST_SEEN) - MOST_SEEN // 2)
                for kind, share in ((chess.BISHOP, BISHOP_SEES), (chess.ROOK, ROOK_SEES))
                for square in board.pieces(kind, colour)
            )
            assert mobility(record, seat) == expected


def test_what_was_searched_before_does_not_matter() -> None:
    used, moves = new_scoring().search, np.zeros(MOST_MOVES, np.int32)
    for board in random_positions(20, 60)[::15]:
        record, first, second = read_board(board), np.zeros(256, np.int32), np.zeros(256, np.int32)
        fresh = new_scoring().search
        before = int(used["nodes"][0])
        n = score_moves(record[0], 3, used[0], moves, first)
        assert score_moves(record[0], 3, fresh[0], moves, second) == n
        assert np.array_equal(first, second)
        assert int(used["nodes"][0]) - before == int(fresh["nodes"][0]) > n
        assert record[0] == read_board(board)[0]


def test_captures_without_end_have_one() -> None:
    """Queens by the dozen: without a bound, this search does not end."""
    board, memory = chess.Board("8/PPPPPPPP/8/2k5/8/2K5/pppppppp/8 w - - 0 1"), new_scoring().search
    moves, scores = np.zeros(MOST_MOVES, np.int32), np.zeros(MOST_MOVES, np.int32)
    n = score_moves(read_board(board)[0], 1, memory[0], moves, scores)
    nodes = int(memory["nodes"][0])
    assert n == board.legal_moves.count()
    assert MOST_QUIET < nodes < n * (MOST_QUIET + LEVELS * MOST_MOVES)
    assert score_moves(read_board(board)[0], 1, memory[0], moves, scores) == n
    assert int(memory["nodes"][0]) == 2 * nodes


def test_threads_do_not_disturb_each_other() -> None:
    boards = random_positions(30, 40)[::8]
    records = [read_board(board) for board in boards]

    def values(number: int) -> list[int]:
        memory = new_scoring().search
        return [score_position(record[0], 3, memory[0]) for record in records[number:] + records[:number]]

    alone = values(0)
    with ThreadPoolExecutor(4) as pool:
        for number, found in enumerate(pool.map(values, range(4))):
            assert found == alone[number:] + alone[:number]


def play_out(fen: str, depth: int, plies: int) -> chess.Board:
    """Both sides play their best moves; a position that was there before counts as a draw for its lead."""
    board = chess.Board(fen)
    seen = {board.epd()}
    while len(board.move_stack) < plies and not board.is_game_over():
        scores = kernel_scores(board, depth)
        for move in scores:
            board.push(move)
            if board.epd() in seen:
                scores[move] //= 2
            board.pop()
        board.push(max(scores, key=lambda move: (scores[move], str(move))))
        seen.add(board.epd())
    return board


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/8/3QK3 w - - 0 1",
        "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
        "8/8/4k3/8/8/8/4P3/3QK3 w - - 0 1",
        "8/5k2/8/8/3PP3/8/8/4K3 w - - 0 1",
        "4k3/ppp5/8/8/8/8/PPP5/R3K3 w - - 0 1",
        "r3k3/1ppp4/8/8/8/8/PP6/2B1K3 b - - 0 1",
    ],
)
@pytest.mark.parametrize("depth", [2, 3])
def test_won_endings(fen: str, depth: int) -> None:
    assert play_out(fen, depth, 150).is_checkmate()
