"""Whole boards of men moved at once: where all ghosts of a kind can go in one move.

Slides go through and onto the squares of `empty` only: a square that may be empty lets a ghost pass, even if
another ghost may stand there (Ciancarini and Favini 2007, §2: pseudo-pieces move through and over each
other). In a quiet turn of the opponent every ghost spawns copies (Ciancarini and Favini 2007, §2.1, as
`meta`; its second paragraph says this of `pseudo`, but the list of definitions in §2 has the names right).
"""

import numpy as np

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ALL, ZERO
from ks_env.core.jit import kernel
from ks_env.core.record import u1
from ks_env.core.tables import BISHOP, FILE_A, FILE_H, KING, KNIGHT, PAWN, QUEEN, RANK_1, RANK_6, ROOK

FIFTH = RANK_1 << np.uint64(32)  # where own pawns may capture en passant
NOT_A = ~FILE_A
NOT_H = ~FILE_H
NOT_AB = ~(FILE_A | (FILE_A << np.uint64(1)))
NOT_GH = ~(FILE_H | (FILE_H >> np.uint64(1)))


@kernel
def knight_squares(knights: np.uint64) -> np.uint64:
    """All squares a knight's move away from the board."""
    one = ((knights << np.uint64(17)) & NOT_A) | ((knights >> np.uint64(15)) & NOT_A)
    one |= ((knights << np.uint64(15)) & NOT_H) | ((knights >> np.uint64(17)) & NOT_H)
    two = ((knights << np.uint64(10)) & NOT_AB) | ((knights >> np.uint64(6)) & NOT_AB)
    two |= ((knights << np.uint64(6)) & NOT_GH) | ((knights >> np.uint64(10)) & NOT_GH)
    return one | two


@kernel
def straight_neighbours(board: np.uint64) -> np.uint64:
    """All squares one step along a rank or file away."""
    across = ((board << np.uint64(1)) & NOT_A) | ((board >> np.uint64(1)) & NOT_H)
    return across | (board << np.uint64(8)) | (board >> np.uint64(8))


@kernel
def oblique_neighbours(board: np.uint64) -> np.uint64:
    """All squares one step along a diagonal away."""
    right = ((board << np.uint64(9)) | (board >> np.uint64(7))) & NOT_A
    left = ((board << np.uint64(7)) | (board >> np.uint64(9))) & NOT_H
    return right | left


@kernel
def king_squares(kings: np.uint64) -> np.uint64:
    """All squares a king's step away from the board."""
    beside = ((kings << np.uint64(1)) & NOT_A) | ((kings >> np.uint64(1)) & NOT_H)
    row = kings | beside
    return beside | (row << np.uint64(8)) | (row >> np.uint64(8))


@kernel
def _fill_up(board: np.uint64, step: np.uint64, through: np.uint64) -> np.uint64:
    """The board and all it reaches by steps toward higher squares within `through`."""
    board |= through & (board << step)
    through &= through << step
    board |= through & (board << (step + step))
    through &= through << (step + step)
    return board | (through & (board << (step << np.uint64(2))))


@kernel
def _fill_down(board: np.uint64, step: np.uint64, through: np.uint64) -> np.uint64:
    board |= through & (board >> step)
    through &= through >> step
    board |= through & (board >> (step + step))
    through &= through >> (step + step)
    return board | (through & (board >> (step << np.uint64(2))))


@kernel
def across_fill(board: np.uint64, empty: np.uint64) -> np.uint64:
    """The board and all squares its men reach along ranks within `empty`."""
    return _fill_up(board, np.uint64(1), empty & NOT_A) | _fill_down(board, np.uint64(1), empty & NOT_H)


@kernel
def upward_fill(board: np.uint64, empty: np.uint64) -> np.uint64:
    """The board and all squares its men reach up their files within `empty`."""
    return _fill_up(board, np.uint64(8), empty)


@kernel
def downward_fill(board: np.uint64, empty: np.uint64) -> np.uint64:
    """The board and all squares its men reach down their files within `empty`."""
    return _fill_down(board, np.uint64(8), empty)


@kernel
def straight_fill(board: np.uint64, empty: np.uint64) -> np.uint64:
    """The board and all squares its men reach by rook moves within `empty`."""
    return upward_fill(board, empty) | downward_fill(board, empty) | across_fill(board, empty)


@kernel
def oblique_fill(board: np.uint64, empty: np.uint64) -> np.uint64:
    """The board and all squares its men reach by bishop moves within `empty`."""
    filled = _fill_up(board, np.uint64(9), empty & NOT_A) | _fill_up(board, np.uint64(7), empty & NOT_H)
    filled |= _fill_down(board, np.uint64(7), empty & NOT_A)
    return filled | _fill_down(board, np.uint64(9), empty & NOT_H)


@kernel
def pawn_steps(pawns: np.uint64, empty: np.uint64) -> np.uint64:
    """Where pawns that move down the board can step, from their home rank by two."""
    one = (pawns >> np.uint64(8)) & empty
    return one | (((one & RANK_6) >> np.uint64(8)) & empty)  # those that began on the rank above


@kernel
def pawn_origins(targets: np.uint64) -> np.uint64:
    """From where pawns that move down the board attack any of the targets."""
    return ((targets << np.uint64(7)) & NOT_H) | ((targets << np.uint64(9)) & NOT_A)


@kernel
def own_pawn_targets(pawns: np.uint64) -> np.uint64:
    """Squares that own pawns, which move up the board, attack."""
    return ((pawns << np.uint64(7)) & NOT_H) | ((pawns << np.uint64(9)) & NOT_A)


@kernel
def only(condition: bool, board: np.uint64) -> np.uint64:
    """The board if the condition holds, else none."""
    return board & (ALL if condition else np.uint64(0))


@kernel
def files_with_pawns(m: Metaposition) -> np.uint64:
    """The files on which the opponent certainly has a pawn."""
    files = ZERO
    for file in range(8):
        files |= np.uint64(m.file_least[file] != 0) << np.uint64(file)
    return files * FILE_A


@kernel
def straight_reach(m: Metaposition, board: np.uint64, empty: np.uint64) -> np.uint64:
    """As `straight_fill`, but no man passes a pawn that is certainly on its file, wherever on it.

    From above all squares where that pawn may stand, nobody gets as low as the lowest of them, nor the other
    way (Ciancarini and Favini 2007, §2: vertical movement across a file where a pawn is known to be).
    """
    reached = across_fill(board, empty)
    files = files_with_pawns(m)
    pawns = m.ghosts[PAWN] & files
    if pawns == ZERO or board & files == ZERO:
        return reached | upward_fill(board, empty) | downward_fill(board, empty)
    at_or_above = upward_fill(pawns, ALL)  # squares that have such a pawn's square at or below them
    at_or_below = downward_fill(pawns, ALL)
    top, bottom = files & ~at_or_below, files & ~at_or_above
    floor, ceiling = files & ~(at_or_above << np.uint64(8)), files & ~(at_or_below >> np.uint64(8))
    reached |= downward_fill(board & ~top, empty) | downward_fill(board & top, empty & ~floor)
    return reached | upward_fill(board & ~bottom, empty) | upward_fill(board & bottom, empty & ~ceiling)


@kernel
def spread_pieces(m: Metaposition, empty: np.uint64, landing: np.uint64) -> None:
    """Knights, bishops, rooks and queens spawn copies on the empty squares they reach, within `landing`."""
    g = m.ghosts
    g[KNIGHT] |= knight_squares(g[KNIGHT]) & empty & landing
    g[BISHOP] |= oblique_fill(g[BISHOP], empty) & landing
    if g[ROOK] != ZERO:
        g[ROOK] |= straight_reach(m, g[ROOK], empty) & landing
    if g[QUEEN] != ZERO:
        g[QUEEN] |= (oblique_fill(g[QUEEN], empty) | straight_reach(m, g[QUEEN], empty)) & landing


@kernel
def promote_on(m: Metaposition, squares: np.uint64) -> None:
    """One pawn may have become a piece on one of these squares; from where, see `may_lose_pawns`."""
    for kind in range(KNIGHT, KING):
        m.ghosts[kind] |= squares
        m.most[kind] += u1(m.most[kind] < 16)


@kernel
def spread_pawns(m: Metaposition, empty: np.uint64, landing: np.uint64) -> np.uint64:
    """Pawns spawn copies where they step to; the squares on which one may have promoted."""
    stepped = pawn_steps(m.ghosts[PAWN], empty) & landing
    m.ghosts[PAWN] |= stepped & ~RANK_1
    return stepped & RANK_1


@kernel
def king_steps(m: Metaposition, empty: np.uint64) -> np.uint64:
    """Where the king may step to, by what pawns, knights and the king of the seat attack."""
    attacked = own_pawn_targets(m.own[PAWN]) | knight_squares(m.own[KNIGHT]) | king_squares(m.own[KING])
    return king_squares(m.ghosts[KING]) & empty & ~attacked


@kernel
def movable(m: Metaposition, empty: np.uint64) -> np.uint64:
    """Squares whose ghosts have a quiet move: they may be empty afterwards."""
    g = m.ghosts
    pawns = (empty << np.uint64(8)) & g[PAWN]
    straight = straight_neighbours(empty) & (g[ROOK] | g[QUEEN])
    oblique = oblique_neighbours(empty) & (g[BISHOP] | g[QUEEN])
    return pawns | straight | oblique | (knight_squares(empty) & g[KNIGHT]) | (king_squares(empty) & g[KING])
