"""Each rule alone, on a position built for it: where it must conclude, and where it must not."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest

from ks_env.belief.metaposition import METAPOSITION, certain, follow, opening, possible
from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel.game import Game
from tests.belief.metaposition.containment import FINE, contradiction

Array = np.ndarray[Any, Any]
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)


def told(
    fen: str, *tries: str, ruleset: str = "icc", colour: bool = chess.WHITE, fens: list[str] | None = None
) -> Array:
    """METAPOSITION[1] of a colour after these tries of both sides; the truth is in it all along."""
    game = Game(RULESETS[ruleset], fen, hidden_start=fens is not None)
    record = np.zeros(1, METAPOSITION)
    record[0] = opening(fens or [fen], colour)
    rules = game.ruleset.record()[0]
    assert follow(record[0], game.view(colour), rules)
    for text in tries:
        game.ask(text)
        assert follow(record[0], game.view(colour), rules)
        assert contradiction(record[0], game.row()["truth"]) == FINE
    return record


def names(board: int | np.uint64, colour: bool = chess.WHITE) -> set[str]:
    """The squares of a board in the seat's frame, by name."""
    return {chess.square_name(s if colour else s ^ 56) for s in chess.SquareSet(int(board))}


def ghosts(record: Array, kind: int, colour: bool = chess.WHITE) -> set[str]:
    return names(record["ghosts"][0, kind], colour)


def sure(record: Array, colour: bool = chess.WHITE) -> set[str]:
    return names(certain(record[0]), colour)


def king_anywhere(white: dict[str, str], turn: str = "w", castling: str = "-") -> list[str]:
    """White's men as given, and Black's king on each square where the position can be played."""
    fens = []
    board = chess.Board(None)
    for name, symbol in white.items():
        board.set_piece_at(chess.parse_square(name), chess.Piece.from_symbol(symbol))
    for square in chess.SquareSet(~board.occupied):
        placed = board.copy()
        placed.set_piece_at(square, chess.Piece.from_symbol("k"))
        placed.set_castling_fen(castling)
        placed.turn = turn == "w"
        if placed.is_valid() and any(placed.legal_moves) and not placed.is_check():
            fens.append(placed.fen())
    return fens


# ---------------------------------------------------------------- checks place the king


@pytest.mark.parametrize(
    ("white", "king", "move", "expected"),
    [
        pytest.param("a1K c3R", "e8", "c3e3", "e1 e2 e4 e5 e6 e7 e8", id="file"),
        pytest.param("a1K c3R", "h6", "c3c6", "a6 b6 d6 e6 f6 g6 h6", id="rank"),
        pytest.param("a1K f1B h1R", "d7", "f1b5", "a4 c6 d7 e8", id="diagonal, long for d7"),
        pytest.param("a1K f1B h1R", "e8", "f1b5", "a6 c4 d3 c6 a4 d7 e8", id="diagonal, short for e8"),
        pytest.param("a1K e4N h1R", "f7", "e4g5", "e4 e6 f3 f7 h3 h7", id="knight"),
        pytest.param("a1K e1R e4N", "e8", "e4c5", "e2 e3 e4 e5 e6 e7 e8", id="discovered"),
        pytest.param("a1K e1R e4N", "e8", "e4d6", "e8", id="double"),
        pytest.param("a1K e7P h2P", "a8", "e7e8", "a8 b8 c8 d8 f8 g8 h8", id="promotion"),
        pytest.param("a1K e4P h2P", "f6", "e4e5", "d6 f6", id="pawn"),
    ],
)
def test_a_check_places_the_king(white: str, king: str, move: str, expected: str) -> None:
    men = {man[:2]: man[2] for man in white.split()}
    fens = king_anywhere(men)
    start = next(fen for fen in fens if chess.Board(fen).king(chess.BLACK) == chess.parse_square(king))
    found = ghosts(told(start, move, fens=fens), KING)
    assert king in found <= set(expected.split())


def test_a_rook_that_castled_places_the_king() -> None:
    fens = king_anywhere({"e1": "K", "h1": "R"}, castling="K")
    start = next(fen for fen in fens if fen.startswith("5k2"))
    assert ghosts(told(start, "e1g1", fens=fens), KING) == {"f3", "f4", "f5", "f6", "f7", "f8"}


def test_a_bare_king_is_not_stalemated_while_the_game_goes_on() -> None:
    fens = king_anywhere({"f6": "K", "g1": "Q"})
    start = next(fen for fen in fens if fen.startswith("2k5"))
    assert "h8" not in ghosts(told(start, "g1g6", fens=fens), KING)


def test_a_king_with_a_man_beside_it_may_be_without_moves() -> None:
    fens = [f"{rank}/8/5K2/8/8/8/p7/6Q1 w - - 0 1" for rank in ("7k", "2k5")]
    assert "h8" in ghosts(told(fens[1], "g1g6", fens=fens), KING)


# ---------------------------------------------------------------- own moves and refusals


def test_a_move_clears_its_path() -> None:
    fens = [f"4k3/8/8/8/{row}/8/8/R3K3 w Q - 0 1" for row in ("n7", "1n6")]
    start = fens[1]
    assert "a4" in ghosts(told(start, fens=fens), KNIGHT)
    assert ghosts(told(start, "a1a5", fens=fens), KNIGHT) == {"b4"}


def test_a_refused_slide_shows_what_stands_in_between() -> None:
    fens = [f"4k3/8/8/8/8/{row}/8/R3K3 w Q - 0 1" for row in ("1n6", "n7")]
    record = told(fens[1], "a1a5", fens=fens)
    assert sure(record) >= {"a3"}
    assert ghosts(record, KNIGHT) == {"a3"}  # the only knight


def test_a_refused_slide_of_a_man_that_may_be_pinned_shows_nothing() -> None:
    fens = [f"k7/{rows} w - - 0 1" for rows in ("4r2n/8/8/8/8/4R3/4K3", "7r/8/8/8/8/1n2R3/4K3")]
    record = told(fens[0], "e2a2", fens=fens)
    assert not sure(record) & {"b2", "c2", "d2"}
    assert ghosts(record, KNIGHT) == {"b2", "h7"}


def test_refused_pawn_moves() -> None:
    fens = [f"4k3/8/8/{row}/4P3/8/8/4K3 w - - 0 1" for row in ("4n3", "n7")]
    assert "e5" in sure(told(fens[0], "e4e5", fens=fens))
    fens = [f"4k3/8/8/8/{four}/{three}/4P3/4K3 w - - 0 1" for four, three in (("4n3", "8"), ("8", "4n3"))]
    record = told(fens[0], "e2e4", fens=fens)
    assert ghosts(record, KNIGHT) == {"e3", "e4"}  # either
    assert ghosts(told(fens[0], "e2e4", "e2e3", fens=fens), KNIGHT) == {"e4"}


def test_a_refused_pawn_capture_shows_an_empty_square() -> None:
    fens = [f"4k3/8/8/{row}/4P3/8/8/4K3 w - - 0 1" for row in ("3n4", "n7")]
    record = told(fens[1], "e4d5", ruleset="berkeley", fens=fens)
    assert ghosts(record, KNIGHT) == {"a5"}


def test_a_refused_king_move_finds_the_bare_king() -> None:
    fens = king_anywhere({"d4": "K", "a1": "R"})
    start = next(fen for fen in fens if chess.Board(fen).king(chess.BLACK) == chess.D6)
    assert ghosts(told(start, "d4d5", fens=fens), KING) == {"c6", "d6", "e6"}


def test_a_refused_king_move_may_have_another_cause() -> None:
    fens = [
        "3k4/7r/8/8/3K4/8/8/8 w - - 0 1",
        "3k4/8/7r/8/3K4/8/8/8 w - - 0 1",
        "8/3k4/8/7r/3K4/8/8/8 w - - 0 1",
    ]
    assert ghosts(told(fens[2], "d4d5", fens=fens), KING) == {"d8", "d7"}


# ---------------------------------------------------------------- counting


def test_captures_are_counted() -> None:
    fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"
    before, after = told(fen), told(fen, "e4d5")
    assert after["most"][0, 0] == before["most"][0, 0] - 1 == 15
    assert after["most"][0, PAWN] == before["most"][0, PAWN] - 1 == 7
    assert (after["file_pawns"][0, 3], after["file_least"][0, 3]) == (0, 0)
    assert "d7" not in ghosts(told(fen, "e4d5", "g8f6"), PAWN)
    unsaid = told(fen, "e4d5", ruleset="berkeley")
    assert unsaid["most"][0, PAWN] == 7  # only a pawn could be there


def test_a_piece_of_unknown_kind_is_not_counted_by_kind() -> None:
    fens = [f"4k3/8/8/{row}/4P3/8/8/4K3 w - - 0 1" for row in ("3nb3", "3bn3")]
    record = told(fens[0], "e4d5", fens=fens)
    assert list(record["most"][0]) == [2, 0, 1, 1, 0, 0, 1]


def test_the_last_men_are_found_by_their_number() -> None:
    """Black's rook captured and stands on f3; with its king that is all Black has."""
    fen = "4k3/8/8/5r2/8/5P2/8/K7 b - - 0 1"
    record = told(fen, "f5f3", "a1a2", "e8e7")
    assert sure(record) == set()
    assert "h3" in ghosts(record, ROOK)
    record = told(fen, "f5f3", "a1a2", "f3f2")  # a check: the rook has moved, the king has not
    assert ghosts(record, KING) == {"e8"}
    assert ghosts(record, ROOK) <= {"f2", "a3"}
    hidden = [fen, "8/4k3/8/5r2/8/5P2/7n/K7 b - - 0 1"]
    assert ghosts(told(fen, "f5f3", fens=hidden[:1]), ROOK) == {"f3"}


def test_pawns_keep_to_their_files() -> None:
    fen = "4k3/p7/8/8/8/8/7P/4K3 w - - 0 1"
    record = told(fen, "h2h3", "a7a6", "h3h4", "a6a5")
    assert ghosts(record, PAWN) == {"a7", "a6", "a5", "a4"}
    assert list(record["file_pawns"][0]) == list(record["file_least"][0]) == [1, 0, 0, 0, 0, 0, 0, 0]


def test_a_pawn_that_captured_may_be_on_the_next_file() -> None:
    fen = "4k3/p7/1P6/8/8/8/8/4K3 b - - 0 1"
    record = told(fen, "a7b6")
    assert ghosts(record, PAWN) == {"b6"}
    assert "b6" in sure(record)
    assert (record["file_pawns"][0, 1], record["file_least"][0, 0]) == (1, 0)


def test_nobody_passes_a_pawn_that_is_on_its_file() -> None:
    fen = "r3k3/p7/8/8/8/8/7P/4K3 w - - 0 1"
    record = told(fen, "h2h3", "a7a5", "h3h4", "a8a7")
    rooks = ghosts(record, ROOK)
    assert {"a8", "a7", "a6"} <= rooks
    assert not rooks & {"a5", "a4", "a3", "a2", "a1"}
    assert "a3" in ghosts(told(fen.replace("p7", "8"), "h2h3", "a8a7"), ROOK)


# ---------------------------------------------------------------- the opponent's turn


def test_every_ghost_spawns_copies() -> None:
    record = told("4k3/8/8/8/8/8/3P4/n3K3 w - - 0 1", "d2d3", "a1b3")
    assert ghosts(record, KNIGHT) == {"a1", "b3"}  # on c2 it would give check
    assert ghosts(record, KING) == {"d7", "d8", "e7", "e8", "f7", "f8"}


def test_a_capture_is_made_by_one_man() -> None:
    record = told("4k3/8/8/8/2b5/8/4P3/n5K1 b - - 0 1", "c4e2")
    assert sure(record) == {"e8", "e2", "a1"}
    assert ghosts(record, BISHOP) == {"e2"}
    assert ghosts(record, KNIGHT) == {"a1"}  # it did not move


def test_a_check_shows_the_mover() -> None:
    record = told("4k3/8/8/8/8/n6r/3P4/4K3 b - - 0 1", "h3h1")
    assert ghosts(record, ROOK) == {"h1"}
    assert ghosts(record, KNIGHT) == {"a3"}
    assert ghosts(record, KING) == {"e8"}


def test_a_check_may_be_discovered() -> None:
    record = told("4k3/8/4r3/8/4n3/8/3P4/4K3 b - - 0 1", "e4g5")
    assert ghosts(record, ROOK) == {"e6"}
    assert {"g5", "c5", "f6", "d6"} <= ghosts(record, KNIGHT)
    assert ghosts(record, KING) == {"e8"}


def test_a_promotion_may_give_the_check() -> None:
    record = told("4k3/8/8/4K3/8/8/4p3/7n b - - 0 1", "e2e1")
    assert ghosts(record, QUEEN) == {"e1"}
    assert ghosts(record, KNIGHT) >= {"h1"}
    assert not ghosts(record, PAWN) - {"e2"}


def test_new_pawn_tries_show_where_the_mover_landed() -> None:
    fen = "r3k3/8/8/8/8/8/1P6/5K2 b - - 0 1"
    assert ghosts(told(fen, "a8a3"), ROOK) == {"a3"}
    assert "a8" in ghosts(told(fen, "a8a4"), ROOK)
    assert ghosts(told(fen, "a8a3", ruleset="rand"), ROOK) == {"a3"}
    assert "a8" in ghosts(told(fen, "a8a3", ruleset="berkeley"), ROOK)


def test_a_double_step_may_be_the_new_try() -> None:
    record = told("r3k3/p7/8/1P6/8/8/8/5K2 b - - 0 1", "a7a5")
    assert "a5" in ghosts(record, PAWN)
    assert ghosts(record, ROOK) <= {"a8", "a6", "c6"}


def test_no_tries_clears_what_own_pawns_attack() -> None:
    fens = [f"4k3/8/8/{row}/4P3/8/8/4K3 w - - 0 1" for row in ("n7", "7n")]
    record = told(fens[0], "e1e2", "a5b7", fens=fens)
    assert not names(possible(record[0])) & {"d5", "f5"}


def test_no_tries_clears_pawns_that_attack() -> None:
    fens = [f"4k3/8/8/{row}/8/8/P7/4K3 w - - 0 1" for row in ("1p6", "4p3")]
    assert ghosts(told(fens[1], "a2a4", fens=fens), PAWN) == {"e5"}
    assert ghosts(told(fens[0], "a2a4", fens=fens), PAWN) == {"b5"}  # there is a try
    assert ghosts(told(fens[1], "a2a4", ruleset="berkeley", fens=fens), PAWN) == {"b5", "e5"}


def test_the_opponent_may_have_castled() -> None:
    fen = "r3k2r/p6p/8/8/8/8/P6P/4K3 b kq - 0 1"
    record = told(fen, "e8g8")
    assert {"g8", "c8"} <= ghosts(record, KING)
    assert {"f8", "d8"} <= ghosts(record, ROOK)
    assert "g8" not in ghosts(told(fen.replace("kq", "q"), "e8c8"), KING)


# ---------------------------------------------------------------- rulesets

PASSED = "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1"
PASSING = "4k3/1p6/8/P7/8/8/8/4K3 b - - 0 1"


def test_an_own_pawn_taken_en_passant() -> None:
    record = told(PASSED, "a2a4", "b4a3")
    assert ghosts(record, PAWN) == {"a3"}
    assert "a4" not in sure(record)
    record = told(PASSED, "a2a4", "b4a3", ruleset="english")
    assert sure(record) >= {"a3"}
    assert ghosts(record, PAWN) == {"a3"}


def test_a_capture_of_a_pawn_that_stepped_two_may_be_plain() -> None:
    fen = "4k3/8/8/2n5/1p6/8/P7/4K3 w - - 0 1"
    record = told(fen, "a2a4", "c5a4")
    assert "a4" in ghosts(record, KNIGHT)
    assert "a3" in ghosts(record, PAWN)
    named = told(fen, "a2a4", "c5a4", ruleset="english")
    assert ghosts(named, PAWN) == {"b4"}
    assert "a4" in sure(named)


@pytest.mark.parametrize("ruleset", ["icc", "english"])
def test_an_own_capture_en_passant(ruleset: str) -> None:
    record = told(PASSING, "b7b5", "a5b6", ruleset=ruleset)
    assert ghosts(record, PAWN) == set()
    assert list(record["most"][0, :2]) == [1, 0]


def test_the_answers_to_any() -> None:
    fens = [f"4k3/8/8/{row}/4P3/8/8/4K3 w - - 0 1" for row in ("3n4", "n7")]
    assert ghosts(told(fens[1], "any?", ruleset="berkeley-any", fens=fens), KNIGHT) == {"a5"}
    assert ghosts(told(fens[0], "any?", ruleset="berkeley-any", fens=fens), KNIGHT) == {"d5"}
    assert ghosts(told(fens[1], "e1e2", ruleset="berkeley-any", fens=fens), KNIGHT) == {"a5", "d5"}


def test_the_opponent_asks_any() -> None:
    fens = [f"4k3/8/8/{row}/8/8/P7/4K3 w - - 0 1" for row in ("1p6", "4p3")]
    assert ghosts(told(fens[1], "a2a4", "any?", "e5e4", ruleset="english", fens=fens), PAWN) == {"e5", "e4"}
    assert ghosts(told(fens[0], "a2a4", "any?", "b5a4", ruleset="english", fens=fens), PAWN) == {"a4"}
    unasked = told(fens[1], "a2a4", "e5e4", ruleset="english", fens=fens)
    assert ghosts(unasked, PAWN) == {"b5", "b4", "e5", "e4"}


def test_a_no_while_in_check_shows_nothing() -> None:
    """Black is in check from the start, and its pawn on b4 cannot help: "any?" is answered no."""
    fen = "4k3/8/8/8/1p6/P7/8/K3R3 b - - 0 1"
    record = told(fen, "any?", "e8d8", ruleset="english")
    assert "b4" in ghosts(record, PAWN)


def test_rand_names_pawns() -> None:
    fens = [f"4k3/8/8/{row}/8/8/P7/4K3 w - - 0 1" for row in ("1p6", "4p3")]
    assert ghosts(told(fens[0], "a2a4", ruleset="rand", fens=fens), PAWN) == {"b5"}
    assert ghosts(told(fens[1], "a2a4", ruleset="rand", fens=fens), PAWN) == {"e5"}


def test_rand_announces_promotions() -> None:
    fen = "8/4k3/8/8/8/8/p6P/4K3 b - - 0 1"
    said = told(fen, "a2a1n", ruleset="rand")
    assert ghosts(said, KNIGHT) == {"a1"}
    assert ghosts(said, KING) == {"e7"}
    assert ghosts(said, PAWN) == set()
    silent = told(fen, "e7e6", ruleset="rand")
    assert ghosts(silent, PAWN) == {"a2"}
    assert ghosts(silent, QUEEN) == set()
    unsaid = told(fen, "e7e6")
    assert "a1" in ghosts(unsaid, KNIGHT)


def test_black_sees_the_board_from_its_side() -> None:
    record = told("4k3/3p4/8/8/8/8/8/N3K3 b - - 0 1", "d7d6", "a1b3", colour=chess.BLACK)
    assert ghosts(record, KNIGHT, chess.BLACK) == {"a1", "b3", "c2"}
