"""What men are worth in the abstract game: who can take back, and what exchanges bring.

See Ciancarini and Favini (2010, §5.2).

Strings of captures on one square are followed to their end: "the algorithm also accounts for quiescence"
(Ciancarini and Favini 2010, §5.3).
"""

import numpy as np

from ks_baselines.darkboard.moves import end_of, kind_of, start_of, under_of
from ks_baselines.mcts.constants import Constants
from ks_env.belief.location.answers import pawn_control
from ks_env.belief.location.layout import NONE, ONE, Location
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.attacks import bishop_attacks, man_attacks, rook_attacks
from ks_env.core.bits import ZERO, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import BISHOP, KING, KING_MOVES, KNIGHT, KNIGHT_MOVES, PAWN, PAWN_ATTACKS, QUEEN, ROOK


@kernel
def count_guards(known: Metaposition, out: np.ndarray) -> None:
    """Own men that control each square, into `out: i8[64]`; slides end at own and at certain men."""
    for square in range(64):
        out[square] = 0
    occupied = ~known.ghosts[0]
    for kind in range(PAWN, KING + 1):
        men = known.own[kind]
        while men != ZERO:
            man = lowest(men)
            men = without_lowest(men)
            seen = PAWN_ATTACKS[0, man] if kind == PAWN else man_attacks(kind, man, occupied)
            while seen != ZERO:
                out[lowest(seen)] += 1
                seen = without_lowest(seen)


@kernel
def guards_by(known: Metaposition, square: int, kind: int) -> np.uint64:
    """Own men of a kind that control one square, as `count_guards` counts them."""
    men = known.own[kind]
    if kind == PAWN:
        return men & PAWN_ATTACKS[1, square]
    if kind == KNIGHT:
        return men & KNIGHT_MOVES[square]
    if kind == KING:
        return men & KING_MOVES[square]
    occupied, seen = ~known.ghosts[0], ZERO
    if kind != ROOK and men != ZERO:
        seen |= bishop_attacks(square, occupied)
    if kind != BISHOP and men != ZERO:
        seen |= rook_attacks(square, occupied)
    return men & seen


@kernel
def guards_of(known: Metaposition, square: int) -> int:
    """How many own men control one square."""
    number = 0
    for kind in range(PAWN, KING + 1):
        number += popcount(guards_by(known, square, kind))
    return number


MOST_CAPTURES = 6  # of a string on one square


@kernel
def exchange(value: float, first: float, control: float, guards: int, c: Constants) -> float:
    """Expected loss where a man worth `value` stands, the opponent to move, from a string of captures.

    The opponent captures first with chance `first`, later with the chance that Prob_control leaves for so
    many men ("for the second and subsequent captures, the program uses Prob_control"). Each side stops where
    going on would lose. Its men are taken to be pieces, ours after the first as well.

    Args:
        value: of the man that stands there.
        first: chance of the first capture.
        control: Prob_control of the square.
        guards: own men that may take back.
    """
    gain = NONE  # of the own recapture at the depth in hand, worked out from the end
    for step in range(min(MOST_CAPTURES, guards), 0, -1):
        again = min(ONE, max(NONE, control - f4(step)))
        gain = max(NONE, c.enemy_piece - again * max(NONE, c.own[3] - gain))
    return first * max(NONE, value - gain)


@kernel
def becomes(move: int) -> int:
    """Kind of the man after the move."""
    if kind_of(move) == PAWN and end_of(move) >= 56:
        return under_of(move) if under_of(move) != 0 else QUEEN
    return kind_of(move)


@kernel
def promotion_gain(move: int, c: Constants) -> float:
    """What a man is worth more after the move."""
    return c.own[becomes(move)] - c.own[kind_of(move)]


@kernel
def other_guards(guards: np.ndarray, move: int) -> int:
    """Own men that guard the square to which a move goes, the one that moves apart."""
    return without_mover(i8(guards[end_of(move)]), move)


@kernel
def without_mover(number: int, move: int) -> int:
    """The number of men that guard the square to which a move goes, less the one that moves.

    A pawn that steps and a king that castles did not attack the square they go to.
    """
    start, end = start_of(move), end_of(move)
    attacks = (start ^ end) & 7 != 0 if kind_of(move) == PAWN else True
    if kind_of(move) == KING and abs(start - end) == 2:
        attacks = False
    return max(0, number - (1 if attacks else 0))


@kernel
def exposed_to_pawns(place: Location) -> float:
    """Sum over the own men but the king of the expected number of pawns that attack them."""
    men = place.known.own[0] & ~place.known.own[KING]
    total = NONE
    while men != ZERO:
        total += pawn_control(place.maps, lowest(men))
        men = without_lowest(men)
    return total
