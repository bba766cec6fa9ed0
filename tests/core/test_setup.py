"""Start positions: FEN to a row and back, bad ones refused, hidden ones."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.core.ruleset import ICC, RULESETS
from ks_env.core.start import alike_fens, groups_of_starts, parse_fen, to_board
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.start import start_row, start_rows

MESSAGES = [
    ("", "bad FEN ''"),
    ("hello", "bad FEN 'hello': .*; expected six fields as in 'rnbqkbnr/"),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "not playable: .*no white king"),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "not playable: .*no white king"),
    ("4k3/8/8/8/8/8/8/4KK1R w - - 0 1", "not playable: .*too many kings"),
    ("4k3/8/8/8/8/8/8/4K1P1 w - - 0 1", "not playable: .*pawns on backrank"),
    ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "not playable: .*opposite check"),
    ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "not playable: .*bad castling rights"),
    ("4k3/8/8/8/8/8/8/R3K3 w - e6 0 1", "not playable: .*invalid ep square"),
    ("4k3/8/8/8/8/8/8/R3K3 x - - 0 1", "expected six fields"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - minus 1", "expected six fields"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 20000 1", "clock and move number up to 10000"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 99999", "clock and move number up to 10000"),
    ("4k3/8/8/8/8/8/8/R3K3/8 w - - 0 1", "expected six fields"),
    ("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", "has no legal move"),
    ("k7/8/1Q6/8/8/8/8/K7 b - - 0 1", "has no legal move"),
    ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "over for lack of material"),
    ("4k3/8/5N2/1B6/8/8/4R3/4K3 b - - 0 1", "3 men give check; expected two at most"),
]


@pytest.mark.parametrize(("fen", "message"), MESSAGES)
def test_bad_fens(fen: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_fen(fen)
    with pytest.raises(ValueError, match=message):
        Game(ICC, fen)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 140))
def test_round_trip(seed: int, plies: int) -> None:
    rng, board = random.Random(seed), chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        pawns = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
        board.push(rng.choice(pawns if pawns and rng.random() < 0.3 else moves))
        if not any(board.legal_moves) or board.is_insufficient_material():
            board.pop()
            break
    row = start_row(board.fen(en_passant="fen"))
    assert to_board(row["truth"]).fen() == board.fen()
    for seat, colour in ((0, chess.WHITE), (1, chess.BLACK)):
        view, mirror = row["views"][seat], 56 * seat
        men = {
            square ^ mirror: man.piece_type
            for square, man in board.piece_map().items()
            if man.color == colour
        }
        assert {square: int(kind) for square, kind in enumerate(view["men"]) if kind} == men
        assert int(view["own"]) == sum(1 << square for square in men)
        assert not view["age"].any()
        assert int(view["turn"]) == (board.turn == colour)


@pytest.mark.parametrize(
    ("fen", "kept"),
    [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", True),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - d6 0 1", False),
        ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", False),
    ],
)
def test_the_en_passant_square_is_kept_where_a_capture_is_legal(fen: str, kept: bool) -> None:
    truth = start_row(fen)["truth"]
    assert int(truth["ep"]) == (chess.D6 if kept else -1)
    assert int(truth["tries"]) == kept + (fen.startswith("4k3/8/8/3p4/4P3"))


def test_the_same_position_has_the_same_key_by_play_and_by_fen() -> None:
    game = Game()
    for uci in ("e2e4", "a7a6", "e4e5", "d7d5"):
        game.ask(uci)
    again = start_row(game.board().fen())
    assert int(again["truth"]["key"]) == int(game.row()["truth"]["key"])
    other = start_row(game.board().fen().replace("d6", "-"))
    assert int(other["truth"]["key"]) != int(again["truth"]["key"])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_start_is_announced(ruleset: str) -> None:
    game = Game(RULESETS[ruleset], "4k3/8/8/8/8/5n2/4P1P1/4K3 w - - 3 40")
    white, black = game.view(chess.WHITE), game.view(chess.BLACK)
    assert (int(white["checks"]), int(black["checks"]), int(black["gave"])) == (16, 0, 16)
    said = {"icc": 2, "cincinnati": 1}.get(ruleset, -1)
    assert (int(white["tries"]), int(black["left"])) == (said, said)
    pawns = sum(1 << square for square in (chess.E2, chess.G2)) if ruleset == "rand" else 0
    assert int(white["try_squares"]) == pawns
    assert int(black["left_squares"]) == (pawns and (1 << (chess.E2 ^ 56)) + (1 << (chess.G2 ^ 56)))
    assert int(white["fifty"]) == int(black["fifty"]) == 3
    assert int(white["moves"]) == int(black["moves"]) == 40


# -- hidden starts -------------------------------------------------------------------------------------------

KRK = ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/5k2/8/8/KR6 w - - 0 1", "k7/8/8/8/8/8/8/KR6 w - - 0 1"]


def test_hidden_starts_show_a_seat_its_own_men_only() -> None:
    rows = start_rows(KRK, ICC, hidden=True)
    assert len({row["views"][0].tobytes() for row in rows}) == 1
    assert len({row["truth"]["men"].tobytes() for row in rows}) == 3
    view = rows[0]["views"][0]
    assert np.flatnonzero(view["age"] == 0).tolist() == [chess.A1, chess.B1]
    assert set(view["age"].tolist()) == {0, 255}
    assert [int(row["truth"]["start"]) for row in rows] == [0, 1, 2]


def test_a_double_step_is_known_to_who_made_it() -> None:
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    assert int(start_row(fen)["views"][1]["stepped"]) == chess.D5 ^ 56
    assert int(start_row(fen, hidden=True)["views"][1]["stepped"]) == chess.D5 ^ 56
    assert int(start_row(fen, hidden=True)["views"][0]["stepped"]) == -1


@pytest.mark.parametrize("other", ["8/8/8/3k4/8/8/8/KR6 b - - 0 1", "8/8/8/3k4/8/8/8/KR6 w - - 1 1"])
def test_hidden_starts_must_agree_in_what_is_public(other: str) -> None:
    with pytest.raises(ValueError, match="must agree in side to move, half-move clock and move number"):
        start_rows([*KRK, other], ICC, hidden=True)
    assert len(start_rows([*KRK, other], ICC)) == 4


def test_no_start_at_all() -> None:
    with pytest.raises(ValueError, match="no start position given"):
        start_rows([], ICC)


def test_a_bad_fen_in_a_list() -> None:
    with pytest.raises(ValueError, match="bad FEN 'x'"):
        start_rows([*KRK, "x"], ICC)


# -- starts that a seat cannot tell apart --------------------------------------------------------------------


def test_public_starts_are_all_told_apart() -> None:
    rows = start_rows([*KRK, KRK[0]], ICC)
    assert groups_of_starts(rows, 0) == groups_of_starts(rows, 1) == [[0], [1], [2], [3]]


def test_hidden_starts_are_told_apart_by_what_a_seat_knows() -> None:
    queen = KRK[1].replace("R", "Q")
    check = "1k6/8/8/8/8/8/8/KR6 b - - 0 1"
    fens = [*KRK, queen]
    rows = start_rows(fens, ICC, hidden=True)
    assert groups_of_starts(rows, 0) == [[0, 1, 2], [3]]
    assert groups_of_starts(rows, 1) == [[0], [1, 3], [2]]
    assert alike_fens(fens, rows, 1) == {0: [KRK[0]], 1: [KRK[1], queen], 2: [KRK[2]], 3: [KRK[1], queen]}
    announced = start_rows([check, check.replace("1k6", "2k5")], ICC, hidden=True)
    assert groups_of_starts(announced, 0) == [[0], [1]]  # White hears whether it gives check
