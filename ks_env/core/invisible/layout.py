"""The data of a game of invisible chess: one row of a structured array, the referee's part and `views[2]`.

As in Kriegspiel, `views[seat]` holds what that seat has been told and can derive, in its own frame
(`square ^ 56` for Black); only what the referee says changes it, and kernels that serve a player are handed
a view and cannot see the rest. Hidden men are called by number: `ids` and `unseen` are indexed by it, and
entry 0 stands for visible men.
"""

import numpy as np

from ks_env.core.layout import TRUTH
from ks_env.core.tables import TRY_WORDS

MOST_HIDDEN = 15  # all men of a colour but the king
NUMBERS = MOST_HIDDEN + 1

# One answer of the referee. The mover is told all of it, the other seat what `hearing.censor` leaves of it.
SAID = np.dtype(
    [
        ("kind", "u1"),  # announcement.Kind
        ("seat", "u1"),  # whose try was answered; at the start, who is to move
        ("action", "i2"),  # the try, in that seat's frame; -1 at the start
        ("start", "i1"),  # squares of the move that was played, absolute; -1 none, or not told
        ("end", "i1"),
        ("man", "u1"),  # kind of the man that moved, before a promotion
        ("mover", "u1"),  # its number, 0 visible
        ("promoted", "u1"),  # kind promoted to, 0 none
        ("castled", "u1"),  # 1 king side, 2 queen side
        ("rook", "u1"),  # number of the rook that castled
        ("captured", "u1"),  # kind of the captured man, 0 none
        ("taken", "u1"),  # its number, 0 visible
        ("square", "i1"),  # where it stood, absolute; -1 none
        ("landing", "i1"),  # where the capturing man stands now, absolute; -1 none
        ("why", "u1"),  # of an illegal try: BLOCKED, NOTHING, CHECK
        ("hidden_checkers", "u2"),  # of the checkers below, those that are hidden: one bit a number
        ("checkers", "u8"),  # men that give check, absolute: to the side now to move, or, to an illegal try
        ("reason", "u1"),  # announcement.Reason, 0 while the game goes on
        ("winner", "i1"),  # seat, or -1
    ],
    align=True,
)

VIEW = np.dtype(
    [
        # one's own men
        ("men", "u1", (64,)),  # kinds
        ("ids", "u1", (64,)),  # numbers of those that are hidden from the opponent
        ("kinds", "u8", (7,)),  # boards by kind
        ("own", "u8"),  # all of them
        ("exposed", "i1", (NUMBERS,)),  # where the opponent certainly knows a hidden one to stand; -1
        ("own_shade", "u1", (NUMBERS,)),  # as `shade`, of one's own hidden bishops: what the opponent knows
        ("rights", "u1"),  # castling: king side 1, queen side 2
        # the opponent's
        ("seen", "u1", (64,)),  # kinds of the visible ones
        ("their_kinds", "u8", (7,)),  # boards by kind of the visible ones
        ("theirs", "u8"),  # all visible ones
        ("unseen", "u1", (NUMBERS,)),  # kinds of the hidden ones by number; 0 none, or captured
        ("shade", "u1", (NUMBERS,)),  # of hidden bishops: 1 on dark squares, 2 on light ones, 0 unknown
        ("placed", "i1", (NUMBERS,)),  # where a hidden one certainly stands; -1
        ("rested", "u1", (NUMBERS,)),  # opponent turns since a hidden one moved, saturating
        # the opponent's last turn
        ("their_turn", "u1"),  # 0 none yet, 1 a visible man moved, 2 a hidden man moved, 3 the turn was lost
        ("their_from", "i1"),  # of a visible man's move; -1
        ("their_to", "i1"),
        ("their_mover", "u1"),  # number of the hidden man that moved; 0
        ("passed", "i1"),  # square that a visible pawn has just passed over; -1
        ("lost", "i1"),  # square of one's own man that was captured; -1
        ("lost_kind", "u1"),
        ("lost_number", "u1"),  # its number, 0 visible
        ("checks", "u1"),  # how many men give check to this seat
        ("checkers", "u8"),  # the visible ones
        ("hidden_checkers", "u2"),  # the hidden ones: one bit a number
        # one's own last try, and those refused this turn
        ("tried", "i2"),  # the try; -1 none yet
        ("answer", "u1"),  # announcement.Kind, 0 none yet
        ("why", "u1"),  # of an illegal one
        ("attackers", "u8"),  # visible men that would have attacked the king
        ("hidden_attackers", "u2"),  # hidden ones: one bit a number
        ("took", "i1"),  # square of a man captured by one's own last move; -1
        ("took_kind", "u1"),
        ("took_number", "u1"),
        ("gave", "u1"),  # how many men gave check by it
        ("givers", "u8"),  # one's own men that did
        ("last", "i2"),  # the own last accepted try; -1
        (
            "stepped",
            "i1",
        ),  # square that one's own pawn has just passed over, until the opponent's turn ends; -1
        ("refused", "u8", (TRY_WORDS,)),  # one bit a try
        ("refused_from", "u1", (64,)),
        ("refused_to", "u1", (64,)),
        ("refusals", "u2"),
        # counters
        ("moves", "u2"),  # full-move number
        ("fifty", "u2"),  # half-move clock, which is public
        ("pawns_taken", "u1"),
        ("pieces_taken", "u1"),
        ("men_taken", "u1"),
        ("pawns_lost", "u1"),
        ("pieces_lost", "u1"),
        ("seat", "u1"),
        ("turn", "u1"),  # 1 when this seat is to move
        ("start", "i4"),  # which of the start positions was drawn
        ("over", "u1"),  # 1 when the end was announced
        ("result", "i1"),  # +1, 0, -1 for this seat once over
    ],
    align=True,
)

GAME = np.dtype(
    [
        ("truth", TRUTH),
        ("ids", "u1", (64,)),  # numbers of hidden men by absolute square
        ("passed", "i1"),  # square that the pawn which has just moved passed over, absolute; -1
        ("said", SAID),  # the latest answer
        ("heard", SAID),  # what the other seat hears of it
        ("views", VIEW, (2,)),
    ],
    align=True,
)
