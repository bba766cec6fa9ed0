"""What a seat knows: ages by event, the bound on the fifty-move clock, own rights, counts of men taken."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from ks_env.core.answers import Reason
from ks_env.core.ruleset import ICC, RULESETS
from ks_env.games.kriegspiel.game import Game
from tests.starts import LISTED, draw_start

ALL = tuple(RULESETS)
NAMES = dict(zip(chess.SQUARE_NAMES, chess.SQUARES, strict=True))


def played(fen: str, *tries: str, ruleset: str = "icc") -> Game:
    game = Game(RULESETS[ruleset], fen)
    for uci in tries:
        assert game.ask(uci).kind.name == "MOVED", uci
    return game


def ages(game: Game, colour: bool) -> dict[str, int]:
    return dict(zip(chess.SQUARE_NAMES, game.ages(colour).tolist(), strict=True))


def of_age(game: Game, colour: bool, age: int) -> set[str]:
    return {name for name, n in ages(game, colour).items() if n == age}


# -- ages: each event of the list ----------------------------------------------------------------------------


def test_a_public_start_is_known() -> None:
    game = Game()
    assert of_age(game, chess.WHITE, 0) == of_age(game, chess.BLACK, 0) == set(NAMES)


def test_a_hidden_start_is_not() -> None:
    game = Game(ICC, "8/8/8/3k4/8/8/8/KR6 w - - 0 1", hidden_start=True)
    assert of_age(game, chess.WHITE, 0) == {"a1", "b1"}
    assert of_age(game, chess.WHITE, 255) == set(NAMES) - {"a1", "b1"}
    assert of_age(game, chess.BLACK, 255) == set(NAMES) - {"d5"}


def test_the_opponents_turn_adds_one_where_no_own_man_stands() -> None:
    own = {name for name in NAMES if name[1] in "12"}
    game = played(chess.STARTING_FEN, "b1c3", "b8c6", "c3b1", "c6b8")
    assert of_age(game, chess.WHITE, 0) == own
    assert of_age(game, chess.WHITE, 2) == set(NAMES) - own - {"c3"}
    assert of_age(game, chess.WHITE, 1) == {"c3"}  # left in the second turn, then one turn of Black
    before = game.ages(chess.BLACK)
    game.ask("e2e4")
    assert ((game.ages(chess.BLACK) - before)[game.ages(chess.BLACK) > 0] == 1).all()


def test_refusals_change_no_age() -> None:
    game = played(chess.STARTING_FEN, "e2e4", "d7d5")
    before = game.ages(chess.WHITE), game.ages(chess.BLACK)
    game.ask("e4f5")
    game.ask("a1a5")
    assert (game.ages(chess.WHITE) == before[0]).all()
    assert (game.ages(chess.BLACK) == before[1]).all()


def test_squares_left_passed_and_reached() -> None:
    game = played("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1", "e1f1", "e8f8", "f1e1", "f8e8", "a1a6")
    assert of_age(game, chess.WHITE, 0) == {"a1", "a2", "a3", "a4", "a5", "a6", "e1"}
    game.ask("e8f8")
    assert of_age(game, chess.WHITE, 0) == {"a6", "e1"}
    assert of_age(game, chess.WHITE, 1) == {"a1", "a2", "a3", "a4", "a5"}


def test_a_knight_passes_over_nothing() -> None:
    game = played("4k3/7p/8/8/8/8/8/N3K3 w - - 0 1", "e1f1", "e8f8", "f1e1", "f8e8", "a1b3")
    assert of_age(game, chess.WHITE, 0) == {"a1", "b3", "e1"}


@pytest.mark.parametrize(
    ("colour", "move", "fresh"),
    [
        (chess.WHITE, "e1g1", {"e1", "f1", "g1", "h1", "a1"}),
        (chess.WHITE, "e1c1", {"a1", "b1", "c1", "d1", "e1", "h1"}),
        (chess.BLACK, "e8g8", {"e8", "f8", "g8", "h8", "a8"}),
        (chess.BLACK, "e8c8", {"a8", "b8", "c8", "d8", "e8", "h8"}),
    ],
)
def test_both_men_count_when_castling(colour: bool, move: str, fresh: set[str]) -> None:
    fen = f"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R {'w' if colour else 'b'} KQkq - 0 1"
    own_pawns = {name for name in NAMES if name[1] == ("2" if colour else "7")} - {"h2", "h7"}
    pawns = ["h2h3", "h7h6", "h3h4", "h6h5"]
    if not colour:
        pawns = [pawns[i ^ 1] for i in range(4)]
    game = played(fen, *pawns, move)
    stands = "h4" if colour else "h5"
    passed = "h3" if colour else "h6"
    assert of_age(game, colour, 0) - own_pawns - {stands} == fresh
    assert passed not in of_age(game, colour, 0)


def test_own_captures() -> None:
    game = played("4k3/8/8/3r4/8/8/4K3/3R4 w - - 0 1", "e2e1", "e8e7", "e1e2", "e7e8", "d1d5")
    assert of_age(game, chess.WHITE, 0) == {"d1", "d2", "d3", "d4", "d5", "e2"}
    assert ages(game, chess.BLACK)["d5"] == 0  # announced to the loser of the man
    assert ages(game, chess.BLACK)["d4"] == 3


@pytest.mark.parametrize("ruleset", ALL)
def test_en_passant_tells_the_capturer_of_both_squares(ruleset: str) -> None:
    game = played("4k3/p2p4/8/4P3/8/8/8/4K3 b - - 0 1", "a7a6", "e1e2", "d7d5", "e5d6", ruleset=ruleset)
    assert of_age(game, chess.WHITE, 0) == {"d5", "d6", "e5", "e2"}
    assert ages(game, chess.WHITE)["d7"] == 2
    announced = "d6" if ruleset == "english" else "d5"
    fresh = of_age(game, chess.BLACK, 0)
    assert {announced, "d5"} <= fresh  # his pawn is gone from d5
    assert ("d6" in fresh) == (ruleset == "english")


def test_ages_saturate() -> None:
    game = Game(RULESETS["berkeley"], "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", hidden_start=True)
    for uci in ("e1e2", "e8e7", "e2e1", "e7e8"):
        game.ask(uci)
    assert ages(game, chess.WHITE)["h5"] == 255
    assert ages(game, chess.WHITE)["e2"] == 1


# -- in random games -----------------------------------------------------------------------------------------


def random_game(ruleset: str, seed: int, most: int = 160) -> Game:
    """A game of random tries, checked after each; mostly legal ones, so that it gets on."""
    rng = random.Random(f"{ruleset} {seed}")
    game = Game(RULESETS[ruleset], LISTED[seed % len(LISTED)] if seed % 2 else draw_start(rng))
    for _ in range(most):
        if game.to_play is None:
            break
        legal = sorted(game.legal())
        shapes = np.flatnonzero(game.mask(game.to_play, "own-board")).tolist()
        game.ask(rng.choice(legal if rng.random() < 0.7 and legal else shapes))
        check_views(game)
    return game


def check_views(game: Game) -> None:
    board = game.board()
    for seat, colour in ((0, chess.WHITE), (1, chess.BLACK)):
        view = game.view(colour)
        assert int(view["fifty"]) >= board.halfmove_clock
        home = chess.BB_RANK_1 if colour else chess.BB_RANK_8
        rights = board.clean_castling_rights() & home
        assert int(view["rights"]) & 1 == bool(rights & chess.BB_FILE_H)
        assert int(view["rights"]) >> 1 == bool(rights & chess.BB_FILE_A)
        assert int(view["moves"]) == board.fullmove_number
        men = {s ^ 56 * seat: board.piece_type_at(s) for s in chess.SquareSet(board.occupied_co[colour])}
        assert {s: int(kind) for s, kind in enumerate(view["men"]) if kind} == men
        assert all(view["age"][s] == 0 for s in men)
        assert int(view["turn"]) == (game.to_play == colour)


@pytest.mark.parametrize("ruleset", ALL)
def test_views_agree_with_the_truth_in_random_games(ruleset: str) -> None:
    kinds_said = RULESETS[ruleset].kind_said
    above = taken = 0
    for seed in range(12):
        game = random_game(ruleset, seed)
        board, start = game.board(), chess.Board(game.start_fen)
        for colour in chess.COLORS:
            view = game.view(colour)
            lost = chess.popcount(start.occupied_co[not colour]) - chess.popcount(
                board.occupied_co[not colour]
            )
            assert int(view["men_taken"]) == lost
            said = int(view["pawns_taken"]) + int(view["pieces_taken"])
            assert said == (lost if kinds_said else 0)
            heard = [a for a in game.heard(colour) if a.captured and a.by == colour]
            assert int(view["pawns_taken"]) == sum(a.captured == "pawn" for a in heard)
            mine = chess.popcount(start.occupied_co[colour]) - chess.popcount(board.occupied_co[colour])
            assert int(view["pawns_lost"]) + int(view["pieces_lost"]) == mine
            above += int(view["fifty"]) > board.halfmove_clock
            taken += lost
    assert above > 0
    assert taken > 30


def test_the_bound_counts_what_the_opponent_may_have_done() -> None:
    game = played(chess.STARTING_FEN, "g1f3", "a7a6", "f3g1", "g8f6")
    assert int(game.view(chess.WHITE)["fifty"]) == 4  # White cannot know of a7a6
    assert int(game.view(chess.BLACK)["fifty"]) == 2
    game.ask("e2e4")
    assert int(game.view(chess.WHITE)["fifty"]) == 0
    assert int(game.view(chess.BLACK)["fifty"]) == 3


@pytest.mark.parametrize("ruleset", ALL)
def test_an_announced_promotion_lowers_the_bound(ruleset: str) -> None:
    game = played("8/1P5k/8/8/8/8/8/4K3 w - - 7 40", "b7b8", ruleset=ruleset)
    assert int(game.view(chess.BLACK)["fifty"]) == (0 if ruleset == "rand" else 8)
    assert int(game.view(chess.BLACK)["promotion"]) == (ruleset == "rand")


def test_the_end_is_known_to_both() -> None:
    game = played("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8")
    assert game.reason is Reason.CHECKMATE
    assert [int(game.view(c)["result"]) for c in (chess.WHITE, chess.BLACK)] == [1, -1]
    assert [int(game.view(c)["over"]) for c in (chess.WHITE, chess.BLACK)] == [1, 1]
