"""Kinds of answer and reasons of an end, the same for kernels and Python."""

from enum import IntEnum


class Kind(IntEnum):
    """The kinds of answer."""

    START = 0
    ILLEGAL = 1
    NONSENSE = 2
    MOVED = 3
    ANY_YES = 4
    ANY_NO = 5
    LOST = 6  # invisible chess: the move is impossible and the turn is lost


class Reason(IntEnum):
    """Why a game is over."""

    NONE = 0
    CHECKMATE = 1
    STALEMATE = 2
    MATERIAL = 3
    REPETITION = 4
    FIFTY_MOVES = 5
    TRIES = 6
    PLIES = 7
    KING_CAPTURED = 8  # of games without check


CHECKS = ("rank", "file", "long diagonal", "short diagonal", "knight")


REASON_TEXT = {
    Reason.CHECKMATE: "checkmate",
    Reason.STALEMATE: "stalemate",
    Reason.MATERIAL: "insufficient material",
    Reason.REPETITION: "threefold repetition",
    Reason.FIFTY_MOVES: "fifty moves",
    Reason.TRIES: "limit on tries",
    Reason.PLIES: "limit on plies",
    Reason.KING_CAPTURED: "king captured",
}
