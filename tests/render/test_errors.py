"""Where beliefs were wrong."""

import chess
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ks_env.core.ruleset import ICC
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.render.errors import guess_errors, predicted_errors
from ks_env.render.replay import page_data
from tests.record.random_records import random_game

BOARD = chess.Board("4k3/3q4/8/8/8/8/4P3/R3K3 w - - 0 1")


def test_what_is_predicted_is_wrong_only_where_it_commits_itself() -> None:
    chances = np.zeros((3, 64), np.float32)
    chances[0, chess.E8] = 0.9  # the king, rightly
    chances[0, chess.F8] = 0.4  # not committed
    chances[2, chess.D6] = 0.6  # the queen, on the wrong square
    assert predicted_errors(chances, BOARD, chess.WHITE) == ([chess.D6], [chess.D7])
    chances[2, chess.D7], chances[1, chess.E8] = 0.1, 0.7
    assert predicted_errors(chances, BOARD, chess.WHITE) == ([chess.D6, chess.E8], [])


@given(st.dictionaries(st.integers(0, 63), st.integers(1, 6)), st.booleans())
def test_ghosts_are_wrong_where_no_such_man_stands(guess: dict[int, int], seat: bool) -> None:
    thought, missed = guess_errors(guess, BOARD, seat)
    theirs = chess.SquareSet(BOARD.occupied_co[not seat])
    right = [s for s, kind in guess.items() if BOARD.piece_at(s) == chess.Piece(kind, not seat)]
    assert sorted(thought + right) == sorted(guess)
    assert not set(missed) & set(guess)
    assert set(missed) <= set(theirs)
    assert bool(missed) <= bool(guess)


def test_the_truth_itself_is_never_wrong_in_the_pages_data() -> None:
    record = GameRecord.from_game(random_game(ICC, 3, 30))
    at_start = {square: man.piece_type for square, man in chess.Board().piece_map().items() if man.color}
    data = page_data(record, guesses={chess.BLACK: {0: at_start, 9: {chess.E5: chess.KING}}})
    frames = [frame["views"] for frame in data["frames"]]
    assert frames[0]["black"]["misplaced"] == {"thought": [], "missed": []}
    assert frames[9]["black"]["guess"] == [(chess.E5, chess.KING)]
    assert frames[9]["black"]["misplaced"]["thought"] == [chess.E5]
    assert not any("guess" in frame["white"] for frame in frames)
