"""The compiled referee of dark chess and the second one answer random games alike, and show the same."""

from __future__ import annotations

import random
from collections import Counter

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.games.dark.board import DarkBoard
from tests.games.dark.duel import ODD_STARTS, Duel, draw_try, play_random
from tests.games.dark.quick import QuickDuel
from tests.oracle.actions import number_of
from tests.starts import LISTED, draw_start


def test_random_games() -> None:
    kinds: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for number in range(6):
        duel = play_random(random.Random(f"dark {number}"), chess.STARTING_FEN, 120, 0.2)
        kinds += duel.kinds
        ends[duel.oracle.reason] += 1
    assert kinds["moved"] > 250
    assert kinds["illegal"] > 3
    assert kinds["nonsense"] > 10
    assert ends["king_captured"]


@pytest.mark.parametrize("part", range(4))
def test_listed_starts(part: int) -> None:
    ends: Counter[str] = Counter()
    for fen in (*LISTED, *ODD_STARTS)[part::4]:
        ends[play_random(random.Random(f"listed {fen}"), fen, 60, 0.1).oracle.reason] += 1
    assert ends["king_captured"]


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from(
        [
            {},
            {"max_tries": 2},
            {"max_plies": 9},
            {"threefold": False},
            {"fifty_moves": False},
            {"max_tries": 1},
        ]
    ),
)
def test_any_start(seed: int, options: dict[str, int]) -> None:
    rng = random.Random(seed)
    fen = draw_start(rng)
    if DarkBoard(fen).is_valid():
        duel = play_random(rng, fen, 40, 0.1, **options)
        assert duel.game.board().piece_map() == duel.oracle.position.men
        assert duel.game.reason.name.lower() == duel.oracle.reason


def test_python_chess_without_check_makes_the_same_moves() -> None:
    """The board on which PGN is written."""
    for number in range(6):
        rng = random.Random(f"board {number}")
        duel = Duel(rng.choice((chess.STARTING_FEN, *ODD_STARTS)))
        board = DarkBoard(duel.game.start_fen)
        while duel.oracle.to_play is not None and duel.oracle.plies < 60:
            moves = {number_of(move, board.turn): move for move in board.legal_moves}
            assert set(moves) == duel.oracle.legal()
            action = rng.choice(sorted(moves))
            board.push(moves[action])
            duel.ask(action)
            assert board.piece_map() == duel.oracle.position.men


# -- the quick duel ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, LISTED[5], LISTED[17], ODD_STARTS[4]])
def test_the_quick_duel_finds_no_more_than_the_other(fen: str) -> None:
    """One and the same game by both."""
    rng = random.Random(fen)
    quick, duel = QuickDuel(fen), Duel(fen)
    for _ in range(60):
        if quick.oracle.to_play is None:
            break
        action = draw_try(rng, quick.oracle, 0.2)
        quick.ask(action)
        duel.ask(action)
    quick.compare()
    assert quick.game.row().tobytes() == duel.game.row().tobytes()
    assert quick.kinds == duel.kinds


@pytest.mark.parametrize(
    ("field", "word"),
    [("side", "turn"), ("rights", "turn"), ("ep", "turn"), ("clock", "counters"), ("plies", "counters")],
)
def test_the_quick_duel_finds_a_wrong_referee(field: str, word: str) -> None:
    duel = QuickDuel()
    duel.game.row()["truth"][field] = 1 if field == "side" else 3  # there is no third seat to look at
    duel.look()
    with pytest.raises(AssertionError, match=word):
        duel.compare_now()


SEEN = ("seen", "passed", "lost", "lost_kind", "took", "took_kind", "answer", "fifty", "own")
TAKEN = ("pawns_taken", "pieces_taken", "refusals")


@pytest.mark.parametrize("field", [*SEEN, *TAKEN, "their_kinds", "recalled", "age"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_quick_duel_finds_a_wrong_view(field: str, seat: int) -> None:
    duel = QuickDuel()
    view = duel.game.row()["views"][seat]
    if view[field].shape:
        view[field][3] = 5
    else:
        view[field] = 5
    duel.look()
    with pytest.raises(AssertionError):
        duel.compare_now()


def test_the_quick_duel_finds_a_wrong_word() -> None:
    duel = QuickDuel()
    blocked = number_of(chess.Move.from_uci("a1a5"), chess.WHITE)
    duel.oracle._open = duel.oracle.own_board_bits() | 1 << blocked
    with pytest.raises(AssertionError, match="illegal"):
        duel.ask(blocked)
