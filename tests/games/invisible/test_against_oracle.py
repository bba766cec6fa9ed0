"""The compiled referee of invisible chess and the oracle on python-chess answer random games alike."""

from __future__ import annotations

import random
from collections import Counter

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.games.invisible.hidden import all_choices, parse_both
from tests.invisible_duel import InvisibleDuel, facts_of_seat, facts_of_view, play_random
from tests.starts import LISTED, draw_start

HIDDEN = ("none v none", "2B v 1R", "Q v Q", "8P v 8P", "2N v 2B", "c1 f1 b1 v a8", "Q v none")
ALL_MEN = "8P 2N 2B 2R Q"


def seen_in(duel: InvisibleDuel) -> Counter[str]:
    """What happened in the game."""
    found: Counter[str] = Counter()
    for colour in chess.COLORS:
        for heard in duel.oracle.heard[colour]:
            if heard.by == colour:
                found[f"{heard.kind} {heard.why}".strip()] += 1
                found["captured a hidden man"] += bool(heard.taken)
                found["captured by a hidden man"] += bool(heard.mover and heard.captured)
                found["check from a hidden man"] += bool(heard.hidden_checkers)
    return found


@pytest.mark.parametrize("hidden", [*HIDDEN, f"{ALL_MEN} v {ALL_MEN}", f"{ALL_MEN} v none"])
def test_random_games(hidden: str) -> None:
    choices = len(all_choices(chess.Board(), *parse_both(hidden)))
    found: Counter[str] = Counter()
    for number in range(2):
        rng = random.Random(f"{hidden} {number}")
        found += seen_in(play_random(rng, hidden, chess.STARTING_FEN, rng.randrange(choices), 120))
    assert found["moved"] > 100
    assert found["nonsense"]
    if hidden == "none v none":  # chess: no turn can be lost
        assert not found["lost"] + found["illegal blocked"] + found["illegal nothing"]
    elif hidden.startswith(ALL_MEN):
        assert found["captured by a hidden man"]


def _squares(rng: random.Random, board: chess.Board, colour: chess.Color, share: float) -> str:
    men = [s for s in chess.SquareSet(board.occupied_co[colour]) if board.piece_type_at(s) != chess.KING]
    return " ".join(chess.square_name(s) for s in men if rng.random() < share) or "none"


def some_hidden(rng: random.Random, fen: str) -> str:
    """Any men of the position, named by their squares."""
    board, share = chess.Board(fen), rng.choice((0.1, 0.3, 0.6, 1.0))
    return f"{_squares(rng, board, chess.WHITE, share)} v {_squares(rng, board, chess.BLACK, share)}"


@pytest.mark.parametrize("part", range(4))
def test_listed_starts(part: int) -> None:
    found: Counter[str] = Counter()
    for fen in LISTED[part::4]:
        rng = random.Random(f"listed {fen}")
        found += seen_in(play_random(rng, some_hidden(rng, fen), fen, 0, 40))
    assert {"lost", "illegal check", "captured a hidden man", "check from a hidden man"} <= set(found)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([{}, {"max_tries": 2}, {"max_plies": 9}, {"threefold": False}]))
def test_any_start_and_any_hidden_men(seed: int, options: dict[str, int]) -> None:
    rng = random.Random(seed)
    fen = draw_start(rng)
    if not chess.Board(fen).is_valid():
        return
    duel = play_random(rng, some_hidden(rng, fen), fen, 0, 40, **options)
    assert duel.ours.board().fen() == duel.oracle.board.fen()
    for colour in chess.COLORS:
        assert facts_of_view(duel.ours.view(colour)) == facts_of_seat(duel.oracle.seats[colour])


def test_rare_moves_are_among_the_games() -> None:
    """Castling, promotion and en passant with hidden men all happen, from starts made for them."""
    found: Counter[str] = Counter()
    for number, fen in enumerate((*LISTED[:12], *LISTED[16:20])):
        duel = play_random(
            random.Random(f"rare {number}"), some_hidden(random.Random(number), fen), fen, 0, 60
        )
        for colour in chess.COLORS:
            for heard in duel.oracle.heard[colour]:
                found["hidden promotes"] += bool(heard.promoted and heard.mover)
                found["castles"] += bool(heard.castled)
                found["castles with hidden"] += bool(heard.rook)
                found["en passant"] += heard.square != heard.landing
    assert set(+found) == {"hidden promotes", "castles", "castles with hidden", "en passant"}
