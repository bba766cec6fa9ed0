"""Single facts written into a metaposition: a square is empty, is occupied, holds a certain kind.

The age of a square follows the figures of a published implementation (M07 §2 says only what it counts): the
opponent's two home ranks start at 10; each opponent turn adds 1 where one of its men may be; a square that
becomes certainly occupied has at least 30; one that is empty or was passed over has 0.
"""

import numpy as np

from ks_env.belief.metaposition.layout import AGE_CERTAIN, AGE_MOST, Metaposition
from ks_env.belief.metaposition.measures import possible
from ks_env.core.bits import ONE, ZERO, bit, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import u1
from ks_env.core.tables import KING, PAWN


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
def note_kind(m: Metaposition, square: int, kind: int) -> None:
    """A man of this kind stands on the square."""
    here = bit(square)
    for other in range(1, 7):
        if other != kind:
            m.ghosts[other] &= ~here
    note_occupied(m, here)


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
        if m.file_least[file] != 0 and files & (np.uint64(0x0101010101010101) << np.uint64(file)) != ZERO:
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
                pawns &= ~(np.uint64(0x0101010101010101) << np.uint64(file))
        m.ghosts[PAWN] = pawns


@kernel
def sole_king_square_is_certain(m: Metaposition) -> None:
    """Only one square is left for the king: it stands there."""
    king = m.ghosts[KING]
    if king != ZERO and without_lowest(king) == ZERO:
        note_kind(m, lowest(king), KING)


@kernel
def settle(m: Metaposition) -> None:
    """After facts were noted: count, and forget the ages of squares that hold no ghost."""
    settle_counts(m)
    sole_king_square_is_certain(m)
    all_men_are_placed(m)
    forget_ages(m)
