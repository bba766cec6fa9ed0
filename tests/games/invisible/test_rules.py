"""The table of answers, the corners where the paper is silent, and its two figures."""

from __future__ import annotations

import dataclasses

import chess
import pytest

from ks_env.core.actions import text_to_action
from ks_env.core.answers import Kind, Reason
from ks_env.games.invisible.announcement import Announcement
from ks_env.games.invisible.game import INVISIBLE, InvisibleGame
from ks_env.games.invisible.layout import Why
from tests.oracle.invisible_seat import Heard

# Figure 1: "The black bishop on b2 is invisible." It has to move there first: the start is public.
FIGURE_1 = ("none v g7", "4k3/6b1/8/8/8/8/4P3/2B1K3 b - - 10 5", "g7b2")
# Figure 2: check from the bishop on a5; an invisible knight on f1 (2) and an invisible bishop on c4 (1).
FIGURE_2 = (
    "none v b5 g3",
    "3bk3/8/8/1b6/7R/6n1/PP6/4K3 b - - 0 1",
    *("b5c4", "a2a3", "g3f1", "a3a4", "d8a5"),
)


def played(hidden: str, fen: str, *tries: str, **options: int) -> InvisibleGame:
    """A game after these tries, all of which have to end the turn."""
    game = InvisibleGame(hidden, dataclasses.replace(INVISIBLE, **options), fen)  # type: ignore[arg-type]
    for text in tries:
        assert game.ask(text).kind in (Kind.MOVED, Kind.LOST), text
    return game


def other(game: InvisibleGame) -> Announcement | None:
    """What the seat that did not try heard of the latest answer."""
    white, black = game.log()[-1]
    return white if black is not None and black.action is not None else black


def is_tried(game: InvisibleGame, text: str, level: str = "informed") -> bool:
    """Whether a mask of the side to play holds the try."""
    assert game.to_play is not None
    return bool(game.mask(game.to_play, level)[text_to_action(text, game.to_play)])  # type: ignore[arg-type]


def seen_at(game: InvisibleGame, colour: bool, number: int) -> str | None:
    """The square on which the colour knows the other's hidden man to stand."""
    square = int(game.view(colour)["placed"][number])
    return None if square < 0 else chess.square_name(square ^ (0 if colour else 56))


# -- the figures and the table of answers -------------------------------------------------------------------


def test_figure_1_an_impossible_move_loses_the_turn() -> None:
    game = played(*FIGURE_1)
    assert is_tried(game, "c1a3")
    heard = game.ask("c1a3")
    assert heard == Announcement(Kind.LOST, chess.WHITE, text_to_action("c1a3", chess.WHITE))
    assert heard.text() == "White's move is impossible: the turn is lost"
    assert other(game) == Announcement(Kind.LOST, chess.WHITE)
    assert game.to_play == chess.BLACK
    assert game.board().piece_at(chess.C1) == chess.Piece(chess.BISHOP, chess.WHITE)


def test_figure_2_an_illegal_move_is_told_why_and_tried_again() -> None:
    game = played(*FIGURE_2)
    assert is_tried(game, "e1f1")
    heard = game.ask("e1f1")
    assert (heard.kind, heard.why) == (Kind.ILLEGAL, Why.CHECK)
    assert (heard.checkers, heard.hidden_checkers) == ((), (1,))
    assert heard.text() == "illegal: the king would be in check, by hidden man 1"
    assert other(game) is None
    assert game.to_play == chess.WHITE
    assert not is_tried(game, "e1f1")
    assert game.ask("e1f1").kind is Kind.NONSENSE


@pytest.mark.parametrize(
    ("text", "why", "checkers", "hidden"),
    [
        ("h4b4", Why.BLOCKED, (), ()),  # through the bishop on c4, onto the line of the check
        ("b2c3", Why.NOTHING, (), ()),
        ("e1e2", Why.CHECK, (), (1,)),
        ("e1d2", Why.CHECK, (chess.A5,), (2,)),
        ("a4a5", Why.BLOCKED, (), ()),
    ],
)
def test_in_check_every_impossible_move_is_illegal(
    text: str, why: Why, checkers: tuple[int, ...], hidden: tuple[int, ...]
) -> None:
    game = played(*FIGURE_2)
    if text == "a4a5":  # a visible man stands there: no placement helps
        assert game.ask(text).kind is Kind.NONSENSE
        return
    heard = game.ask(text)
    assert (heard.kind, heard.why, heard.checkers, heard.hidden_checkers) == (
        Kind.ILLEGAL,
        why,
        checkers,
        hidden,
    )
    assert (game.plies, game.to_play, other(game)) == (5, chess.WHITE, None)
    assert game.ask("e1d1").kind is Kind.MOVED


def test_what_no_placement_makes_a_move_is_nonsense() -> None:
    game = InvisibleGame("none v b2", fen="4k3/8/8/8/8/8/1b2P3/2B1K3 w - - 0 1")
    for text in ("c1a3", "e2e5", "e1e3", "c1c2", "e1g1"):  # at the start the square of b2 is public
        assert game.ask(text).kind is Kind.NONSENSE
        assert other(game) is None
    assert game.ask("c1b2").taken == 1


def test_a_pawn_that_finds_nothing_or_a_man_in_front_loses_the_turn() -> None:
    fen = "4k3/8/1n6/8/3PP3/8/8/4K3 b - - 0 1"
    assert played("none v b6", fen, "b6d5").ask("e4f5").kind is Kind.LOST
    assert played("none v b6", fen, "b6d5").ask("d4d5").kind is Kind.LOST
    assert played("none v b6", fen, "b6d5").ask("e4d5").kind is Kind.MOVED


def test_pinned_by_a_hidden_man() -> None:
    game = played("none v d8", "k2r4/8/8/8/8/8/4N3/4K3 b - - 0 1", "d8e8")
    heard = game.ask("e2c3")
    assert (heard.kind, heard.why, heard.hidden_checkers) == (Kind.ILLEGAL, Why.CHECK, (1,))
    assert (game.to_play, other(game)) == (chess.WHITE, None)


def test_a_pin_that_all_can_see_is_left_out_of_the_informed_mask() -> None:
    game = InvisibleGame("none v none", fen="k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1")
    assert is_tried(game, "e2c3", "own-board")
    assert not is_tried(game, "e2c3")
    haunted = played("none v a7", "k3r3/n7/8/8/8/8/4N3/4K3 b - - 0 1", "a7c6")
    assert is_tried(haunted, "e2c3")  # the hidden knight may stand between


def test_pinned_and_in_the_way_is_impossible() -> None:
    fen = "k2r4/8/8/8/8/8/P3B3/1b2K3 b - - 0 1"
    game = played("none v d8 b1", fen, "d8e8", "a2a3", "b1d3")
    assert game.ask("e2c4").kind is Kind.LOST
    assert game.board().piece_at(chess.E2) is not None


def test_the_limit_on_tries_loses_and_both_hear_it() -> None:
    game = played(*FIGURE_2, max_tries=2)
    game.ask("e1f1")
    heard = game.ask("e1e2")
    assert (heard.reason, heard.winner) == (Reason.TRIES, chess.BLACK)
    assert other(game) == Announcement(Kind.ILLEGAL, chess.WHITE, winner=chess.BLACK, reason=Reason.TRIES)
    assert other(game).text() == "illegal, Black wins: limit on tries"  # type: ignore[union-attr]
    assert game.to_play is None


# -- what the opponent is told ------------------------------------------------------------------------------


def test_a_visible_man_is_seen_to_move_and_a_hidden_one_is_named() -> None:
    game = InvisibleGame("b1 v none")
    visible = game.ask("e2e4")
    assert other(game) == dataclasses.replace(visible, action=None)
    assert visible.text() == "White's pawn moves e2-e4"
    game.ask("e7e5")
    heard = game.ask("b1c3")
    told = other(game)
    assert told == dataclasses.replace(heard, action=None, start=None, end=None)
    assert told is not None
    assert told.text() == "White's hidden knight 1 moves"
    assert (heard.start, heard.end) == (chess.B1, chess.C3)
    assert seen_at(game, chess.BLACK, 1) is None
    assert game.seen_board(chess.BLACK).piece_at(chess.C3) is None
    assert game.seen_board(chess.WHITE).piece_at(chess.C3) is not None


def test_capture_by_a_hidden_man_shows_its_square_until_it_moves() -> None:
    game = played("b1 v none", "4k3/p7/8/3p4/8/8/8/1N2K3 w - - 0 1", "b1c3", "e8e7")
    heard = game.ask("c3d5")
    told = other(game)
    assert heard.captured == chess.PAWN
    assert told is not None
    assert (told.mover, told.square, told.landing, told.start, told.end) == (
        1,
        chess.D5,
        chess.D5,
        None,
        None,
    )
    assert told.text() == "White's hidden knight 1 moves, pawn on d5 is captured, check by hidden man 1"
    assert seen_at(game, chess.BLACK, 1) == "d5"
    game.ask("e7d6")
    game.ask("d5f4")
    assert seen_at(game, chess.BLACK, 1) is None


def test_capture_of_a_hidden_man_tells_kind_and_number() -> None:
    game = played("none v b6 h8", "4k2r/8/1n6/8/4P3/8/8/4K3 b - - 0 1", "b6d5")
    heard = game.ask("e4d5")
    assert (heard.captured, heard.taken, heard.square) == (chess.KNIGHT, 2, chess.D5)
    assert heard.text() == "White's pawn moves e4-d5, hidden knight 2 on d5 is captured"
    assert list(game.view(chess.WHITE)["unseen"][:4]) == [0, chess.ROOK, 0, 0]


def test_check_from_a_hidden_man_names_its_number_alone() -> None:
    game = played("none v h8", "4k2r/8/8/8/8/8/8/3K4 b - - 0 1")
    mine = game.ask("h8h1")
    told = other(game)
    assert told is not None
    assert (told.checkers, told.hidden_checkers) == ((), (1,))
    assert told.text() == "Black's hidden rook 1 moves, check by hidden man 1"
    assert (mine.checkers, mine.hidden_checkers) == ((chess.H1,), (1,))
    assert mine.text() == "Black's hidden rook 1 moves h8-h1, check by h1"
    assert game.view(chess.WHITE)["checks"] == 1
    assert is_tried(game, "d1e1")  # nobody told where the rook stands


def test_double_check_from_a_visible_and_a_hidden_man() -> None:
    game = played("none v e8", "k3r3/4b3/8/8/8/8/3P4/4K3 b - - 0 1", "e7h4")
    told = game.log()[-1][0]
    assert told is not None
    assert (told.checkers, told.hidden_checkers) == ((chess.H4,), (1,))
    assert told.text() == "Black's bishop moves e7-h4, check by h4 and hidden man 1"
    assert not is_tried(game, "d2d3")
    assert is_tried(game, "e1d1")


def test_a_start_in_check_from_a_hidden_man() -> None:
    game = InvisibleGame("none v h1", fen="4k3/8/8/8/8/8/8/3K3r w - - 0 1")
    for colour in chess.COLORS:
        start = game.heard(colour)[0]
        assert (start.kind, start.checkers, start.hidden_checkers) == (Kind.START, (), (1,))
    assert not is_tried(game, "d1e1")  # its square is public at the start


# -- castling ----------------------------------------------------------------------------------------------


def test_castling_with_a_hidden_rook_shows_where_it_stands() -> None:
    game = played("h1 v none", "4k3/p7/8/8/8/8/8/4K2R w K - 0 1", "e1g1")
    told = other(game)
    assert told is not None
    assert (told.start, told.end, told.castled, told.rook) == (chess.E1, chess.G1, "king side", 1)
    assert told.text() == "White's king moves e1-g1, castling king side with hidden rook 1"
    assert seen_at(game, chess.BLACK, 1) == "f1"
    assert game.view(chess.WHITE)["exposed"][1] == chess.F1
    assert game.seen_board(chess.BLACK).piece_at(chess.F1) is None


@pytest.mark.parametrize(
    ("fen", "black", "castling"),
    [
        ("4k3/8/8/8/8/6n1/8/4K2R b K - 0 1", "g3f1", "e1g1"),
        ("4k3/8/8/8/8/7n/8/4K2R b K - 0 1", "h3g1", "e1g1"),
        ("4k3/8/8/8/8/8/3n4/R3K3 b Q - 0 1", "d2b1", "e1c1"),
    ],
)
def test_castling_past_a_hidden_man_is_impossible(fen: str, black: str, castling: str) -> None:
    game = played(f"none v {black[:2]}", fen, black)
    assert is_tried(game, castling)
    assert game.ask(castling).kind is Kind.LOST


@pytest.mark.parametrize("square", ["f8", "g8"])
def test_castling_through_or_into_an_attack_is_illegal(square: str) -> None:
    game = played("none v h8", "k6r/8/8/8/8/8/7P/4K2R b K - 0 1", f"h8{square}")
    heard = game.ask("e1g1")
    assert (heard.kind, heard.why, heard.hidden_checkers) == (Kind.ILLEGAL, Why.CHECK, (1,))
    assert game.to_play == chess.WHITE


def test_castling_out_of_check_is_illegal_and_names_who_gives_it() -> None:
    visible = InvisibleGame("none v none", fen="k3r3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert not is_tried(visible, "e1g1")
    heard = visible.ask("e1g1")
    assert (heard.kind, heard.why, heard.checkers) == (Kind.ILLEGAL, Why.CHECK, (chess.E8,))
    hidden = played("none v d8", "k2r4/8/8/8/8/8/8/4K2R b K - 0 1", "d8e8")
    assert hidden.ask("e1g1").hidden_checkers == (1,)


# -- pawns -------------------------------------------------------------------------------------------------


def test_promotion_of_a_hidden_pawn_stays_hidden_and_tells_its_kind() -> None:
    game = played("a7 v none", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8r")
    told = other(game)
    assert told is not None
    assert (told.man, told.mover, told.promoted, told.start) == (chess.PAWN, 1, chess.ROOK, None)
    assert told.text() == "White's hidden pawn 1 moves and becomes a rook"
    assert game.view(chess.BLACK)["unseen"][1] == chess.ROOK
    assert game.hidden_squares(chess.WHITE) == {1: chess.A8}
    assert game.seen_board(chess.BLACK).piece_at(chess.A8) is None


def test_promotion_of_a_visible_pawn_gives_a_visible_man() -> None:
    game = played("h1 v none", "8/P3k3/8/8/8/8/8/4K2R w - - 0 1", "a7a8q")
    told = other(game)
    assert told is not None
    assert (told.mover, told.promoted, told.start, told.end) == (0, chess.QUEEN, chess.A7, chess.A8)
    assert told.text() == "White's pawn moves a7-a8 and becomes a queen"
    assert game.seen_board(chess.BLACK).piece_at(chess.A8) == chess.Piece(chess.QUEEN, chess.WHITE)


def test_a_promoted_hidden_bishop_has_a_colour_once_it_was_placed() -> None:
    fen = "8/P3k3/2p5/8/8/8/8/4K3 w - - 0 1"
    game = played("a7 v none", fen, "a7a8b", "e7d7")
    assert game.view(chess.BLACK)["shade"][1] == 0
    game.ask("a8c6")
    assert seen_at(game, chess.BLACK, 1) == "c6"
    assert game.view(chess.BLACK)["shade"][1] == 1  # a light square, and so dark in Black's own frame


def test_en_passant_by_a_hidden_pawn() -> None:
    game = played("e5 v none", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5d6")
    told = other(game)
    assert told is not None
    assert (told.square, told.landing, told.mover, told.start) == (chess.D5, chess.D6, 1, None)
    assert told.text() == "White's hidden pawn 1 moves, pawn on d5 is captured en passant, on d6"
    assert seen_at(game, chess.BLACK, 1) == "d6"


def test_en_passant_of_a_hidden_pawn() -> None:
    fen = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"
    stepped, crept = played("none v d7", fen, "d7d5"), played("none v d7", fen, "d7d6")
    assert (stepped.mask(chess.WHITE) == crept.mask(chess.WHITE)).all()
    assert is_tried(stepped, "e5d6")
    assert is_tried(stepped, "e5f6")
    heard = stepped.ask("e5d6")
    assert (heard.captured, heard.taken, heard.square, heard.landing) == (chess.PAWN, 1, chess.D5, chess.D6)
    assert played("none v d7", fen, "d7d5").ask("e5f6").kind is Kind.LOST
    assert crept.ask("e5d6").square == chess.D6


def test_en_passant_has_to_be_made_at_once() -> None:
    fen = "4k3/3p4/8/4P3/8/b7/8/2B1K3 b - - 0 1"
    start = ("none v a3", fen, "a3b2", "e1e2", "d7d5")
    assert played(*start).ask("e5d6").square == chess.D5
    lost = played(*start, "c1a3", "e8e7")
    assert lost.board().ep_square is None
    assert lost.log()[-2][0].kind is Kind.LOST  # type: ignore[union-attr]
    assert lost.ask("e5d6").kind is Kind.LOST
    hidden = played("none v d7", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e1e2", "e8e7")
    assert hidden.ask("e5d6").kind is Kind.LOST


# -- counting and ends -------------------------------------------------------------------------------------


def test_a_lost_turn_counts() -> None:
    game = played(*FIGURE_1, "c1a3")
    board = game.board()
    assert (board.turn, board.halfmove_clock, board.fullmove_number, game.plies) == (chess.BLACK, 12, 6, 2)
    for colour in chess.COLORS:
        assert (game.view(colour)["fifty"], game.view(colour)["moves"]) == (12, 6)
    game.ask("b2a1")
    assert game.ask("e1f1").kind is Kind.MOVED


def test_a_lost_turn_may_be_the_hundredth() -> None:
    hidden, fen, first = FIGURE_1
    game = played(hidden, fen.replace("10 5", "98 60"), first)
    heard = game.ask("c1a3")
    assert (heard.kind, heard.reason, heard.winner) == (Kind.LOST, Reason.FIFTY_MOVES, None)
    assert other(game) == dataclasses.replace(heard, action=None)
    assert game.result == "1/2-1/2"


def test_positions_after_lost_turns_repeat() -> None:
    game = played(*FIGURE_1)
    for number, king in enumerate(("e8d8", "d8e8", "e8d8", "d8e8")):
        assert game.reason is Reason.NONE
        assert game.ask("c1a3").kind is Kind.LOST
        assert game.ask(king).reason is (Reason.REPETITION if number == 3 else Reason.NONE)


def test_the_limit_on_plies_counts_lost_turns() -> None:
    heard = played(*FIGURE_1, max_plies=2).ask("c1a3")
    assert (heard.kind, heard.reason) == (Kind.LOST, Reason.PLIES)


def test_hidden_men_of_a_kind_that_change_places_repeat_the_position() -> None:
    game = InvisibleGame("2N v none", fen="7k/8/8/8/8/2N1N3/8/K7 w - - 0 1")
    swap = ("c3d5", "h8g8", "e3d1", "g8h8", "d5e3", "h8g8", "d1c3", "g8h8")
    for text in swap:
        assert game.ask(text).reason is Reason.NONE
    assert game.hidden_squares(chess.WHITE) == {1: chess.E3, 2: chess.C3}
    for text in swap[:-1]:
        assert game.ask(text).reason is Reason.NONE
    assert game.ask(swap[-1]).reason is Reason.REPETITION


def test_stalemate_although_a_turn_could_be_lost() -> None:
    game = played("c3 v none", "7k/5Q2/6K1/p7/8/2N5/8/8 w - - 0 1")
    heard = game.ask("c3a4")
    assert (heard.reason, heard.winner) == (Reason.STALEMATE, None)
    assert other(game).reason is Reason.STALEMATE  # type: ignore[union-attr]


def test_mate_by_a_hidden_man() -> None:
    game = played("none v d8", chess.STARTING_FEN, "f2f3", "e7e5", "g2g4")
    heard = game.ask("d8h4")
    told = other(game)
    assert (heard.reason, heard.winner) == (Reason.CHECKMATE, chess.BLACK)
    assert told is not None
    assert told.text() == "Black's hidden queen 1 moves, check by hidden man 1, Black wins: checkmate"


def test_insufficient_material_is_that_of_the_whole_board() -> None:
    game = played("b1 v none", "4k3/8/8/8/8/2p5/8/1N2K3 w - - 0 1")
    assert game.ask("b1c3").reason is Reason.MATERIAL


# -- the game object ---------------------------------------------------------------------------------------


def test_nothing_is_asked_of_a_game_that_is_over_or_of_no_try() -> None:
    game = played("b1 v none", "4k3/8/8/8/8/2p5/8/1N2K3 w - - 0 1", "b1c3")
    with pytest.raises(ValueError, match="the game is over"):
        game.ask("e8e7")
    fresh = InvisibleGame("none v none")
    for action, message in ((1859, "outside the action space"), ("e2", "is not a try")):
        with pytest.raises(ValueError, match=message):
            fresh.ask(action)
    assert fresh.ask(1858).kind is Kind.NONSENSE  # "any?" is no question of this game
    with pytest.raises(ValueError, match="choice 1 of hidden men; expected 0 to 0"):
        InvisibleGame("none v none", choice=1)


def test_the_fields_of_an_announcement_are_those_of_the_oracle() -> None:
    assert sorted(field.name for field in dataclasses.fields(Announcement)) == sorted(Heard._fields)
