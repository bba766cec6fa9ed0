"""Records that all games share: a position with what the referee keeps of it, and the rules in numbers."""

import numpy as np

from ks_env.core.record import Array, Record, dtype_of, field
from ks_env.core.tables import TRY_WORDS

AGE_MAX = 255


class Answer(Record):
    """One answer of the referee, unabridged: what each listener hears of it is the ruleset's affair."""

    kind: int = field("u1")  # answers.Kind
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
    reason: int = field("u1")  # answers.Reason, 0 while the game goes on
    winner: int = field("i1")  # seat, or -1


ANSWER = dtype_of(Answer)


class Position(Record):
    """Men on a board, as move generation sees them."""

    men: Array
    kinds: Array
    seats: Array
    checkers: np.uint64
    pinned: np.uint64
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
    reason: int = field("u1")  # answers.Reason; 0 while the game goes on
    winner: int = field("i1")  # seat, or -1
    said: Answer = field(ANSWER)  # the latest answer


TRUTH = dtype_of(Truth)


class SeatView(Record):
    """What a seat knows in all games, in its own frame (`square ^ 56` for Black); the views begin with it.

    It has no dtype of its own: Numba takes a record for another that it is the beginning of.
    """

    men: Array = field("u1", (64,))  # kinds of one's own men
    refused_from: Array = field("u1", (64,))  # tries refused this turn, counted by square
    refused_to: Array = field("u1", (64,))
    refused: Array = field("u8", (TRY_WORDS,))  # the same as one bit a try
    kinds: Array = field("u8", (7,))  # boards of one's own men by kind
    own: np.uint64 = field("u8")  # all of one's own men
    start: int = field("i4")  # which of the start positions was drawn; -1 where that is hidden
    refusals: int = field("u2")  # own tries refused this turn
    moves: int = field("u2")  # full-move number
    fifty: int = field("u2")  # half-move clock, or the upper bound on it that this seat can compute
    last: int = field("i2")  # the own last accepted try; -1
    seat: int = field("u1")
    turn: int = field("u1")  # 1 when this seat is to move
    rights: int = field("u1")  # own castling: king side 1, queen side 2
    answer: int = field("u1")  # answers.Kind of the answer to the own last try, 0 none yet
    pawns_taken: int = field("u1")  # opponent's men captured, as announced
    pieces_taken: int = field("u1")
    men_taken: int = field("u1")  # all of them, whether or not the kind was said
    pawns_lost: int = field("u1")
    pieces_lost: int = field("u1")
    over: int = field("u1")  # 1 when the end was announced
    result: int = field("i1")  # +1, 0, -1 for this seat once over


class AnyRow(Record):
    """What the rows of all games have."""

    truth: Truth
    views: tuple[SeatView, ...]


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
