"""The rules of dark chess, one by one."""

from __future__ import annotations

import chess
import pytest

from ks_env.core.actions import text_to_action
from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import Ruleset
from ks_env.games.dark.announcement import Announcement
from ks_env.games.dark.game import DARK, DarkGame
from ks_env.games.dark.options import DarkOptions
from tests.games.dark.twins import fields_of

W, B = chess.WHITE, chess.BLACK


def played(*moves: str, fen: str = chess.STARTING_FEN, rules: Ruleset = DARK) -> DarkGame:
    game = DarkGame(rules, fen)
    for move in moves:
        assert game.ask(move).kind is Kind.MOVED, move
    return game


def names(squares: chess.SquareSet) -> set[str]:
    return {chess.square_name(square) for square in squares}


def test_at_the_start_half_of_the_board_is_seen() -> None:
    game = DarkGame()
    assert game.seen(W) == chess.SquareSet(0x00000000FFFFFFFF)
    assert game.seen(B) == chess.SquareSet(0xFFFFFFFF00000000)
    assert game.seen_board(W).board_fen() == "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR"


def test_a_pawn_sees_empty_squares_ahead_and_enemy_men_beside_them() -> None:
    game = played("e2e4", "d7d5")
    assert {"e5", "d5"} <= names(game.seen(W))
    assert "f5" not in names(game.seen(W))  # an empty diagonal
    assert str(game.seen_board(W).piece_at(chess.D5)) == "p"
    assert {"e4"} <= names(game.seen(B))


def test_a_blocked_pawn_does_not_see_what_blocks_it() -> None:
    game = played("a2a4", "a7a5")
    assert "a5" not in names(game.seen(W))
    push = text_to_action("a4a5", W)
    assert not game.mask(W)[push]
    assert game.mask(W, "own-board")[push]
    assert game.ask(push).kind is Kind.ILLEGAL
    assert game.ask(push).kind is Kind.NONSENSE  # refused this turn
    assert game.ask("a4b5").kind is Kind.NONSENSE  # nothing to capture in sight
    assert game.to_play == W
    assert [heard.kind for heard in game.heard(B)] == [Kind.START, Kind.MOVED, Kind.MOVED]


def test_en_passant_is_seen_by_who_may_capture_and_heard_by_who_loses() -> None:
    game = played("e2e4", "a7a6", "e4e5", "d7d5")
    assert {"d5", "d6"} <= names(game.seen(W))
    assert game.mask(W)[text_to_action("e5d6", W)]
    assert game.ask("e5d6").text() == "Black to move, pawn captured on d5"
    heard = game.heard(B)[-1]
    assert (heard.captured, heard.square, heard.action) == (chess.PAWN, chess.D5, None)
    late = played("e2e4", "a7a6", "e4e5", "d7d5", "a2a3", "a6a5")
    assert late.ask("e5d6").kind is Kind.NONSENSE
    assert "d5" not in names(late.seen(W))


def test_there_is_no_check() -> None:
    fen = "r3k2r/8/8/8/8/5r2/8/R3K2R w KQkq - 0 1"
    assert played("e1g1", fen=fen).board().piece_at(chess.G1) == chess.Piece(chess.KING, W)  # through attack
    into = played("e1f1", fen=fen)
    assert not into.heard(B)[-1].check
    assert into.ask("f3f1").reason is Reason.KING_CAPTURED
    out = "4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1"
    played("e1c1", fen=out)  # out of attack
    pinned = "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1"
    played("e2d3", "e8e1", fen=pinned)


def test_who_captures_the_king_wins() -> None:
    game = played("e2e4", "f7f6", "d1h5", "a7a6", "h5e8")
    assert (game.reason, game.winner, game.to_play, game.result) == (Reason.KING_CAPTURED, W, None, "1-0")
    for colour in chess.COLORS:
        heard = game.heard(colour)[-1]
        assert heard.text() == "king captured on e8, White wins: king captured"
        assert game.view(colour)["result"] == (1 if colour else -1)
        assert not game.mask(colour).any()
    kings = played("e7e8", fen="4k3/4K3/8/8/8/8/8/8 w - - 0 1")
    assert kings.winner == W


def test_castling_ends_with_the_rook_that_is_captured_out_of_sight() -> None:
    game = played("b7h1", fen="4k3/1b6/8/8/8/8/8/R3K2R b KQ - 0 1")
    assert int(game.view(W)["rights"]) == 2  # queen side
    assert "h1" not in names(game.seen(W))
    assert game.mask(W)[text_to_action("e1c1", W)]
    assert not game.mask(W, "own-board")[text_to_action("e1g1", W)]
    assert game.heard(W)[-1].text() == "White to move, rook captured on h1"


@pytest.mark.parametrize(
    ("fen", "move", "reason"),
    [
        ("8/8/8/8/k7/p7/P7/K7 w - - 0 1", "a1b1", Reason.NONE),  # the king may step into attack
        ("7k/7p/7P/6P1/8/8/8/K7 b - - 0 1", "h8g7", Reason.NONE),
        ("8/8/8/8/4k3/8/8/4K3 w - - 0 1", "e1e2", Reason.NONE),  # bare kings play on
        ("6bk/6pp/6PP/8/8/8/8/K7 w - - 0 1", "a1a2", Reason.NONE),
        ("7k/8/8/8/8/8/8/K7 w - - 99 80", "a1a2", Reason.FIFTY_MOVES),
    ],
)
def test_draws(fen: str, move: str, reason: Reason) -> None:
    assert played(move, fen=fen).reason is reason


def test_stalemate_is_to_have_no_move_at_all() -> None:
    locked = "7k/8/8/8/1p6/pPp5/PRP5/KB6 b - - 0 1"
    game = played("h8g8", fen=locked)
    assert (game.reason, game.winner) == (Reason.STALEMATE, None)
    assert game.heard(W)[-1].text() == "draw: stalemate"
    with pytest.raises(ValueError, match="no legal move"):
        DarkGame(fen=locked.replace(" b ", " w "))


def test_threefold_and_limits() -> None:
    there_and_back = ("g1f3", "g8f6", "f3g1", "f6g8") * 2
    assert played(*there_and_back).reason is Reason.REPETITION
    truncated = played("e2e4", "e7e5", rules=Ruleset.named(DARK, max_plies=2))
    assert (truncated.reason, truncated.result) == (Reason.PLIES, "*")
    game = DarkGame(Ruleset.named(DARK, max_tries=2))
    game.ask("e2e5")
    assert game.ask("a1a5").reason is Reason.TRIES
    assert game.winner == B
    assert game.heard(B)[-1] == Announcement(Kind.ILLEGAL, W, winner=B, reason=Reason.TRIES)
    assert game.heard(W)[-1].kind is Kind.NONSENSE


def test_what_was_seen_is_remembered_and_grows_old() -> None:
    game = played("e2e4", "d7d5", "g1f3", "d5d4")
    view = game.view(W)
    assert int(view["recalled"][chess.PAWN]) >> chess.D5 & 1  # an empty diagonal: nothing is inferred
    assert int(view["theirs"]) == 1 << chess.D4
    game.ask("f3g1")
    view = game.view(W)
    assert int(view["theirs"]) == 0
    assert int(view["recalled"][chess.PAWN]) >> chess.D4 & 1
    assert view["age"][chess.D4] == 0  # nothing can have changed since
    game.ask("h7h6")
    assert game.view(W)["age"][chess.D4] == 1
    assert game.view(W)["age"][chess.E8] == 3


def test_a_promotion_is_not_told() -> None:
    game = played("b7b8q", fen="8/1P5k/8/8/8/8/8/K7 w - - 0 1")
    assert game.heard(B)[-1].text() == "Black to move"
    under = played("b7b8n", fen="8/1P5k/8/8/8/8/8/K7 w - - 0 1")
    assert fields_of(under.view(B)) == fields_of(game.view(B))


def test_starts_that_chess_forbids_can_be_played() -> None:
    assert DarkGame(fen="4k3/8/8/8/8/8/4R3/4K3 w - - 0 1").ask("e2e8").reason is Reason.KING_CAPTURED
    for fen in ("8/8/8/8/8/8/8/K7 w - - 0 1", "nonsense", "K7/8/8/8/8/8/8/k7 w KQ - 0 1"):
        with pytest.raises(ValueError, match="bad FEN"):
            DarkGame(fen=fen)
    with pytest.raises(ValueError, match="at least one FEN"):
        DarkOptions(start=[]).starts()
    with pytest.raises(ValueError, match="in dark chess; expected one of fifty_moves"):
        DarkOptions(ruleset_options={"kind_said": False}).rules()
