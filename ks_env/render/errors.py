"""Where what a player believed of the opponent's men was wrong, square by square.

A metaposition leaves out nothing that is possible, so it is never wrong, only wide. What commits itself can
be: the men that the belief network predicts, and the ghosts that a person sets on the board.
"""

from collections.abc import Mapping
from typing import NamedTuple

import chess

from ks_env.belief.location.layout import SORT_OF
from ks_env.render.predicted import FAINTEST, Chances

LIKELY = 0.5  # chance from which a man counts as predicted on a square

Guess = Mapping[int, int]  # kind of man by square


class Errors(NamedTuple):
    """What was wrong.

    Attributes:
        thought: squares on which a man was believed that is not there, or is of another kind.
        missed: squares of men that were not believed there.
    """

    thought: list[int]
    missed: list[int]


def predicted_errors(chances: Chances, board: chess.Board, seat: bool) -> Errors:
    """Where the network was wrong.

    Args:
        chances: f4[3, 64], of king, pawns and other men, on python-chess squares.
        board: the true position.
        seat: who believed it.

    Returns:
        `thought`: squares where a sort has a chance of a half or more and no such man stands; `missed`:
        squares of men whose sort has less than a tenth there.
    """
    true = _men(board, not seat)
    thought = {
        square
        for square in chess.SQUARES
        for sort in range(len(chances))
        if chances[sort, square] >= LIKELY and (square not in true or SORT_OF[true[square]] != sort)
    }
    missed = [square for square, kind in true.items() if chances[SORT_OF[kind], square] < FAINTEST]
    return Errors(sorted(thought), sorted(missed))


def guess_errors(guess: Guess, board: chess.Board, seat: bool) -> Errors:
    """Where ghosts that a person has set were wrong; without any set, no man counts as missed."""
    true = _men(board, not seat)
    thought = sorted(square for square, kind in guess.items() if true.get(square) != kind)
    return Errors(thought, sorted(true.keys() - guess.keys()) if guess else [])


def _men(board: chess.Board, colour: bool) -> dict[int, int]:
    return {square: man.piece_type for square, man in board.piece_map().items() if man.color == colour}
