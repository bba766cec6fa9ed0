"""Values of tries over boards: what a refusal counts, bounds, engines that die."""

from __future__ import annotations

import shlex

import chess
import numpy as np
import pytest
from ks_baselines.samplers.values import NOT_LEGAL, OwnJudge, UciJudge, bounded, weigh
from ks_baselines.uci import UciError

from ks_env.core.actions import move_to_action
from ks_env.core.layout import TRUTH
from ks_env.core.position import refresh
from ks_env.core.start import fill_truth
from tests.baselines.engines import fake, need

NO = NOT_LEGAL
FEN = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1"  # Qxf7 mates


def truths(*fens: str) -> np.ndarray:
    found = np.zeros(len(fens), TRUTH)
    for i, fen in enumerate(fens):
        fill_truth(found[i], chess.Board(fen))
        refresh(found[i])
    return found


def tries(*moves: str) -> np.ndarray:
    return np.array([move_to_action(chess.Move.from_uci(move), chess.WHITE) for move in moves], np.int16)


def test_a_refused_try_is_followed_by_the_best_other_one() -> None:
    values = np.array([[100, NO, 10], [100, 50, 30], [NO, 80, 20]], np.int32)
    sums, legal = weigh(values)
    assert legal.tolist() == [2, 2, 3]
    # The first is refused on the last board, where the second follows; the second on the first board.
    assert sums.tolist() == [200 + 80, 130 + 100, 60]
    # Where the next is refused as well, it counts the mean of the legal ones: 50 and 0.
    assert weigh(np.array([[NO, NO, 50, 0], [8, 8, 8, 8]], np.int32))[0].tolist() == [58, 58, 58, 8]


def test_boards_that_refuse_everything_and_single_tries() -> None:
    sums, legal = weigh(np.array([[NO, NO], [3, 4]], np.int32))
    assert sums.tolist() == [3, 4]
    assert legal.tolist() == [1, 1]
    assert weigh(np.array([[7], [NO], [-2]], np.int32))[0].tolist() == [5]


def test_bounds() -> None:
    scores = (0, 250, -9_000, 9_999, -9_998, 2_501)
    assert [bounded(score) for score in scores] == [0, 250, -2_500, 2_999, -2_998, 2_500]


def test_our_own_search() -> None:
    boards = truths(FEN, FEN.replace("w KQkq", "w - "), "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    moves = tries("h5f7", "h5e5", "h1h8")
    found = OwnJudge(2, 1).judge(np.repeat(boards, 20), moves)
    assert found[0, 0] == 2_999
    assert found[0, 1] < -300
    assert found[0].tolist()[2] == NO
    assert found[40, 2] == bounded(found[40, 2])
    assert (OwnJudge(2, 3).judge(np.repeat(boards, 20), moves) == found).all()
    some = OwnJudge(2, 1).judge(np.repeat(boards, 20), moves, until=0.0)
    assert (some == found[: len(some)]).all()
    assert 1 <= len(some) < len(found)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_engine_that_dies(processes: int) -> None:
    board, moves = truths(*[FEN] * (1 + 16 * (processes - 1))), tries("h5f7", "h5e5", "h1h8")
    judge = UciJudge(shlex.join(fake("multipv", "dies")), 1, None, processes)
    assert judge.judge(board[-2:], moves)[0].tolist() == [2_999, 100, NO]
    judge = UciJudge(shlex.join(fake("multipv", "mortal")), 1, None, processes)
    with pytest.raises(UciError, match=r"fake_engine\.py.*died twice"):
        judge.judge(board, moves)


def test_an_engine_that_is_missing() -> None:
    with pytest.raises(UciError, match=r"'no-such-engine'.*apt install stockfish.*apt install gnuchess"):
        UciJudge("no-such-engine", 1, None, 2)


@pytest.mark.parametrize("command", ["stockfish", "gnuchess --uci"])
def test_real_engines(command: str) -> None:
    need(command)
    boards, moves = truths(FEN, chess.STARTING_FEN), tries("h5f7", "h5e5", "e2e4")
    found = UciJudge(command, 2, None, 2).judge(boards, moves)
    assert found[0, 0] == 2_999
    assert found[0, 1] < -200
    assert found[1, :2].tolist() == [NO, NO]
    assert abs(found[1, 2]) < 200
    assert (UciJudge(command, 2, None, 1).judge(boards, moves) == found).all()
