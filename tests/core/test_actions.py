"""The action space is the committed table, and turns to moves and text and back."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import chess
import pytest

from ks_env.core import actions
from ks_env.core.actions import (
    ACTIONS,
    action_to_move,
    action_to_text,
    check_action,
    move_to_action,
    text_to_action,
)
from ks_env.core.tables import ANY
from ks_env.games.kriegspiel.game import Game

TABLE = Path(actions.__file__).with_name("actions.csv")


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_has_every_action_in_order() -> None:
    assert [int(row["action"]) for row in rows()] == list(range(ACTIONS)) == list(range(1859))


def test_the_table_is_what_the_code_says() -> None:
    for row in rows():
        action = int(row["action"])
        if action == ANY:
            assert action == 1858
            assert action_to_text(action, chess.WHITE) == "any?"
            continue
        move = action_to_move(action, chess.WHITE)
        assert (chess.square_name(move.from_square), chess.square_name(move.to_square)) == (
            row["from"],
            row["to"],
        )
        kind = chess.piece_symbol(move.promotion) if move.promotion else ""
        assert row["under_promotion"] in (kind, chess.piece_name(move.promotion) if move.promotion else "")


def test_the_table_is_all_queen_and_knight_moves_and_under_promotions() -> None:
    """Written down anew with python-chess's attack sets."""
    expected: list[tuple[int, int, int | None]] = []
    for start in chess.SQUARES:
        board = chess.Board(None)
        reached = 0
        for kind in (chess.QUEEN, chess.KNIGHT):
            board.set_piece_at(start, chess.Piece(kind, chess.WHITE))
            reached |= board.attacks_mask(start)
        expected += [(start, end, None) for end in chess.SquareSet(reached)]
    for start in chess.SquareSet(chess.BB_RANK_7):
        for end in (start + 7, start + 8, start + 9):
            if chess.square_rank(end) == 7 and abs(chess.square_file(end) - chess.square_file(start)) <= 1:
                expected += [(start, end, kind) for kind in (chess.KNIGHT, chess.BISHOP, chess.ROOK)]
    found = [action_to_move(action, chess.WHITE) for action in range(ANY)]
    assert [(m.from_square, m.to_square, m.promotion) for m in found] == expected


@pytest.mark.parametrize("colour", chess.COLORS)
def test_round_trip_of_all_actions(colour: bool) -> None:
    texts = set()
    for action in range(ACTIONS):
        text = action_to_text(action, colour)
        texts.add(text)
        assert text_to_action(text, colour) == action
        if action != ANY:
            assert move_to_action(action_to_move(action, colour), colour) == action
            assert check_action(action) == action
    assert len(texts) == ACTIONS


@pytest.mark.parametrize("action", range(0, ANY, 7))
def test_black_sees_the_board_with_ranks_mirrored(action: int) -> None:
    white, black = action_to_move(action, chess.WHITE), action_to_move(action, chess.BLACK)
    assert black.from_square == chess.square_mirror(white.from_square)
    assert black.to_square == chess.square_mirror(white.to_square)
    assert black.promotion == white.promotion


def test_queen_promotions_are_plain_actions() -> None:
    for colour, text in ((chess.WHITE, "a7b8"), (chess.BLACK, "a2b1")):
        action = text_to_action(text + "q", colour)
        assert action == text_to_action(text, colour) < 1792
        assert action_to_text(action, colour) == text
        assert action_to_text(action, colour, promotes=True) == text + "q"
        assert action_to_move(action, colour, promotes=True).promotion == chess.QUEEN
    assert action_to_move(text_to_action("a6a7", chess.WHITE), chess.WHITE, promotes=True).promotion is None


def test_castling_is_the_kings_move() -> None:
    game = Game(fen="r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
    game.ask(text_to_action("e8c8", chess.BLACK))
    assert game.board().piece_type_at(chess.D8) == chess.ROOK


@pytest.mark.parametrize("action", [-1, 1859, 10**9])
def test_out_of_range(action: int) -> None:
    for function in (lambda: check_action(action), lambda: action_to_text(action, chess.WHITE)):
        with pytest.raises(
            ValueError, match=f"action {action} is outside the action space; expected 0 to 1858"
        ):
            function()


@pytest.mark.parametrize("action", ["7", 1.0, None])
def test_no_integer(action: Any) -> None:
    with pytest.raises(TypeError):
        check_action(action)


def test_the_question_is_no_move() -> None:
    with pytest.raises(ValueError, match="which is not a move"):
        action_to_move(ANY, chess.WHITE)


@pytest.mark.parametrize("text", ["", "e2", "e2e4e5", "any", "0000", "N@e4"])
def test_no_text_of_a_try(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a try; expected UCI text such as|is not a move of any man"):
        text_to_action(text, chess.WHITE)


@pytest.mark.parametrize("uci", ["a7a8q", "a7a8n"])
def test_promotion_on_the_wrong_side(uci: str) -> None:
    move = chess.Move.from_uci(uci)
    assert move_to_action(move, chess.WHITE) >= 0
    if uci.endswith("n"):
        with pytest.raises(ValueError, match="a7a8n is not a move of any man of black"):
            move_to_action(move, chess.BLACK)
