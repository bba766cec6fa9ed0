"""What the oracle says on hand-made positions: what is heard by whom, worked out on paper."""

from __future__ import annotations

import chess
import pytest

from tests.oracle import RULES, Heard, OracleGame, actions
from tests.oracle.asking import (
    BERKELEY,
    BERKELEY_ANY,
    BLOCKED,
    CINCINNATI,
    ENGLISH,
    ICC,
    RAND,
    action,
    ask,
    informed,
    own_board,
    play,
)
from tests.oracle.position import check_word
from tests.oracle.seat import line_through

# -- checks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("king", "checker", "man", "word"),
    [
        ("e1", "h4", chess.BISHOP, "short diagonal"),
        ("e1", "a5", chess.BISHOP, "long diagonal"),
        ("e1", "e7", chess.ROOK, "file"),
        ("e1", "b1", chess.QUEEN, "rank"),
        ("e1", "f3", chess.KNIGHT, "knight"),
        ("d4", "g7", chess.BISHOP, "long diagonal"),
        ("d4", "e5", chess.PAWN, "long diagonal"),
        ("d4", "c5", chess.PAWN, "short diagonal"),
        ("h1", "g2", chess.QUEEN, "long diagonal"),
        ("g1", "h2", chess.QUEEN, "short diagonal"),
    ],
)
def test_check_words(king: str, checker: str, man: chess.PieceType, word: str) -> None:
    squares = chess.parse_square(king), chess.parse_square(checker)
    assert check_word(*squares, man) == word
    if word != "knight":
        assert squares[1] in line_through(squares[0], word)


def test_double_check_says_both_and_leaves_king_moves() -> None:
    game = OracleGame(ICC, "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1")
    heard = play(game, "e4f6")
    assert heard.checks == ("file", "knight")
    assert informed(game) == {"e8d8", "e8f8", "e8d7", "e8e7", "e8f7"}


def test_checks_are_listed_in_a_fixed_order_whoever_moved() -> None:
    game = OracleGame(ICC, "4k3/8/8/1N6/B7/8/8/4K3 w - - 0 1")
    assert play(game, "b5d6").checks == ("long diagonal", "knight")


# -- captures and en passant ---------------------------------------------------------------------------------


def test_icc_says_the_square_of_the_captured_man() -> None:
    game = OracleGame(ICC)
    play(game, "e2e4", "d7d5")
    assert game.heard[chess.WHITE][-1].tries == 1
    mine, theirs = ask(game, "e4d5")
    assert (mine.captured, mine.square, mine.action) == ("pawn", chess.D5, action_of("e4d5"))
    assert theirs is not None
    assert theirs == mine._replace(action=None)


def action_of(uci: str) -> int:
    return actions.number_of(chess.Move.from_uci(uci), chess.WHITE)


EN_PASSANT = "4k3/3p4/8/4P3/8/8/8/R3K3 b - - 0 1"


@pytest.mark.parametrize(
    ("rules", "captured", "square", "named"),
    [
        (ICC, "pawn", chess.D5, False),
        (BERKELEY, "man", chess.D5, False),
        (CINCINNATI, "pawn", chess.D5, False),
        (RAND, "pawn", chess.D5, False),
        (ENGLISH, "man", chess.D6, True),
    ],
)
def test_en_passant_square(rules: str, captured: str, square: int, named: bool) -> None:
    game = OracleGame(rules, EN_PASSANT)
    play(game, "d7d5")
    heard = play(game, "e5d6")
    assert (heard.captured, heard.square, heard.en_passant) == (captured, square, named)
    assert game.seats[chess.BLACK].men == {chess.E1: chess.KING}


def test_start_with_an_en_passant_square() -> None:
    game = OracleGame(ICC, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert game.heard[chess.WHITE][0].tries == 1
    play(game, "e5d6")
    assert game.seats[chess.BLACK].taken_on is None


def test_en_passant_that_uncovers_the_king_is_not_a_pawn_try() -> None:
    game = OracleGame(ICC, "4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1")
    assert play(game, "d7d5").tries == 0
    assert "e5d6" in own_board(game)
    assert "e5d6" not in informed(game)
    assert ask(game, "e5d6") == (Heard("illegal", chess.WHITE, action(game, "e5d6")), None)


def test_a_line_check_leaves_en_passant_shapes() -> None:
    """Black pawn d7-d5+ may be taken e5xd6, which does not land on the diagonal through the king."""
    game = OracleGame(ICC, "4k3/3p4/8/4P3/2K5/8/8/R7 b - - 0 1")
    heard = play(game, "d7d5")
    assert heard.checks == ("long diagonal",)
    assert heard.tries == 1
    mask = informed(game)
    assert {"e5d6", "e5f6"} <= mask
    assert "e5e6" in mask, "e6 lies on the line that the check came by"
    assert "a1a2" in mask, "so does a2, on the other side of the king"
    assert not {"a1b1", "a1a3"} & mask
    assert play(game, "e5d6").square == chess.D5


def test_knight_check_leaves_moves_that_may_take_the_knight() -> None:
    game = OracleGame(ICC, "4k3/8/8/4n3/8/8/7R/Q3K3 b - - 0 1")
    assert play(game, "e5f3").checks == ("knight",)
    men = {uci for uci in informed(game) if not uci.startswith("e1")}
    assert {uci[2:] for uci in men} <= {"c2", "d3", "f3", "g2"}
    assert "h2g2" in men


# -- pawn tries ----------------------------------------------------------------------------------------------


def test_a_promotion_capture_counts_once() -> None:
    game = OracleGame(ICC, "1n1nk3/2P5/8/8/8/8/8/4K3 b - - 0 1")
    assert play(game, "e8e7").tries == 2
    assert len(game.pawn_captures) == 8


def test_a_pinned_pawn_has_no_try() -> None:
    game = OracleGame(ICC, "4r2k/8/8/8/3p4/4P3/8/4K3 b - - 0 1")
    assert play(game, "h8h7").tries == 0
    game = OracleGame(RAND, "4r2k/8/8/2p5/1P1p4/2P1P3/8/4K3 b - - 0 1")
    heard = play(game, "h8h7")
    assert heard.try_squares == (chess.C3, chess.B4)
    pawns = {uci for uci in informed(game) if uci[0] != uci[2] and uci[:2] in ("b4", "c3", "e3")}
    assert pawns == {"b4a5", "b4c5", "c3d4"}


def test_cincinnati_says_whether_and_takes_unannounced_captures_for_nonsense() -> None:
    game = OracleGame(CINCINNATI)
    assert play(game, "e2e4", "a7a6").tries == 0
    mine, theirs = ask(game, "e4d5")
    assert mine.kind == "nonsense"
    assert theirs is not None
    assert (theirs.kind, theirs.action) == ("nonsense", None)
    assert game.seats[chess.WHITE].refused == set()
    assert play(game, "h2h3", "d7d5").tries == 1


def test_rand_refuses_an_unlisted_capture_as_illegal() -> None:
    game = OracleGame(RAND)
    play(game, "e2e4", "a7a6")
    mine, _ = ask(game, "e4d5")
    assert mine.kind == "illegal"


# -- asking "any?" -------------------------------------------------------------------------------------------


def test_any_is_heard_by_both_and_obliges_until_a_capture() -> None:
    game = OracleGame(BERKELEY_ANY)
    play(game, "e2e4", "d7d5")
    mine, theirs = ask(game, "any?")
    assert (mine.kind, mine.action) == ("any yes", actions.ANY)
    assert theirs is not None
    assert (theirs.kind, theirs.action) == ("any yes", None)
    assert " ".join(sorted(own_board(game))) == (
        "a2b3 b2a3 b2c3 c2b3 c2d3 d2c3 d2e3 e4d5 e4f5 f2e3 f2g3 g2f3 g2h3 h2g3"
    )
    assert ask(game, "g1f3")[0].kind == "nonsense"
    assert ask(game, "e4f5")[0].kind == "illegal"
    assert "e4f5" not in informed(game)
    assert ask(game, "any?")[0].kind == "nonsense"
    assert ask(game, "g1f3")[0].kind == "nonsense"
    assert play(game, "e4d5").captured == "man"
    assert game.tries_this_turn == 0
    assert actions.ANY in game.seats[chess.BLACK].own_board()


def test_any_no_removes_pawn_captures_from_the_informed_mask_alone() -> None:
    game = OracleGame(BERKELEY_ANY)
    assert "a2b3" in informed(game)
    assert ask(game, "any?")[0].kind == "any no"
    assert "a2b3" not in informed(game)
    assert "a2b3" in own_board(game)
    assert not {"any?"} & (informed(game) | own_board(game))
    assert ask(game, "a2b3")[0].kind == "illegal"


def test_english_frees_after_one_refused_pawn_capture() -> None:
    game = OracleGame(ENGLISH)
    play(game, "e2e4", "d7d5")
    assert ask(game, "any?")[0].kind == "any yes"
    mine, theirs = ask(game, "g1f3")
    assert mine.kind == "illegal"
    assert theirs is not None
    assert theirs.kind == "illegal"
    assert "g1f3" not in own_board(game)
    assert ask(game, "e4f5")[0].kind == "illegal"
    assert "g1f3" in informed(game), "a try refused under the obligation was not judged"
    assert "e4f5" not in informed(game)
    assert play(game, "g1f3").captured is None


def test_a_repeated_capture_does_not_free_in_english() -> None:
    game = OracleGame(ENGLISH)
    play(game, "e2e4", "d7d5")
    ask(game, "e4f5")
    ask(game, "any?")
    assert ask(game, "e4f5")[0].kind == "illegal"
    assert game.obliged


def test_any_is_hopeless_where_it_is_not_offered() -> None:
    assert ask(OracleGame(ICC), "any?")[0].kind == "illegal"
    assert ask(OracleGame(BERKELEY), "any?")[0].kind == "nonsense"


# -- who hears a refusal -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "refused", "hopeless"),
    [
        (ICC, ("illegal", None), ("illegal", None)),
        (BERKELEY, ("illegal", "illegal"), ("nonsense", None)),
        (BERKELEY_ANY, ("illegal", "illegal"), ("nonsense", None)),
        (CINCINNATI, ("illegal", "illegal"), ("nonsense", "nonsense")),
        (RAND, ("illegal", "illegal"), ("nonsense", "nonsense")),
        (ENGLISH, ("illegal", "illegal"), ("illegal", "illegal")),
    ],
)
def test_words_for_refusals(
    rules: str, refused: tuple[str, str | None], hopeless: tuple[str, str | None]
) -> None:
    game = OracleGame(rules, BLOCKED)
    assert words(ask(game, "a1a5")) == refused
    assert words(ask(game, "a1a5")) == hopeless, "a repeated try"
    assert words(ask(game, "a1h1")) == hopeless, "a slide through one's own king"
    assert words(ask(game, "b1b2")) == hopeless, "no man there"
    assert game.tries_this_turn == 4
    assert game.board.fen() == BLOCKED


def words(answer: tuple[Heard, Heard | None]) -> tuple[str, str | None]:
    return answer[0].kind, answer[1] and answer[1].kind


# -- promotions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", sorted(RULES))
@pytest.mark.parametrize(("uci", "man"), [("a7a8q", chess.QUEEN), ("a7a8n", chess.KNIGHT)])
def test_only_rand_says_promotion(rules: str, uci: str, man: chess.PieceType) -> None:
    game = OracleGame(rules, "8/P3k3/8/8/8/8/7P/4K3 w - - 0 1")
    assert play(game, uci).promotion == (rules == RAND)
    assert game.seats[chess.WHITE].men[chess.A8] == man
