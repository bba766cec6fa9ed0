"""The action space: `Discrete(1859)`, tries numbered from the mover's side; to chess moves, to text and back.

The numbering is that of `ks_env.core.tables`, in the mover's frame, and committed as a table in `actions.csv`
beside this file. A number says where from and where to, and what a pawn becomes if that is not a queen;
whether a pawn stands there is the board's affair, so `promotes` has to be told.
"""

import operator

import chess

from ks_env.core.tables import ANY, KING, TRY_INDEX, TRY_TABLE, UNDER_INDEX
from ks_env.core.tables import TRIES as ACTIONS

__all__ = [
    "ACTIONS",
    "ANY",
    "action_to_move",
    "action_to_text",
    "check_action",
    "move_to_action",
    "text_to_action",
]


def _mirror(square: int, colour: bool) -> int:
    return square if colour == chess.WHITE else square ^ 56


def check_action(number: int) -> int:
    """The try as a plain int.

    Raises:
        TypeError: it is not an integer.
        ValueError: it is not in 0..1858.
    """
    try:
        value = operator.index(number)
    except TypeError:
        raise TypeError(f"action is {number!r}; expected an integer from 0 to {ACTIONS - 1}") from None
    if not 0 <= value < ACTIONS:
        raise ValueError(f"action {number} is outside the action space; expected 0 to {ACTIONS - 1}")
    return value


def action_to_move(number: int, colour: bool, promotes: bool = False) -> chess.Move:
    """The move of a try.

    Args:
        number: 0..1857; "any?" is not a move.
        colour: who tries.
        promotes: a pawn stands on the from-square, so that a plain try to the last rank makes a queen.

    Raises:
        ValueError: the number is out of range or is the question "any?".
    """
    if check_action(number) == ANY:
        raise ValueError('action 1858 is the question "any?", which is not a move')
    start, end, under = (int(x) for x in TRY_TABLE[number])
    kind: int | None = under or None
    if kind is None and promotes and end >= 56:
        kind = chess.QUEEN
    return chess.Move(_mirror(start, colour), _mirror(end, colour), kind)


def move_to_action(move: chess.Move, colour: bool) -> int:
    """The number of a move.

    Raises:
        ValueError: no man can make such a move on any board.
    """
    start, end = _mirror(move.from_square, colour), _mirror(move.to_square, colour)
    if move.promotion in (None, chess.QUEEN):
        index = int(TRY_INDEX[start, end])
        if index >= 0:
            return index
    elif start // 8 == 6 and end // 8 == 7 and abs(end % 8 - start % 8) <= 1 and 2 <= move.promotion < KING:
        return int(UNDER_INDEX[start % 8, end % 8 - start % 8 + 1]) + move.promotion - chess.KNIGHT
    raise ValueError(f"{move.uci()} is not a move of any man of {chess.COLOR_NAMES[colour]}")


def action_to_text(number: int, colour: bool, promotes: bool = False) -> str:
    """UCI text of a try, or `any?`."""
    return "any?" if check_action(number) == ANY else action_to_move(number, colour, promotes).uci()


def text_to_action(text: str, colour: bool) -> int:
    """The number of UCI text, or of `any?`.

    Raises:
        ValueError: the text is neither.
    """
    if text.strip().lower() == "any?":
        return ANY
    try:
        move = chess.Move.from_uci(text.strip())
    except ValueError as error:
        raise ValueError(f'{text!r} is not a try; expected UCI text such as "e2e4", or "any?"') from error
    return move_to_action(move, colour)
