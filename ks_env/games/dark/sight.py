"""What a seat sees: the squares of its own men, and all squares that these could move to now.

=================  ==========================================================================
man                sees
=================  ==========================================================================
any                the square it stands on
slider             along each line up to the first man, with that man's square
knight, king       the squares of its moves; own men stand on squares that are seen anyway
pawn               the square ahead if it is empty, and from its start rank the one behind it
                   if both are; a diagonal square if an enemy man stands there
pawn that can      the square that it lands on, and the one where the pawn stands that it
take en passant    takes
=================  ==========================================================================

A blocked pawn does not see what blocks it (though its player can tell that something does), and an empty
diagonal is not seen. Castling shows nothing that king and rook do not see. Attacks on the king make no
difference anywhere. Both seats see at all times, whoever is to move; en passant shows squares only to the
seat that may capture now.

The referee alone calls these kernels.
"""

import numpy as np

from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, without_lowest
from ks_env.core.hearing import own_board, own_square
from ks_env.core.jit import kernel
from ks_env.core.layout import AGE_MAX, Truth
from ks_env.core.record import i1, i8, u1
from ks_env.core.tables import (
    BISHOP,
    FILE_A,
    FILE_H,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    QUEEN,
    RANK_3,
    RANK_6,
    ROOK,
)
from ks_env.games.dark.layout import View

EIGHT, SEVEN, NINE = np.uint64(8), np.uint64(7), np.uint64(9)


@kernel
def pawns_see(truth: Truth, seat: int) -> np.uint64:
    """Squares that the pawns of a seat could move to, absolute."""
    pawns = truth.kinds[PAWN] & truth.seats[seat]
    empty = ~(truth.seats[0] | truth.seats[1])
    if seat == 0:
        one = (pawns << EIGHT) & empty
        two = ((one & RANK_3) << EIGHT) & empty
        takes = ((pawns & ~FILE_A) << SEVEN) | ((pawns & ~FILE_H) << NINE)
    else:
        one = (pawns >> EIGHT) & empty
        two = ((one & RANK_6) >> EIGHT) & empty
        takes = ((pawns & ~FILE_A) >> NINE) | ((pawns & ~FILE_H) >> SEVEN)
    seen = one | two | (takes & truth.seats[1 - seat])
    if truth.ep >= 0 and truth.side == seat:  # it is kept only where a pawn can capture
        seen |= bit(truth.ep) | bit(truth.ep ^ 8)
    return seen


@kernel
def sight(truth: Truth, seat: int) -> np.uint64:
    """The squares that a seat sees, absolute."""
    own = truth.seats[seat]
    occupied = truth.seats[0] | truth.seats[1]
    seen = own | pawns_see(truth, seat)
    men = truth.kinds[KNIGHT] & own
    while men != ZERO:
        seen |= KNIGHT_MOVES[lowest(men)]
        men = without_lowest(men)
    men = truth.kinds[KING] & own  # none once it was captured
    while men != ZERO:
        seen |= KING_MOVES[lowest(men)]
        men = without_lowest(men)
    men = (truth.kinds[ROOK] | truth.kinds[QUEEN]) & own
    while men != ZERO:
        seen |= rook_attacks(lowest(men), occupied)
        men = without_lowest(men)
    men = (truth.kinds[BISHOP] | truth.kinds[QUEEN]) & own
    while men != ZERO:
        seen |= bishop_attacks(lowest(men), occupied)
        men = without_lowest(men)
    return seen


@kernel
def look(truth: Truth, view: View, turns: int) -> None:
    """Let a seat see the position, so many opponent turns after it last did."""
    seat = i8(view.seat)
    seen = own_board(view, sight(truth, seat))
    enemy = truth.seats[1 - seat]
    view.seen = seen
    view.theirs = own_board(view, enemy) & seen
    for kind in range(1, 7):
        found = own_board(view, truth.kinds[kind] & enemy) & seen
        view.their_kinds[kind] = found
        view.recalled[kind] = (view.recalled[kind] & ~seen) | found
    view.passed = i1(-1)
    if truth.ep >= 0 and truth.side == seat:
        view.passed = i1(own_square(view, i8(truth.ep)))
    older = u1(turns)
    for square in range(64):
        age = view.age[square]
        grown = u1(age + older) if age < AGE_MAX else age
        view.age[square] = u1(0) if has(seen, square) else grown
