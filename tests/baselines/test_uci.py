"""Values of moves from UCI engines: fake ones of every behaviour, and real ones where they are installed."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import chess
import chess.engine
import pytest
from ks_baselines.uci import MATE, UciError, UciScores, centipawns

from tests.baselines.engines import fake, need

FEN = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1"  # Qxf7 mates


def expected(board: chess.Board) -> dict[chess.Move, int]:
    found = {move: 100 * (board.piece_type_at(move.to_square) or 0) for move in board.legal_moves}
    return found | {chess.Move.from_uci("h5f7"): MATE - 1}


@pytest.mark.parametrize(
    "ways", [("multipv",), ("searchmoves",), ("multipv", "dies"), ("multipv", "searchmoves")]
)
def test_all_moves_have_their_values(ways: tuple[str, ...]) -> None:
    board = chess.Board(FEN)
    with closing(UciScores(fake(*ways), depth=1)) as engine:
        assert engine.scores(board) == expected(board)
        assert engine.scores(board) == expected(board)


def test_an_engine_that_dies_between_single_moves() -> None:
    board = chess.Board("7k/8/8/8/8/8/8/K7 w - - 0 1")
    with closing(UciScores(fake("searchmoves"), depth=1)) as engine:
        assert set(engine.scores(board)) == set(board.legal_moves)
    with (
        closing(UciScores(fake("searchmoves", "dies"), depth=1)) as engine,
        pytest.raises(UciError, match="died twice"),
    ):
        engine.scores(board)


def test_an_engine_that_heeds_no_searchmoves() -> None:
    board = chess.Board(FEN)
    with closing(UciScores(fake(), depth=2)) as engine:
        found = engine.scores(board)
    assert set(found) == set(board.legal_moves)
    assert found[chess.Move.from_uci("h5f7")] == MATE - 1
    assert found[chess.Move.from_uci("h5h6")] == -500  # the best answer takes the queen


def test_an_engine_that_always_dies() -> None:
    with closing(UciScores(fake("multipv", "mortal"), depth=1)) as engine:
        for _ in range(2):
            with pytest.raises(UciError, match=r"fake_engine\.py"):
                engine.scores(chess.Board())


def test_an_engine_that_hangs() -> None:
    begun = time.monotonic()
    with (
        closing(UciScores(fake("multipv", "hangs"), depth=1, patience=0.3)) as engine,
        pytest.raises(UciError),
    ):
        engine.scores(chess.Board())
    assert time.monotonic() - begun < 20


def test_each_request_is_a_game_of_its_own(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with closing(UciScores(fake("multipv", f"log={log}"), nodes=50)) as engine:
        engine.scores(chess.Board())
        engine.scores(chess.Board())
    told = log.read_text().splitlines()
    assert told.count("ucinewgame") == 2
    assert told.count("go nodes 50") == 2
    assert told[-1] == "quit"


def test_what_cannot_be() -> None:
    with pytest.raises(UciError, match=r"'no-such-engine --uci'.*apt install stockfish.*gnuchess --uci"):
        UciScores("no-such-engine --uci", depth=1)
    for depth, nodes in ((None, None), (0, None), (None, 0), (3, -1)):
        with pytest.raises(ValueError, match="depth or nodes"):
            UciScores(fake(), depth, nodes)
    with pytest.raises(UciError, match="cannot be started"):
        UciScores([sys.executable, "-c", "pass"], depth=1)
    with pytest.raises(UciError, match="Colour"):
        UciScores(fake(), depth=1, options={"Colour": "blue"})
    with closing(UciScores(fake("multipv"), depth=1)) as engine:
        with pytest.raises(ValueError, match="can be taken"):
            engine.scores(chess.Board("6k1/8/8/8/8/8/8/K5R1 w - - 0 1"))
        assert engine.scores(chess.Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")) == {}


def test_an_open_engine_does_not_keep_the_interpreter() -> None:
    code = "from ks_baselines.uci import UciScores\n"
    code += f"engine = UciScores({fake('multipv')!r}, depth=1)\nprint('end')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr


def test_mates_count_plies() -> None:
    assert [centipawns(chess.engine.Mate(n)) for n in (1, 2, -1)] == [9_999, 9_997, -9_998]
    assert centipawns(chess.engine.Cp(-31)) == -31


@pytest.mark.parametrize("command", ["stockfish", "gnuchess --uci"])
def test_real_engines(command: str) -> None:
    need(command)
    board = chess.Board(FEN)
    with closing(UciScores(command, depth=3)) as engine:
        found = engine.scores(board)
        assert set(found) == set(board.legal_moves)
        assert max(found, key=lambda move: found[move]) == chess.Move.from_uci("h5f7")
        assert found[chess.Move.from_uci("h5f7")] == MATE - 1
        assert found[chess.Move.from_uci("h5e5")] < found[chess.Move.from_uci("g1e2")] - 300
        assert engine.scores(board) == found
