"""Which men are hidden: words, choices, start rows, and what is wrong with them."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.invisible.hidden import HiddenMen, all_choices, parse_both
from ks_env.games.invisible.start import start_row, start_rows

KINDS = "PNBRQ"


@pytest.mark.parametrize(
    ("text", "kinds", "squares"),
    [
        ("2B", [3, 3], []),
        ("BB", [3, 3], []),
        ("Q, R", [4, 5], []),
        ("1R 8P", [1] * 8 + [4], []),
        ("2N2B", [2, 2, 3, 3], []),
        ("f1 c1", [], [chess.C1, chess.F1]),
        *((nothing, [], []) for nothing in ("none", "", " - ", "None", "n.i.", "0")),
    ],
)
def test_words(text: str, kinds: list[int], squares: list[int]) -> None:
    men = HiddenMen.parse(text)
    assert (list(men.kinds), list(men.squares)) == (kinds, squares)
    assert HiddenMen.parse(men.text()) == men


@given(st.lists(st.sampled_from(KINDS), max_size=15), st.lists(st.integers(0, 63), unique=True, max_size=15))
def test_the_text_of_hidden_men_is_read_again(kinds: list[str], squares: list[int]) -> None:
    for text in (" ".join(kinds), " ".join(chess.square_name(square) for square in squares)):
        men = HiddenMen.parse(text)
        assert HiddenMen.parse(men.text()) == men
        assert len(men.kinds) + len(men.squares) == len(text.split())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("K", "'K' cannot be hidden; expected P, N, B, R or Q"),
        ("2B K", "'K' cannot be hidden"),
        ("X", "'X' cannot be hidden"),
        ("2b", "'2b' is not understood; expected such as"),
        ("two bishops", "'two' is not understood"),
        ("c1 Q", "'c1' is not understood"),
        ("c9", "'c9' is not understood"),
        ("c1 c1", "a square is named twice"),
        ("16P", "expected 15 at most"),
        ("99999999P", "expected 15 at most"),
    ],
)
def test_words_that_are_none(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        HiddenMen.parse(text)


@pytest.mark.parametrize("text", ["2B v 1R", " 2B  vs 1R ", "2B against 1R", "2B v. 1R"])
def test_both_sides(text: str) -> None:
    assert parse_both(text) == (HiddenMen((3, 3)), HiddenMen((4,)))


@pytest.mark.parametrize("text", ["2B", "", "2B, 1R", "Qv", "2B-1R"])
def test_both_sides_have_to_be_named(text: str) -> None:
    with pytest.raises(ValueError, match="expected White's and Black's, such as"):
        parse_both(text)


def test_numbers_follow_the_squares_from_the_owners_side() -> None:
    game = InvisibleGame("c1 b1 a2 v a8 h8 a7")
    assert game.hidden_squares(chess.WHITE) == {1: chess.B1, 2: chess.C1, 3: chess.A2}
    assert game.hidden_squares(chess.BLACK) == {1: chess.A8, 2: chess.H8, 3: chess.A7}


def test_a_start_for_every_choice() -> None:
    rows, fens = start_rows([chess.STARTING_FEN], *parse_both("2B v 1R"))
    assert (len(rows), fens) == (2, [chess.STARTING_FEN] * 2)
    assert list(rows["truth"]["start"]) == [0, 1]
    games = [InvisibleGame("3P v 1N", choice=choice) for choice in range(56 * 2)]
    chosen = {tuple(sorted(g.hidden_squares(c).values())) for g in games for c in chess.COLORS}
    assert len(chosen) == 56 + 2
    assert len(start_rows([chess.STARTING_FEN] * 3, *parse_both("none v 1N"))[0]) == 6


@pytest.mark.parametrize(
    ("hidden", "message"),
    [
        ("3B v none", "3 hidden bishops of white asked for; there are 2 in the start position"),
        ("none v 2Q", "2 hidden queens of black asked for; there are 1"),
        ("e4 v none", "no man of white that can be hidden stands on e4"),
        ("e7 v none", "no man of white that can be hidden stands on e7"),
        ("none v e8", "no man of black that can be hidden stands on e8"),
        ("4P v 4P", r"4900 choices .* fit '4P' v '4P'|choices"),
        ("4P 1N v 4P", "9800 choices of hidden men fit '4P 1N' v '4P'; expected 5000 at most"),
    ],
)
def test_hidden_men_that_do_not_fit(hidden: str, message: str) -> None:
    if hidden == "4P v 4P":  # just below the limit
        assert len(all_choices(chess.Board(), *parse_both(hidden))) == 4900
        return
    with pytest.raises(ValueError, match=message):
        start_rows([chess.STARTING_FEN], *parse_both(hidden))


def test_starts_that_are_none() -> None:
    with pytest.raises(ValueError, match="no start position given"):
        start_rows([], HiddenMen(), HiddenMen())
    with pytest.raises(ValueError, match="bad FEN"):
        start_rows(["8/8/8/8/8/8/8/8 w - - 0 1"], HiddenMen(), HiddenMen())


def test_at_the_start_all_know_where_the_hidden_men_stand() -> None:
    row = start_row(chess.STARTING_FEN, (chess.C1,), (chess.A8,))
    white, black = row["views"]
    assert (white["exposed"][1], white["placed"][1]) == (chess.C1, chess.A8)
    assert (black["exposed"][1], black["placed"][1]) == (chess.A8 ^ 56, chess.C1 ^ 56)
    assert (white["seen"] != 0).sum() == 15
