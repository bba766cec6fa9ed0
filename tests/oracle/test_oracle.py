"""The oracle: the numbers of its actions, how its games end, and the oracle against itself."""

from __future__ import annotations

import random
from collections import Counter

import chess
import pytest

from tests.oracle import RULES, OracleGame, OracleStartError, actions
from tests.oracle.asking import BERKELEY_ANY, BLOCKED, ICC, RAND, ask, play
from tests.starts import LISTED

# -- the numbers of the actions ------------------------------------------------------------------------------


def test_counts_of_the_numbering() -> None:
    assert actions.ANY == 1858
    assert sum(step.promotion is None for step in actions.STEPS) == 1792
    assert actions.STEPS[0] == actions.Step(0, 1, None)
    assert actions.STEPS[1792] == actions.Step(48, 56, chess.KNIGHT)
    assert actions.STEPS[1857] == actions.Step(55, 63, chess.ROOK)


def test_black_counts_from_his_own_side() -> None:
    white = actions.number_of(chess.Move.from_uci("e2e4"), chess.WHITE)
    assert actions.number_of(chess.Move.from_uci("e7e5"), chess.BLACK) == white
    assert actions.uci(white, chess.BLACK, False) == "e7e5"
    queen = actions.number_of(chess.Move.from_uci("a7b8q"), chess.WHITE)
    assert actions.STEPS[queen] == actions.Step(48, 57, None)
    assert actions.uci(queen, chess.WHITE, True) == "a7b8q"


# -- ends ----------------------------------------------------------------------------------------------------


def test_checkmate() -> None:
    game = OracleGame(ICC)
    heard = play(game, "f2f3", "e7e5", "g2g4", "d8h4")
    assert (heard.winner, heard.reason, heard.checks) == (chess.BLACK, "checkmate", ("short diagonal",))
    assert game.to_play is None
    with pytest.raises(ValueError, match="over"):
        game.ask(0)


@pytest.mark.parametrize("rules", sorted(RULES))
def test_the_stalemated_player_loses_in_rand(rules: str) -> None:
    game = OracleGame(rules, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    heard = play(game, "g6f7")
    assert heard.reason == "stalemate"
    assert heard.winner == (chess.WHITE if rules == RAND else None)


def test_insufficient_material() -> None:
    game = OracleGame(ICC, "8/8/8/8/8/5k2/8/4Kq2 w - - 0 1")
    heard = play(game, "e1f1")
    assert (heard.winner, heard.reason) == (None, "material")


SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def test_the_start_counts_as_the_first_repetition() -> None:
    game = OracleGame(ICC)
    play(game, *SHUFFLE)
    assert game.reason == ""
    assert play(game, *SHUFFLE).reason == "repetition"
    game = OracleGame(ICC, threefold=False)
    assert play(game, *SHUFFLE, *SHUFFLE).reason == ""


def test_fifty_moves_and_plies() -> None:
    game = OracleGame(ICC, "4k3/8/8/8/8/8/8/R3K3 w - - 98 80")
    assert play(game, "a1a2").reason == ""
    assert play(game, "e8e7").reason == "fifty moves"
    game = OracleGame(ICC, "4k3/8/8/8/8/8/8/R3K3 w - - 98 80", fifty_moves=False, max_plies=2)
    heard = play(game, "a1a2", "e8e7")
    assert (heard.winner, heard.reason) == (None, "plies")


def test_the_limit_on_tries_ends_the_game_for_both() -> None:
    game = OracleGame(ICC, BLOCKED, max_tries=3)
    ask(game, "a1a5")
    ask(game, "a1a5")
    mine, theirs = ask(game, "a1a5")
    assert (mine.winner, mine.reason) == (chess.BLACK, "tries")
    assert theirs is not None
    assert (theirs.winner, theirs.reason, theirs.action) == (chess.BLACK, "tries", None)


@pytest.mark.parametrize(
    "fen",
    [
        "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/5k2/8/4K3 w - - 0 1",
        "8/8/8/8/8/8/8/4K3 b - - 0 1",
    ],
)
def test_a_start_that_is_over_is_refused(fen: str) -> None:
    with pytest.raises(OracleStartError):
        OracleGame(ICC, fen)


# -- copies, and the oracle against itself -------------------------------------------------------------------


def test_a_copy_goes_its_own_way() -> None:
    game = OracleGame(BERKELEY_ANY)
    ask(game, "any?")
    twin = game.copy()
    play(twin, "e2e4")
    ask(game, "a2b3")
    assert twin.seats[chess.WHITE].refused == set()
    assert game.board.fen() == chess.STARTING_FEN
    assert len(twin.heard[chess.BLACK]) == 3


@pytest.mark.parametrize("rules", sorted(RULES))
def test_seats_know_their_men_and_repetition_is_that_of_python_chess(rules: str) -> None:
    """Random whole games: own men as worked out from messages, repetition with python-chess's own count."""
    rng = random.Random(rules)
    for _ in range(4):
        game, moves = OracleGame(rules), chess.Board()
        while not game.reason:
            turn = game.board.turn
            seat = game.seats[turn]
            legal, clever, own = game.legal(), seat.informed(), seat.own_board()
            assert legal <= clever <= own
            assert actions.bits_of(game.moves) == game.survey.legal
            assert actions.bits_of(game.pawn_captures) == game.survey.captures
            tried = rng.choice(sorted(own))
            move = game.moves.get(tried)
            if game.ask(tried)[0].kind != "moved":
                continue
            assert move is not None
            moves.push(move)
            assert (game.times_seen >= 3) == moves.is_repetition(3)
            for colour in chess.COLORS:
                men = {actions.seat_square(s, colour): m for s, m in game.seats[colour].men.items()}
                assert men == {
                    s: p.piece_type for s, p in game.board.piece_map().items() if p.color == colour
                }


@pytest.mark.parametrize("fen", LISTED)
def test_the_legal_moves_are_those_of_python_chess(fen: str) -> None:
    """Also one and two moves into each listed start: pins, checks, castling, en passant, promotions."""
    game = OracleGame(ICC, fen)
    firsts = _moved(game)
    for first in [game, *random.Random(fen).sample(firsts, min(6, len(firsts)))]:
        for after in [first, *_moved(first)]:
            moves, captures = after.moves, after.pawn_captures.values()
            assert actions.bits_of(moves) == after.survey.legal, after.board.fen()
            assert actions.bits_of(after.pawn_captures) == after.survey.captures
            assert after.survey.capture_count == len({(m.from_square, m.to_square) for m in captures})
            assert set(after.survey.capture_squares) == {m.from_square for m in captures}
            assert all(after.move_of(action) == move for action, move in moves.items())


def _moved(game: OracleGame) -> list[OracleGame]:
    """The game after each legal move, as far as it goes on."""
    found = []
    for action in game.legal():
        after = game.copy()
        after.ask(action)
        if not after.reason:
            found.append(after)
    return found


def test_an_action_of_a_set_is_drawn_evenly() -> None:
    found = [0, 5, 63, 64, 1857, 1858]
    drawn = Counter(actions.draw(random.Random(n), actions.bits_of(found)) for n in range(3000))
    assert sorted(drawn) == found == actions.members(actions.bits_of(found))
    assert min(drawn.values()) > 400
