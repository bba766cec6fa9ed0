"""The record of a metaposition (M07 §2).

M07 gives each square a bit field of seven pseudo-pieces and an age. Here the bit fields stand as one board
for each pseudo-piece, which is the same 64 bytes turned over: bit `s` of `ghosts[k]` says that a man of kind
`k` may stand on square `s`, and bit `s` of `ghosts[0]` is the pseudo-piece Empty. All squares are in the
seat's own frame (see `ks_env.core.tables`), so that the opponent's pawns move down the board.

The invariant (M07 §2): the true position is always contained. Every man of the opponent stands on a square
of its kind's board, every square without a man is in `ghosts[0]`, and the counters bound the true numbers.
"""

from ks_env.core.record import Array, Record, dtype_of, field

AGE_HOME = 10  # age of the opponent's two home ranks at the start (reference figures of a published build)
AGE_CERTAIN = 30  # least age of a square that is certainly occupied
AGE_MOST = 255
NOTHING_HEARD = 65_535


class Metaposition(Record):
    """All positions that a seat holds possible, square by square."""

    own: Array = field("u8", (7,))  # boards of own men by kind; entry 0: all of them
    # where an opponent's man of each kind may be; entry 0: what may be empty
    ghosts: Array = field("u8", (7,))
    age: Array = field("u1", (64,))  # turns without information on the square, see `ages`
    most: Array = field("u1", (7,))  # most men of each kind the opponent can have; entry 0: its men, exactly
    file_pawns: Array = field("u1", (8,))  # most pawns the opponent can have on each file
    file_least: Array = field("u1", (8,))  # pawns that it certainly has there
    stamp: int = field("u2")  # half-moves told, see `follow.stamp_of`
    seat: int = field("u1")
    rights: int = field("u1")  # own castling: king side 1, queen side 2
    their_rights: int = field("u1")  # castling that the opponent may still have: the same
    gave: int = field("u1")  # check types that the own last move gave
    givers: int = field("u1")
    moved: int = field("i1")  # square of the man that the own last move moved; -1
    asked: int = field("u1")  # VIEW.asked as taken in this turn
    refusals: int = field("u2")  # VIEW.refusals as taken in this turn; NOTHING_HEARD before the first


METAPOSITION = dtype_of(Metaposition)
