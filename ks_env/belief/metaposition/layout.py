"""The record of a metaposition, what it says of the board, and facts written into it.

See Ciancarini and Favini (2007, §2).

Ciancarini and Favini (2007) give each square a bit field of seven pseudo-pieces and an age. Here the bit
fields stand as one board for each pseudo-piece, which is the same 64 bytes turned over: bit `s` of
`ghosts[k]` says that a man of kind `k` may stand on square `s`, and bit `s` of `ghosts[0]` is the
pseudo-piece Empty. All squares are in the seat's own frame (see `ks_env.core.tables`), so that the opponent's
pawns move down the board.

The invariant (Ciancarini and Favini 2007, §2): the true position is always contained. Every man of the
opponent stands on a square of its kind's board, every square without a man is in `ghosts[0]`, and the
counters bound the true numbers.

The age of a square follows the figures of a published implementation (Ciancarini and Favini 2007, §2 say
only what it counts): the opponent's two home ranks start at 10; each opponent turn adds 1 where one of its
men may be; a square that becomes certainly occupied has at least 30; one that is empty or was passed over has
0.

Entropy (Ciancarini and Favini 2007, §4.3) rests on the age matrix; the constants are the figures of the same
implementation, since Ciancarini and Favini (2007) give none: the sum over all squares and kinds of cost
times age / 30, the cost of a pawn by its rank as the seat sees it, so that a pawn next to promotion weighs
most.
"""

import numpy as np

from ks_env.core.bits import ONE, ZERO, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import Array, Record, dtype_of, f8, field, u1
from ks_env.core.tables import BISHOP, FILE_A, KING, KNIGHT, PAWN, QUEEN, ROOK

AGE_HOME = 10  # age of the opponent's two home ranks at the start (reference figures of a published build)
AGE_CERTAIN = 30  # least age of a square that is certainly occupied
AGE_MOST = 255
NOTHING_HEARD = 65_535
AGE_SCALE = 30.0  # of the entropy
PAWN_COSTS = (0.0, 2.0, 1.0, 0.25, 0.1, 0.05, 0.02, 0.0)  # entropy, by rank 1..8 of the seat


class Metaposition(Record):
    """All positions that a seat holds possible, square by square."""

    own: Array = field("u8", (7,))  # boards of own men by kind; entry 0: all of them
    # where an opponent's man of each kind may be; entry 0: what may be empty
    ghosts: Array = field("u8", (7,))
    age: Array = field("u1", (64,))  # turns without information on the square
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


def _costs() -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    costs = np.zeros((7, 64))
    for kind, cost in ((KNIGHT, 0.01), (BISHOP, 0.01), (ROOK, 0.02), (QUEEN, 0.025), (KING, 0.005)):
        costs[kind] = cost
    costs[PAWN] = np.repeat(PAWN_COSTS, 8)
    return costs


COSTS = _costs()  # f8[7, 64]: entry 0 unused


@kernel
def possible(m: Metaposition) -> np.uint64:
    """Squares where an opponent's man of any kind may stand."""
    g = m.ghosts
    return g[1] | g[2] | g[3] | g[4] | g[5] | g[6]


@kernel
def possible_but_king(m: Metaposition) -> np.uint64:
    """Squares where an opponent's man other than the king may stand."""
    g = m.ghosts
    return g[1] | g[2] | g[3] | g[4] | g[5]


@kernel
def certain(m: Metaposition) -> np.uint64:
    """Squares that are certainly occupied by the opponent."""
    return ~(m.ghosts[0] | m.own[0])


@kernel
def square_entropy(m: Metaposition, square: int) -> float:
    """The square's share of the entropy."""
    cost = 0.0
    for kind in range(1, 7):
        if has(m.ghosts[kind], square):
            cost += COSTS[kind, square]
    return cost * f8(m.age[square]) / AGE_SCALE


@kernel
def entropy(m: Metaposition) -> float:
    """Chessboard entropy E of Ciancarini and Favini (2007, §4.3)."""
    total = 0.0
    for square in range(64):
        if m.age[square] != 0:
            total += square_entropy(m, square)
    return total


@kernel
def note_empty(m: Metaposition, board: np.uint64) -> None:
    """No man of the opponent stands on these squares; own men may."""
    for kind in range(1, 7):
        m.ghosts[kind] &= ~board
    m.ghosts[0] = (m.ghosts[0] | board) & ~m.own[0]
    while board != ZERO:
        m.age[lowest(board)] = u1(0)
        board = without_lowest(board)


@kernel
def note_occupied(m: Metaposition, board: np.uint64) -> None:
    """A man of the opponent stands on each of these squares."""
    board &= m.ghosts[0] & possible(m)
    m.ghosts[0] &= ~board
    while board != ZERO:
        square = lowest(board)
        m.age[square] = max(m.age[square], u1(AGE_CERTAIN))
        board = without_lowest(board)


@kernel
def note_kind(m: Metaposition, board: np.uint64, kind: int) -> None:
    """A man of this kind stands on each of these squares."""
    for other in range(1, 7):
        if other != kind:
            m.ghosts[other] &= ~board
    note_occupied(m, board)


@kernel
def one_of_these_is_occupied(m: Metaposition, board: np.uint64) -> None:
    """At least one of the squares holds a man; known which if only one can, or if it is the bare king."""
    candidates = board & possible(m)
    if candidates != ZERO and without_lowest(candidates) == ZERO:
        note_occupied(m, candidates)
    if m.most[0] == 1 and m.ghosts[KING] & board != ZERO:
        m.ghosts[KING] &= board


@kernel
def grow_old(m: Metaposition) -> None:
    """The opponent's turn has passed: squares where one of its men may be grow older."""
    board = possible(m)
    for square in range(64):
        older = u1(m.age[square] + (m.age[square] < AGE_MOST))
        here = u1((board >> np.uint64(square)) & ONE)
        m.age[square] = older * here


@kernel
def forget_ages(m: Metaposition) -> None:
    """Where none of the opponent's men may be, nothing grows old."""
    board = possible(m)
    for square in range(64):
        m.age[square] *= u1((board >> np.uint64(square)) & ONE)


@kernel
def may_lose_pawns(m: Metaposition, files: np.uint64) -> None:
    """A pawn may have left each of these files, given by any of its squares."""
    for file in range(8):
        if m.file_least[file] != 0 and files & (FILE_A << np.uint64(file)) != ZERO:
            m.file_least[file] -= u1(1)


@kernel
def all_men_are_placed(m: Metaposition) -> None:
    """The squares that are certainly occupied hold all men, or all but the king: no other man elsewhere.

    Also the reverse: no more squares are possible than there are men, so that each of them is occupied.
    """
    board = possible(m)
    occupied = board & ~m.ghosts[0]
    placed = popcount(occupied)
    if placed >= m.most[0] or (placed + 1 == m.most[0] and occupied & m.ghosts[KING] == ZERO):
        for kind in range(1, KING):
            m.ghosts[kind] &= occupied
        if placed >= m.most[0]:
            m.ghosts[KING] &= occupied
    elif popcount(board) == m.most[0]:
        note_occupied(m, board)


@kernel
def settle_counts(m: Metaposition) -> None:
    """Rules of counting: no men left of a kind, on a file, or besides the king."""
    if m.most[0] <= 1:
        for kind in range(1, KING):
            m.ghosts[kind] = ZERO
    for kind in range(1, KING):
        if m.most[kind] == 0:
            m.ghosts[kind] = ZERO
    pawns = m.ghosts[PAWN]
    if pawns != ZERO:
        for file in range(8):
            if m.file_pawns[file] == 0:
                pawns &= ~(FILE_A << np.uint64(file))
        m.ghosts[PAWN] = pawns


@kernel
def sole_king_square_is_certain(m: Metaposition) -> None:
    """Only one square is left for the king: it stands there."""
    king = m.ghosts[KING]
    if king != ZERO and without_lowest(king) == ZERO:
        note_kind(m, king, KING)


@kernel
def settle(m: Metaposition) -> None:
    """After facts were noted: count, and forget the ages of squares that hold no ghost."""
    settle_counts(m)
    sole_king_square_is_certain(m)
    all_men_are_placed(m)
    forget_ages(m)
