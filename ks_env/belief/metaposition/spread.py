"""Where ghosts go in one quiet turn of the opponent: every ghost spawns copies (M07 §2.1, as `meta`).

M07 §2.1's second paragraph says this of `pseudo`; the list of definitions in §2 has the names right.
"""

import numpy as np

from ks_env.belief.metaposition.boards import (
    across_fill,
    downward_fill,
    king_squares,
    knight_squares,
    oblique_fill,
    oblique_neighbours,
    own_pawn_targets,
    pawn_steps,
    straight_neighbours,
    upward_fill,
)
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ALL, ZERO
from ks_env.core.jit import kernel
from ks_env.core.record import u1
from ks_env.core.tables import BISHOP, FILE_A, KING, KNIGHT, PAWN, QUEEN, RANK_1, ROOK

RANK_2 = RANK_1 << np.uint64(8)


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
    way (M07 §2: vertical movement across a file where a pawn is known to be).
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
def may_promote(m: Metaposition, empty: np.uint64) -> bool:
    """Whether a pawn may step to its last rank."""
    return ((m.ghosts[PAWN] & RANK_2) >> np.uint64(8)) & empty != ZERO


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
