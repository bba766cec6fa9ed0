"""The data of a game of invisible chess: one row of a structured array, the referee's part and `views[2]`.

As in Kriegspiel, `views[seat]` holds what that seat has been told and can derive, in its own frame
(`square ^ 56` for Black); only what the referee says changes it, and kernels that serve a player are handed
a view and cannot see the rest. Hidden men are called by number: `ids` and `unseen` are indexed by it, and
entry 0 stands for visible men.
"""

from enum import IntEnum

import numpy as np

from ks_env.core.layout import TRUTH, AnyRow, SeatView, Truth
from ks_env.core.record import Array, Record, dtype_of, field

MOST_HIDDEN = 15  # all men of a colour but the king
NUMBERS = MOST_HIDDEN + 1
VISIBLE_MOVED, HIDDEN_MOVED, TURN_LOST = 1, 2, 3  # `View.their_turn`
ON_DARK, ON_LIGHT = 1, 2  # `View.shade`, `View.own_shade`


class Why(IntEnum):
    """Why a try is illegal."""

    NONE = 0
    BLOCKED = 1
    NOTHING = 2
    CHECK = 3


BLOCKED, NOTHING, CHECK = int(Why.BLOCKED), int(Why.NOTHING), int(Why.CHECK)  # for kernels


class Said(Record):
    """One answer of the referee.

    The mover is told all of it, the other seat what `hearing.censor` leaves of it.
    """

    kind: int = field("u1")  # answers.Kind
    seat: int = field("u1")  # whose try was answered; at the start, who is to move
    action: int = field("i2")  # the try, in that seat's frame; -1 at the start
    start: int = field("i1")  # squares of the move that was played, absolute; -1 none, or not told
    end: int = field("i1")
    man: int = field("u1")  # kind of the man that moved, before a promotion
    mover: int = field("u1")  # its number, 0 visible
    promoted: int = field("u1")  # kind promoted to, 0 none
    castled: int = field("u1")  # KING_SIDE or QUEEN_SIDE
    rook: int = field("u1")  # number of the rook that castled
    captured: int = field("u1")  # kind of the captured man, 0 none
    taken: int = field("u1")  # its number, 0 visible
    square: int = field("i1")  # where it stood, absolute; -1 none
    landing: int = field("i1")  # where the capturing man stands now, absolute; -1 none
    why: int = field("u1")  # of an illegal try: BLOCKED, NOTHING, CHECK
    hidden_checkers: int = field("u2")  # of the checkers below, those that are hidden: one bit a number
    # men that give check, absolute: to the side now to move, or, to an illegal try
    checkers: np.uint64 = field("u8")
    reason: int = field("u1")  # answers.Reason, 0 while the game goes on
    winner: int = field("i1")  # seat, or -1


SAID = dtype_of(Said)


class View(SeatView):
    """What a seat has been told and can derive, in its own frame."""

    # one's own men
    ids: Array = field("u1", (64,))  # numbers of those that are hidden from the opponent
    exposed: Array = field("i1", (NUMBERS,))  # where the opponent certainly knows a hidden one to stand; -1
    # as `shade`, of one's own hidden bishops: what the opponent knows
    own_shade: Array = field("u1", (NUMBERS,))
    # the opponent's
    seen: Array = field("u1", (64,))  # kinds of the visible ones
    their_kinds: Array = field("u8", (7,))  # boards by kind of the visible ones
    theirs: np.uint64 = field("u8")  # all visible ones
    unseen: Array = field("u1", (NUMBERS,))  # kinds of the hidden ones by number; 0 none, or captured
    shade: Array = field("u1", (NUMBERS,))  # of hidden bishops: 1 on dark squares, 2 on light ones, 0 unknown
    placed: Array = field("i1", (NUMBERS,))  # where a hidden one certainly stands; -1
    rested: Array = field("u1", (NUMBERS,))  # opponent turns since a hidden one moved, saturating
    # the opponent's last turn
    # 0 none yet, 1 a visible man moved, 2 a hidden man moved, 3 the turn was lost
    their_turn: int = field("u1")
    their_from: int = field("i1")  # of a visible man's move; -1
    their_to: int = field("i1")
    their_mover: int = field("u1")  # number of the hidden man that moved; 0
    passed: int = field("i1")  # square that a visible pawn has just passed over; -1
    lost: int = field("i1")  # square of one's own man that was captured; -1
    lost_kind: int = field("u1")
    lost_number: int = field("u1")  # its number, 0 visible
    checks: int = field("u1")  # how many men give check to this seat
    checkers: np.uint64 = field("u8")  # the visible ones
    hidden_checkers: int = field("u2")  # the hidden ones: one bit a number
    # one's own last try
    tried: int = field("i2")  # the try; -1 none yet
    why: int = field("u1")  # of an illegal one
    attackers: np.uint64 = field("u8")  # visible men that would have attacked the king
    hidden_attackers: int = field("u2")  # hidden ones: one bit a number
    took: int = field("i1")  # square of a man captured by one's own last move; -1
    took_kind: int = field("u1")
    took_number: int = field("u1")
    gave: int = field("u1")  # how many men gave check by it
    givers: np.uint64 = field("u8")  # one's own men that did
    # square that one's own pawn has just passed over, until the opponent's turn ends; -1
    stepped: int = field("i1")


VIEW = dtype_of(View)


class GameRow(AnyRow):
    """One game: the referee's part, and what each seat knows."""

    truth: Truth = field(TRUTH)
    ids: Array = field("u1", (64,))  # numbers of hidden men by absolute square
    passed: int = field("i1")  # square that the pawn which has just moved passed over, absolute; -1
    said: Said = field(SAID)  # the latest answer
    heard: Said = field(SAID)  # what the other seat hears of it
    views: tuple[View, ...] = field(VIEW, (2,))


GAME = dtype_of(GameRow)
