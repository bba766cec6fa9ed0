"""The data of a game: one row of a structured array, `truth` plus `views[2]`.

A row holds all that changes during a game but the list of earlier positions, which stands beside the
rows as `history: u8[N, H]`, so that one compiled kernel serves every length that the settings ask for.
`views[seat]` holds what that seat has been told and can derive, in its own frame (`square ^ 56` for
Black); only announcements change it. Kernels of masks, observations and players are handed a view and
cannot see the truth.
"""

import numpy as np

from ks_env.core.record import Array, Record, dtype_of, field
from ks_env.core.tables import TRY_WORDS

AGE_MAX = 255


class Answer(Record):
    """One answer of the referee, unabridged: what each listener hears of it is the ruleset's affair."""

    kind: int = field("u1")  # announcement.Kind
    seat: int = field("u1")  # whose try was answered; at the start, who is to move
    action: int = field("i2")  # the try, in that seat's frame; -1 at the start
    square: int = field("i1")  # of the captured man, absolute; -1 none
    captured: int = field("u1")  # kind of the captured man, 0 none
    landing: int = field("i1")  # where the capturing man stands now, absolute; -1 none
    en_passant: int = field("u1")
    checks: int = field("u1")  # bits: rank, file, long diagonal, short diagonal, knight
    checkers: int = field("u1")  # how many men give check
    promoted: int = field("u1")  # kind promoted to, 0 none
    tries: int = field("u1")  # legal pawn captures of the side now to move
    try_squares: np.uint64 = field("u8")  # where its pawns with such a capture stand, absolute
    reason: int = field("u1")  # announcement.Reason, 0 while the game goes on
    winner: int = field("i1")  # seat, or -1


ANSWER = dtype_of(Answer)


class Position(Record):
    """Men on a board, as move generation sees them."""

    men: Array
    kinds: Array
    seats: Array
    side: int
    rights: int
    ep: int


class Truth(Position):
    """The position, and what the referee keeps beside it."""

    men: Array = field("u1", (64,))  # kind | seat << 3, 0 empty
    kinds: Array = field("u8", (7,))  # boards by kind, both colours; entry 0 unused
    seats: Array = field("u8", (2,))  # boards by colour
    key: np.uint64 = field("u8")  # Zobrist key
    checkers: np.uint64 = field("u8")  # men that give check to the side to move
    pinned: np.uint64 = field("u8")  # its men that are pinned to its king
    try_squares: np.uint64 = field("u8")  # its pawns that have a legal capture
    random: Array = field("u8", (3,))  # streams: White's player, Black's player, the referee
    plies: int = field("i4")  # played since the start of this game
    start: int = field("i4")  # which of the start positions was drawn
    past: int = field("i4")  # positions in `history` since the last irreversible move
    answered: int = field("i4")  # answers this turn that did not end it
    clock: int = field("u2")  # half-moves since the last capture or pawn move
    move_number: int = field("u2")
    side: int = field("u1")  # seat to move
    rights: int = field("u1")  # castling: White king side 1, queen side 2, Black 4, 8
    ep: int = field("i1")  # target of a legal en passant capture, else -1
    tries: int = field("u1")  # legal pawn captures of the side to move
    reason: int = field("u1")  # announcement.Reason; 0 while the game goes on
    winner: int = field("i1")  # seat, or -1
    said: Answer = field(ANSWER)  # the latest answer


TRUTH = dtype_of(Truth)


class SeatView(Record):
    """What the views of all games have: the fields that the interfaces read."""

    men: Array
    kinds: Array
    own: np.uint64
    seat: int
    turn: int
    start: int
    moves: int
    refusals: int
    refused: Array
    refused_from: Array
    refused_to: Array
    men_taken: int
    pawns_taken: int
    pieces_taken: int
    pawns_lost: int
    pieces_lost: int
    over: int
    result: int


class View(SeatView):
    """What a seat has been told and can derive, in its own frame."""

    men: Array = field("u1", (64,))  # kinds of one's own men
    age: Array = field("u1", (64,))  # opponent turns since this seat last had information on the square
    refused_from: Array = field("u1", (64,))  # tries refused this turn, counted by square
    refused_to: Array = field("u1", (64,))
    refused: Array = field("u8", (TRY_WORDS,))  # the same as one bit a try
    kinds: Array = field("u8", (7,))  # boards of one's own men by kind
    own: np.uint64 = field("u8")  # all of one's own men
    try_squares: np.uint64 = field("u8")  # own pawns announced to have a capture (where squares are said)
    left_squares: np.uint64 = field("u8")  # likewise the opponent's, after one's own move
    refusals: int = field("u2")  # own tries refused this turn
    moves: int = field("u2")  # full-move number
    fifty: int = field("u2")  # upper bound on the half-move clock that this seat can compute
    heard: int = field("u2")  # refusals heard in the opponent's current or last turn
    seat: int = field("u1")
    turn: int = field("u1")  # 1 when this seat is to move
    rights: int = field("u1")  # own castling: king side 1, queen side 2
    checks: int = field("u1")  # check types against this seat
    checkers: int = field("u1")
    gave: int = field("u1")  # check types that the own last move gave
    givers: int = field("u1")
    tries: int = field("i1")  # own pawn tries as announced; -1 not said
    left: int = field("i1")  # the opponent's, after one's own move; -1 not said
    asked: int = field("u1")  # "any?": 0 not asked, 1 yes and obliged, 2 no, 3 yes and free again
    answer: int = field("u1")  # announcement.Kind of the answer to the own last try, 0 none yet
    lost: int = field("i1")  # square announced for a capture in the opponent's last turn; -1
    lost_kind: int = field("u1")  # 1 pawn, 2 piece, 3 man (kind not said), 0 none
    took: int = field("i1")  # the same for one's own last move
    took_kind: int = field("u1")
    passed: int = field("i1")  # square of the pawn that the own last move took en passant; -1
    last: int = field("i2")  # the own last accepted try; -1
    enemy: int = field("i1")  # square that certainly holds the man that just captured; -1
    stepped: int = field("i1")  # own pawn that made a double step in the own last move; -1
    promotion: int = field("u1")  # a promotion was announced in the opponent's last turn
    pawns_taken: int = field("u1")  # opponent's men captured, as announced
    pieces_taken: int = field("u1")
    men_taken: int = field("u1")  # all of them, whether or not the kind was said
    pawns_lost: int = field("u1")
    pieces_lost: int = field("u1")
    start: int = field("i4")  # which of the start positions was drawn; -1 where that is hidden
    their_any: int = field("u1")  # the opponent's "any?" in its current or last turn: 0 none, 1 yes, 2 no
    over: int = field("u1")  # 1 when the end was announced
    result: int = field("i1")  # +1, 0, -1 for this seat once over


VIEW = dtype_of(View)


class GameRow(Record):
    """One game."""

    truth: Truth = field(TRUTH)
    views: tuple[View, ...] = field(VIEW, (2,))


GAME = dtype_of(GameRow)


class Rules(Record):
    """A ruleset in numbers, for the kernels; `ruleset.Ruleset` describes the fields."""

    refusal_heard: int = field("u1")
    says_nonsense: int = field("u1")
    nonsense_heard: int = field("u1")
    unannounced_capture_is_nonsense: int = field("u1")
    kind_said: int = field("u1")
    en_passant_named: int = field("u1")
    pawn_tries: int = field("u1")
    ask_any: int = field("u1")
    promotion_said: int = field("u1")
    stalemate_loses: int = field("u1")
    fifty_moves: int = field("u1")
    threefold: int = field("u1")
    max_tries: int = field("i4")
    max_plies: int = field("i4")


RULES = dtype_of(Rules)
