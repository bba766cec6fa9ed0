"""Kinds of answer, reasons of an end, types of check: the same numbers for kernels and Python."""

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

    @property
    def ends_turn(self) -> bool:
        """Whether the other side is to move after it."""
        return self in (Kind.MOVED, Kind.LOST)


# The same for kernels.
ILLEGAL = int(Kind.ILLEGAL)
NONSENSE = int(Kind.NONSENSE)
MOVED = int(Kind.MOVED)
ANY_YES = int(Kind.ANY_YES)
ANY_NO = int(Kind.ANY_NO)
LOST = int(Kind.LOST)


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


UNDER_WAY = int(Reason.NONE)
CHECKMATE = int(Reason.CHECKMATE)
STALEMATE = int(Reason.STALEMATE)
MATERIAL = int(Reason.MATERIAL)
REPETITION = int(Reason.REPETITION)
FIFTY_MOVES = int(Reason.FIFTY_MOVES)
TOO_MANY_TRIES = int(Reason.TRIES)
PLIES = int(Reason.PLIES)
KING_CAPTURED = int(Reason.KING_CAPTURED)

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

CHECKS = ("rank", "file", "long diagonal", "short diagonal", "knight")  # types of check, by number
RANK, FILE, LONG, SHORT, LEAP = (1 << i for i in range(5))  # the same as bits
