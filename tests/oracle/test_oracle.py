"""The oracle on hand-made positions: what is heard by whom, worked out on paper."""

from __future__ import annotations

import random

import chess
import pytest

from tests.oracle import RULES, Heard, OracleGame, OracleStartError, actions
from tests.oracle.referee import check_word
from tests.oracle.seat import line_through

ICC, BERKELEY, BERKELEY_ANY, CINCINNATI, RAND, ENGLISH = (
    "icc",
    "berkeley",
    "berkeley-any",
    "cincinnati",
    "rand",
    "english",
)


def action(game: OracleGame, uci: str) -> int:
    return actions.ANY if uci == "any?" else actions.number_of(chess.Move.from_uci(uci), game.board.turn)


def ask(game: OracleGame, uci: str) -> tuple[Heard, Heard | None]:
    return game.ask(action(game, uci))


def play(game: OracleGame, *moves: str) -> Heard:
    """Play accepted moves; what the other side heard of the last."""
    theirs: Heard | None = None
    for uci in moves:
        theirs = ask(game, uci)[1]
        assert theirs is not None, uci
        assert theirs.kind == "moved", (uci, theirs)
    assert theirs is not None
    return theirs


def informed(game: OracleGame) -> set[str]:
    turn = game.board.turn
    return {actions.uci(a, turn, False) for a in game.seats[turn].informed()}


def own_board(game: OracleGame) -> set[str]:
    turn = game.board.turn
    return {actions.uci(a, turn, False) for a in game.seats[turn].own_board()}


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

BLOCKED = "4k3/8/8/8/r7/8/8/R3K3 w - - 0 1"


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


# -- the masks -----------------------------------------------------------------------------------------------


def test_a_refused_slide_removes_the_longer_ones_that_way() -> None:
    game = OracleGame(ICC, BLOCKED)
    ask(game, "a1a5")
    mask = informed(game)
    assert {"a1a2", "a1a3", "a1a4", "a1b1", "a1c1", "a1d1"} <= mask
    assert not {"a1a5", "a1a6", "a1a7", "a1a8"} & mask
    assert {"a1a5", "a1a8"} <= own_board(game)


def test_in_check_a_refused_slide_says_nothing_of_longer_ones() -> None:
    """The rook behind the checking one is refused a square on the file, and may still capture beyond it."""
    game = OracleGame(ICC, "4R3/k7/8/8/4r3/8/8/4K3 w - - 0 1")
    assert game.heard[chess.WHITE][0].checks == ("file",)
    assert ask(game, "e8e6")[0].kind == "illegal"
    assert {"e8e7", "e8e5", "e8e4", "e8e2"} <= informed(game)
    assert play(game, "e8e4").captured == "piece"


def test_castling_goes_in_check_and_comes_back() -> None:
    game = OracleGame(ICC, "r3k2r/8/8/8/8/8/8/R3K1NR b KQkq - 0 1")
    assert {"e8g8", "e8c8"} <= informed(game)
    play(game, "e8d8")
    assert "e1c1" in informed(game)
    assert "e1g1" not in own_board(game)
    play(game, "g1f3", "d8c8")
    assert {"e1g1", "e1c1"} <= informed(game)
    game = OracleGame(ICC, "4k2r/8/8/8/8/8/r7/R3K2R b KQk - 0 1")
    assert play(game, "a2a1").checks == ("rank",)
    assert "e1g1" in own_board(game)
    assert "e1c1" not in own_board(game), "the rook was captured on its square"
    assert "e1g1" not in informed(game)


def test_a_capture_blocks_slides_and_straight_pawns() -> None:
    game = OracleGame(ICC, "4k3/8/8/1b6/8/3N4/3P4/R2QK3 b - - 0 1")
    heard = play(game, "b5d3")
    assert heard.square == chess.D3
    mask = informed(game)
    assert "d2d3" not in mask
    assert "d2d4" in mask, "a double step over the square is not on the list"
    assert "d2d3" in own_board(game)
    game = OracleGame(ICC, "4k3/8/8/1b6/8/3N4/8/R2QK3 b - - 0 1")
    play(game, "b5d3")
    mask = informed(game)
    assert {"d1d2", "d1d3"} <= mask
    assert not {"d1d4", "d1d8"} & mask


DOUBLE_STEP = "4k3/8/8/8/3p1r2/8/4P3/R2QK2R w - - 0 1"


@pytest.mark.parametrize("rules", [ICC, BERKELEY, CINCINNATI, RAND])
@pytest.mark.parametrize("capture", ["d4e3", "f4e4"])
def test_a_capture_that_may_be_en_passant_blocks_nothing(rules: str, capture: str) -> None:
    game = OracleGame(rules, DOUBLE_STEP)
    play(game, "e2e4")
    assert play(game, capture).square == chess.E4
    seat = game.seats[chess.WHITE]
    kind = game.heard[chess.WHITE][-1].captured
    assert kind in ("pawn", "man")
    assert seat.taken_on is None


@pytest.mark.parametrize(("capture", "square"), [("d4e3", chess.E3), ("f4e4", chess.E4)])
def test_english_names_en_passant_so_each_capture_blocks(capture: str, square: int) -> None:
    game = OracleGame(ENGLISH, DOUBLE_STEP)
    play(game, "e2e4", capture)
    assert game.seats[chess.WHITE].taken_on == square


def test_a_capture_blocks_for_one_turn_only() -> None:
    game = OracleGame(ICC, "4k3/8/8/1b6/8/3N4/8/R2QK3 b - - 0 1")
    play(game, "b5d3", "a1a2", "d3b5")
    assert {"d1d4", "d1d8"} <= informed(game)


# -- promotions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", sorted(RULES))
@pytest.mark.parametrize(("uci", "man"), [("a7a8q", chess.QUEEN), ("a7a8n", chess.KNIGHT)])
def test_only_rand_says_promotion(rules: str, uci: str, man: chess.PieceType) -> None:
    game = OracleGame(rules, "8/P3k3/8/8/8/8/7P/4K3 w - - 0 1")
    assert play(game, uci).promotion == (rules == RAND)
    assert game.seats[chess.WHITE].men[chess.A8] == man


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
