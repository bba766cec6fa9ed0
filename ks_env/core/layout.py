"""The data of a game: one row of a structured array, `truth` plus `views[2]`.

A row holds all that changes during a game but the list of earlier positions, which stands beside the
rows as `history: u8[N, H]`, so that one compiled kernel serves every length that the settings ask for.
`views[seat]` holds what that seat has been told and can derive, in its own frame (`square ^ 56` for
Black); only announcements change it. Kernels of masks, observations and players are handed a view and
cannot see the truth.
"""

import numpy as np

from ks_env.core.tables import TRY_WORDS

AGE_MAX = 255

# One answer of the referee, unabridged: what each listener hears of it is the ruleset's affair.
ANSWER = np.dtype(
    [
        ("kind", "u1"),  # announcement.Kind
        ("seat", "u1"),  # whose try was answered; at the start, who is to move
        ("action", "i2"),  # the try, in that seat's frame; -1 at the start
        ("square", "i1"),  # of the captured man, absolute; -1 none
        ("captured", "u1"),  # kind of the captured man, 0 none
        ("landing", "i1"),  # where the capturing man stands now, absolute; -1 none
        ("en_passant", "u1"),
        ("checks", "u1"),  # bits: rank, file, long diagonal, short diagonal, knight
        ("checkers", "u1"),  # how many men give check
        ("promoted", "u1"),  # kind promoted to, 0 none
        ("tries", "u1"),  # legal pawn captures of the side now to move
        ("try_squares", "u8"),  # where its pawns with such a capture stand, absolute
        ("reason", "u1"),  # announcement.Reason, 0 while the game goes on
        ("winner", "i1"),  # seat, or -1
    ],
    align=True,
)

TRUTH = np.dtype(
    [
        ("men", "u1", (64,)),  # kind | seat << 3, 0 empty
        ("kinds", "u8", (7,)),  # boards by kind, both colours; entry 0 unused
        ("seats", "u8", (2,)),  # boards by colour
        ("key", "u8"),  # Zobrist key
        ("checkers", "u8"),  # men that give check to the side to move
        ("pinned", "u8"),  # its men that are pinned to its king
        ("try_squares", "u8"),  # its pawns that have a legal capture
        ("random", "u8", (3,)),  # streams: White's player, Black's player, the referee
        ("plies", "i4"),  # played since the start of this game
        ("start", "i4"),  # which of the start positions was drawn
        ("past", "i4"),  # positions in `history` since the last irreversible move
        ("answered", "i4"),  # answers this turn that did not end it
        ("clock", "u2"),  # half-moves since the last capture or pawn move
        ("move_number", "u2"),
        ("side", "u1"),  # seat to move
        ("rights", "u1"),  # castling: White king side 1, queen side 2, Black 4, 8
        ("ep", "i1"),  # target of a legal en passant capture, else -1
        ("tries", "u1"),  # legal pawn captures of the side to move
        ("reason", "u1"),  # announcement.Reason; 0 while the game goes on
        ("winner", "i1"),  # seat, or -1
        ("said", ANSWER),  # the latest answer
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("men", "u1", (64,)),  # kinds of one's own men
        ("age", "u1", (64,)),  # opponent turns since this seat last had information on the square
        ("refused_from", "u1", (64,)),  # tries refused this turn, counted by square
        ("refused_to", "u1", (64,)),
        ("refused", "u8", (TRY_WORDS,)),  # the same as one bit a try
        ("kinds", "u8", (7,)),  # boards of one's own men by kind
        ("own", "u8"),  # all of one's own men
        ("try_squares", "u8"),  # own pawns announced to have a capture (where squares are said)
        ("left_squares", "u8"),  # likewise the opponent's, after one's own move
        ("refusals", "u2"),  # own tries refused this turn
        ("moves", "u2"),  # full-move number
        ("fifty", "u2"),  # upper bound on the half-move clock that this seat can compute
        ("heard", "u2"),  # refusals heard in the opponent's current or last turn
        ("seat", "u1"),
        ("turn", "u1"),  # 1 when this seat is to move
        ("rights", "u1"),  # own castling: king side 1, queen side 2
        ("checks", "u1"),  # check types against this seat
        ("checkers", "u1"),
        ("gave", "u1"),  # check types that the own last move gave
        ("givers", "u1"),
        ("tries", "i1"),  # own pawn tries as announced; -1 not said
        ("left", "i1"),  # the opponent's, after one's own move; -1 not said
        ("asked", "u1"),  # "any?": 0 not asked, 1 yes and obliged, 2 no, 3 yes and free again
        ("answer", "u1"),  # announcement.Kind of the answer to the own last try, 0 none yet
        ("lost", "i1"),  # square announced for a capture in the opponent's last turn; -1
        ("lost_kind", "u1"),  # 1 pawn, 2 piece, 3 man (kind not said), 0 none
        ("took", "i1"),  # the same for one's own last move
        ("took_kind", "u1"),
        ("passed", "i1"),  # square of the pawn that the own last move took en passant; -1
        ("last", "i2"),  # the own last accepted try; -1
        ("enemy", "i1"),  # square that certainly holds the man that just captured; -1
        ("stepped", "i1"),  # own pawn that made a double step in the own last move; -1
        ("promotion", "u1"),  # a promotion was announced in the opponent's last turn
        ("pawns_taken", "u1"),  # opponent's men captured, as announced
        ("pieces_taken", "u1"),
        ("men_taken", "u1"),  # all of them, whether or not the kind was said
        ("pawns_lost", "u1"),
        ("pieces_lost", "u1"),
        ("start", "i4"),  # which of the start positions was drawn; -1 where that is hidden
        ("their_any", "u1"),  # the opponent's "any?" in its current or last turn: 0 none, 1 yes, 2 no
        ("over", "u1"),  # 1 when the end was announced
        ("result", "i1"),  # +1, 0, -1 for this seat once over
    ],
    align=True,
)

GAME = np.dtype([("truth", TRUTH), ("views", VIEW, (2,))], align=True)

# A ruleset in numbers, for the kernels; `ruleset.Ruleset` describes the fields.
RULES = np.dtype(
    [
        ("refusal_heard", "u1"),
        ("says_nonsense", "u1"),
        ("nonsense_heard", "u1"),
        ("unannounced_capture_is_nonsense", "u1"),
        ("kind_said", "u1"),
        ("en_passant_named", "u1"),
        ("pawn_tries", "u1"),
        ("ask_any", "u1"),
        ("promotion_said", "u1"),
        ("stalemate_loses", "u1"),
        ("fifty_moves", "u1"),
        ("threefold", "u1"),
        ("max_tries", "i4"),
        ("max_plies", "i4"),
    ],
    align=True,
)
