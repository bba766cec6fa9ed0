"""One game for people: forms of a try, ends, limits, and each ruleset's own rows on hand-made positions."""

from __future__ import annotations

import dataclasses
from typing import Any

import chess
import numpy as np
import pytest

from ks_env.core.actions import text_to_action
from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import ICC, RULESETS
from ks_env.core.tables import ANY
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game

WITH_ANY = ("berkeley-any", "english")
ALL = tuple(RULESETS)


def play(game: Game, *tries: str) -> Announcement:
    """Ask them all; the answer to the last."""
    for uci in tries:
        answer = game.ask(uci)
    return answer


def unheard(game: Game, colour: bool) -> bool:
    """Whether the colour heard nothing of the latest try."""
    return game.log()[-1][0 if colour else 1] is None


# -- forms of a try ------------------------------------------------------------------------------------------


def test_a_try_by_number_move_and_text() -> None:
    for form in (text_to_action("e2e4", chess.WHITE), chess.Move.from_uci("e2e4"), "e2e4", " e2e4 "):
        game = Game()
        assert game.ask(form).kind is Kind.MOVED
        assert game.board().piece_at(chess.E4) == chess.Piece(chess.PAWN, chess.WHITE)
    assert game.ask(np.int64(text_to_action("e7e5", chess.BLACK))).kind is Kind.MOVED  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (1859, ValueError, "action 1859 is outside the action space; expected 0 to 1858"),
        (-1, ValueError, "action -1 is outside"),
        (3.5, TypeError, "action is 3.5; expected an integer from 0 to 1858"),
        ("e9e4", ValueError, "'e9e4' is not a try; expected UCI text such as"),
        ("castle", ValueError, "'castle' is not a try"),
        (chess.Move(chess.A1, chess.H4), ValueError, "a1h4 is not a move of any man of white"),
        (chess.Move(chess.A2, chess.A3, chess.KNIGHT), ValueError, "a2a3n is not a move"),
    ],
)
def test_what_is_no_try(action: Any, error: type[Exception], message: str) -> None:
    game = Game()
    with pytest.raises(error, match=message):
        game.ask(action)
    assert (game.plies, game.row()["truth"]["answered"], game.log()) == (0, 0, [])


def test_no_try_after_the_end() -> None:
    game = Game(dataclasses.replace(ICC, max_plies=1))
    game.ask("e2e4")
    with pytest.raises(ValueError, match="the game is over"):
        game.ask("e7e5")


def test_mask_level_by_name() -> None:
    with pytest.raises(ValueError, match="unknown mask 'full'; expected one of informed, own-board"):
        Game().mask(chess.WHITE, "full")  # type: ignore[arg-type]


# -- ends ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move", "reason", "winner", "result"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", Reason.CHECKMATE, chess.WHITE, "1-0"),
        ("r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1", Reason.CHECKMATE, chess.BLACK, "0-1"),
        ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7", Reason.STALEMATE, None, "1/2-1/2"),
        ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1e2", Reason.MATERIAL, None, "1/2-1/2"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", Reason.FIFTY_MOVES, None, "1/2-1/2"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", "a1a8", Reason.CHECKMATE, chess.WHITE, "1-0"),
    ],
)
def test_ends_are_told_to_both(fen: str, move: str, reason: Reason, winner: bool | None, result: str) -> None:
    game = Game(ICC, fen)
    answer = game.ask(move)
    assert (answer.reason, answer.winner) == (reason, winner)
    assert (game.reason, game.winner, game.result, game.to_play) == (reason, winner, result, None)
    for colour in chess.COLORS:
        assert (game.heard(colour)[-1].reason, game.heard(colour)[-1].winner) == (reason, winner)
        assert not game.mask(colour).any()
    assert game.legal() == set()


@pytest.mark.parametrize("ruleset", ALL)
def test_stalemate_is_lost_in_rand_only(ruleset: str) -> None:
    game = Game(RULESETS[ruleset], "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1")
    game.ask("c1c7")
    assert game.reason is Reason.STALEMATE
    assert game.winner is (chess.WHITE if ruleset == "rand" else None)


def test_fifty_moves_can_be_switched_off() -> None:
    game = Game(dataclasses.replace(ICC, fifty_moves=False), "4k3/8/8/8/8/8/8/R3K3 w - - 99 80")
    assert game.ask("a1a2").reason is Reason.NONE
    assert game.board().halfmove_clock == 100


@pytest.mark.parametrize("plies", [1, 2, 5])
def test_the_limit_on_plies_stops_the_game_without_result(plies: int) -> None:
    game = Game(dataclasses.replace(ICC, max_plies=plies))
    answer = play(game, *["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"][:plies])
    assert (answer.reason, game.winner, game.result, game.plies) == (Reason.PLIES, None, "*", plies)


def test_an_end_by_the_rules_comes_before_the_limit_on_plies() -> None:
    game = Game(dataclasses.replace(ICC, max_plies=1), "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert game.ask("a1a8").reason is Reason.CHECKMATE


@pytest.mark.parametrize("ruleset", ALL)
@pytest.mark.parametrize("limit", [1, 2, 7])
def test_the_limit_on_tries_loses(ruleset: str, limit: int) -> None:
    game = Game(dataclasses.replace(RULESETS[ruleset], max_tries=limit))
    for number in range(limit):
        assert game.reason is Reason.NONE
        assert game.row()["truth"]["answered"] == number
        answer = game.ask("d1d5" if number % 2 else "a1a5")
    assert (answer.reason, game.winner, game.result) == (Reason.TRIES, chess.BLACK, "0-1")
    assert game.heard(chess.BLACK)[-1].reason is Reason.TRIES


def test_the_count_of_tries_begins_anew_each_turn() -> None:
    game = Game(dataclasses.replace(ICC, max_tries=3))
    answer = play(game, "e1e5", "e1e5", "e2e4", "e8e4", "e8e4", "e7e5", "d1d5", "d1d5")
    assert (answer.reason, game.plies, game.row()["truth"]["answered"]) == (Reason.NONE, 2, 2)
    assert game.ask("d1d5").winner is chess.BLACK


def test_asking_counts_toward_the_limit() -> None:
    game = Game(dataclasses.replace(RULESETS["english"], max_tries=1))
    assert game.ask("any?").reason is Reason.TRIES


# -- who hears what ------------------------------------------------------------------------------------------

BLOCKED = "4k3/8/8/8/r7/8/8/R3K3 w - - 0 1"  # a1a5 is refused; nothing else is wrong with it


@pytest.mark.parametrize("ruleset", ALL)
def test_a_refusal_is_heard_except_in_icc(ruleset: str) -> None:
    game = Game(RULESETS[ruleset], BLOCKED)
    assert game.ask("a1a5").kind is Kind.ILLEGAL
    assert unheard(game, chess.BLACK) == (ruleset == "icc")
    if ruleset != "icc":
        heard = game.heard(chess.BLACK)[-1]
        assert (heard.kind, heard.by, heard.action) == (Kind.ILLEGAL, chess.WHITE, None)


@pytest.mark.parametrize("ruleset", ALL)
@pytest.mark.parametrize("tries", [("a1b3",), ("a1a5", "a1a5"), ("b1c3",), ("e1g1",)])
def test_what_is_hopeless_or_repeated(ruleset: str, tries: tuple[str, ...]) -> None:
    game = Game(RULESETS[ruleset], BLOCKED)
    answer = play(game, *tries)
    word = Kind.ILLEGAL if ruleset in ("icc", "english") else Kind.NONSENSE
    assert answer.kind is word
    assert unheard(game, chess.BLACK) == (ruleset in ("icc", "berkeley", "berkeley-any"))
    assert game.to_play is chess.WHITE
    assert game.board().fen() == BLOCKED


@pytest.mark.parametrize("ruleset", ALL)
def test_a_pawn_capture_when_none_was_announced(ruleset: str) -> None:
    game = Game(RULESETS[ruleset])
    answer = game.ask("e2d3")
    assert answer.kind is (Kind.NONSENSE if ruleset == "cincinnati" else Kind.ILLEGAL)
    again = game.ask("e2d3")  # now it is repeated
    assert again.kind is (Kind.ILLEGAL if ruleset in ("icc", "english") else Kind.NONSENSE)


TAKES = "4k3/8/8/3n4/4P3/2p5/1P6/4K3 w - - 0 1"  # e4xd5 and b2xc3


@pytest.mark.parametrize("ruleset", ALL)
@pytest.mark.parametrize(
    ("move", "kind", "square"), [("e4d5", "piece", chess.D5), ("b2c3", "pawn", chess.C3)]
)
def test_what_is_said_of_a_capture(ruleset: str, move: str, kind: str, square: int) -> None:
    game = Game(RULESETS[ruleset], TAKES)
    game.ask(move)
    said = kind if ruleset in ("icc", "cincinnati", "rand") else "man"
    for colour in chess.COLORS:
        heard = game.heard(colour)[-1]
        assert (heard.captured, heard.square, heard.en_passant) == (said, square, False)
        assert (heard.action is None) == (colour is chess.BLACK)


@pytest.mark.parametrize("ruleset", ALL)
def test_pawn_tries(ruleset: str) -> None:
    start = Game(RULESETS[ruleset], TAKES).heard(chess.BLACK)[0]
    expected = {"icc": (2, ()), "cincinnati": (1, ()), "rand": (None, (chess.B2, chess.E4))}
    assert (start.tries, start.try_squares) == expected.get(ruleset, (None, ()))


@pytest.mark.parametrize(
    ("fen", "count"),
    [
        ("4k3/8/8/2ppp3/3P4/8/8/4K3 w - - 0 1", 2),  # a pawn counts once for each man it can take
        ("3n1n2/4P3/8/8/8/8/2k5/K7 w - - 0 1", 2),  # promotion captures count once each
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 1),  # en passant
        ("4r1k1/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 0),  # pinned
        ("4k3/8/8/8/4r3/3p4/2P5/4K3 w - - 0 1", 0),  # in check, and the capture does not parry
    ],
)
def test_pawn_tries_are_legal_captures_counted_by_from_and_to(fen: str, count: int) -> None:
    assert Game(ICC, fen).heard(chess.WHITE)[0].tries == count
    yes = Game(RULESETS["cincinnati"], fen).heard(chess.WHITE)[0]
    assert yes.tries == min(count, 1)


@pytest.mark.parametrize("ruleset", ALL)
def test_en_passant(ruleset: str) -> None:
    game = Game(RULESETS[ruleset], "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    play(game, "d7d5", "e5d6")
    heard = game.heard(chess.BLACK)[-1]
    named = ruleset == "english"
    assert heard.en_passant == named
    assert heard.square == (chess.D6 if named else chess.D5)


@pytest.mark.parametrize("ruleset", ALL)
@pytest.mark.parametrize("move", ["b7b8", "b7b8n"])
def test_promotion_is_said_in_rand_only(ruleset: str, move: str) -> None:
    game = Game(RULESETS[ruleset], "8/1P6/8/8/7k/8/8/4K3 w - - 0 1")
    game.ask(move)
    kind = chess.KNIGHT if move.endswith("n") else chess.QUEEN
    assert game.board().piece_type_at(chess.B8) == kind
    assert game.heard(chess.BLACK)[-1].promotion == (ruleset == "rand")


@pytest.mark.parametrize(
    ("fen", "checks"),
    [
        ("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", ("rank",)),
        ("4k3/4r3/8/8/8/8/8/4K3 w - - 0 1", ("file",)),
        ("4k3/7p/8/8/7b/8/8/4K3 w - - 0 1", ("short diagonal",)),
        ("4k3/7p/8/b7/8/8/8/4K3 w - - 0 1", ("long diagonal",)),
        ("4k3/7p/8/8/8/3n4/8/4K3 w - - 0 1", ("knight",)),
        ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", ("long diagonal",)),
        ("4k3/4r3/8/8/7b/8/8/4K3 w - - 0 1", ("file", "short diagonal")),
        ("4k3/8/8/8/8/8/8/r3K2r w - - 0 1", ("rank", "rank")),
    ],
)
@pytest.mark.parametrize("ruleset", ALL)
def test_check_types(ruleset: str, fen: str, checks: tuple[str, ...]) -> None:
    game = Game(RULESETS[ruleset], fen)
    assert game.heard(chess.WHITE)[0].checks == game.heard(chess.BLACK)[0].checks == checks


# -- "any?" --------------------------------------------------------------------------------------------------

# e4 can take on d5; b2's captures are shapes only
OBLIGED = "4k3/8/8/3p4/4P3/8/1P6/R3K3 w - - 0 1"


@pytest.mark.parametrize("ruleset", ALL)
def test_the_question(ruleset: str) -> None:
    game = Game(RULESETS[ruleset], OBLIGED)
    assert bool(game.mask(chess.WHITE)[ANY]) == (ruleset in WITH_ANY)
    answer = game.ask("any?")
    if ruleset not in WITH_ANY:
        assert answer.kind is (Kind.ILLEGAL if ruleset == "icc" else Kind.NONSENSE)
        return
    assert answer.kind is Kind.ANY_YES
    assert game.heard(chess.BLACK)[-1].kind is Kind.ANY_YES
    assert game.row()["truth"]["answered"] == 1
    shapes = {text_to_action(uci, chess.WHITE) for uci in ("e4d5", "e4f5", "b2a3", "b2c3")}
    for level in ("informed", "own-board"):
        assert set(np.flatnonzero(game.mask(chess.WHITE, level))) == shapes
    again = game.ask("any?")
    assert again.kind is (Kind.ILLEGAL if ruleset == "english" else Kind.NONSENSE)


@pytest.mark.parametrize("ruleset", WITH_ANY)
def test_after_no_there_is_no_pawn_capture(ruleset: str) -> None:
    game = Game(RULESETS[ruleset])
    assert game.ask("any?").kind is Kind.ANY_NO
    assert game.heard(chess.BLACK)[-1].kind is Kind.ANY_NO
    assert not game.mask(chess.WHITE)[text_to_action("e2d3", chess.WHITE)]
    assert game.mask(chess.WHITE, "own-board")[text_to_action("e2d3", chess.WHITE)]
    assert not game.mask(chess.WHITE, "own-board")[ANY]
    assert game.mask(chess.WHITE)[text_to_action("e2e4", chess.WHITE)]
    play(game, "e2e4", "e7e5")
    assert game.mask(chess.WHITE)[ANY]
    assert game.mask(chess.WHITE)[text_to_action("e4d5", chess.WHITE)]


def test_berkeley_any_obliges_until_a_capture_is_accepted() -> None:
    game = Game(RULESETS["berkeley-any"], OBLIGED)
    assert play(game, "any?", "a1a2").kind is Kind.NONSENSE
    assert play(game, "b2a3").kind is Kind.ILLEGAL
    assert play(game, "a1a2").kind is Kind.NONSENSE
    assert play(game, "e4d5").kind is Kind.MOVED


def test_english_frees_after_one_refused_capture() -> None:
    game = Game(RULESETS["english"], OBLIGED)
    assert play(game, "any?", "a1a2").kind is Kind.ILLEGAL  # the one word of that ruleset
    assert not game.mask(chess.WHITE, "own-board")[text_to_action("a1a2", chess.WHITE)]
    assert play(game, "b2a3").kind is Kind.ILLEGAL
    assert game.mask(chess.WHITE)[text_to_action("a1a2", chess.WHITE)]
    assert game.mask(chess.WHITE)[text_to_action("e4d5", chess.WHITE)]
    assert play(game, "a1a2").kind is Kind.MOVED


# -- the referee's and the players' boards -------------------------------------------------------------------


def test_own_boards_hold_own_men_and_rights() -> None:
    game = Game()
    play(game, "e2e4", "d7d5", "e4d5", "e8d7")
    white, black = game.own_board(chess.WHITE), game.own_board(chess.BLACK)
    assert white.board_fen() == "8/8/8/3P4/8/8/PPPP1PPP/RNBQKBNR"
    assert black.board_fen() == "rnbq1bnr/pppkpppp/8/8/8/8/8/8"
    assert (white.castling_rights, black.castling_rights) == (chess.BB_A1 | chess.BB_H1, 0)
    assert white.halfmove_clock == black.halfmove_clock == 0


def test_the_log_has_both_sides_of_every_try() -> None:
    game = Game()
    play(game, "e2d3", "e2e4", "d7d5")
    kinds = [(white and white.kind, black and black.kind) for white, black in game.log()]
    assert kinds == [(Kind.ILLEGAL, None), (Kind.MOVED, Kind.MOVED), (Kind.MOVED, Kind.MOVED)]
    assert [a.kind for a in game.heard(chess.BLACK)] == [Kind.START, Kind.MOVED, Kind.MOVED]
    assert [a.by for a in game.heard(chess.WHITE)] == [True, True, True, False]
    assert int(game.said()["kind"]) == Kind.MOVED
