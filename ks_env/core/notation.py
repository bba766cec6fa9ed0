"""Tries as numbers, as chess moves and as text.

The numbering is that of `ks_env.core.tables`, in the mover's frame. A number says where from and where
to, and what a pawn becomes if that is not a queen; whether a pawn stands there is the board's affair, so
`promotes` has to be told.
"""

import operator

import chess

from ks_env.core.tables import ANY, KING, TRIES, TRY_INDEX, TRY_TABLE, UNDER_INDEX


def _mirror(square: int, colour: bool) -> int:
    return square if colour == chess.WHITE else square ^ 56


def check_try(number: int) -> int:
    """The try as a plain int.

    Raises:
        TypeError: it is no integer.
        ValueError: it is not in 0..1858.
    """
    value = operator.index(number)
    if not 0 <= value < TRIES:
        raise ValueError(f"action {number} is outside the action space; expected 0 to {TRIES - 1}")
    return value


def try_to_move(number: int, colour: bool, promotes: bool = False) -> chess.Move:
    """The move of a try.

    Args:
        number: 0..1857; "any?" is no move.
        colour: who tries.
        promotes: a pawn stands on the from-square, so that a plain try to the last rank makes a queen.

    Raises:
        ValueError: the number is out of range or is the question "any?".
    """
    if check_try(number) == ANY:
        raise ValueError('action 1858 is the question "any?", which is no move')
    start, end, under = (int(x) for x in TRY_TABLE[number])
    kind: int | None = under or None
    if kind is None and promotes and end >= 56:
        kind = chess.QUEEN
    return chess.Move(_mirror(start, colour), _mirror(end, colour), kind)


def move_to_try(move: chess.Move, colour: bool) -> int:
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
    raise ValueError(f"{move.uci()} is no move of any man of {chess.COLOR_NAMES[colour]}")


def try_to_text(number: int, colour: bool, promotes: bool = False) -> str:
    """UCI text of a try, or `any?`."""
    return "any?" if check_try(number) == ANY else try_to_move(number, colour, promotes).uci()


def text_to_try(text: str, colour: bool) -> int:
    """The number of UCI text, or of `any?`.

    Raises:
        ValueError: the text is neither.
    """
    if text.strip().lower() == "any?":
        return ANY
    try:
        move = chess.Move.from_uci(text.strip())
    except ValueError as error:
        raise ValueError(f'{text!r} is no try; expected UCI text such as "e2e4", or "any?"') from error
    return move_to_try(move, colour)
