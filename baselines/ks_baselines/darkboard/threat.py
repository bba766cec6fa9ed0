"""What the opponent is expected to capture, and what an own move is (the default player; not in M07).

The men of a kind that the opponent may have left are spread over the squares where that kind may stand, in
proportion to age: a square that has been out of sight for long is likelier to hold a man than one that a man
of ours has just left. So the expected number of men of kind k on a board B is

    λ_k(B) = left_k · A(B ∩ ghosts_k) / A(ghosts_k),     A: sum of ages

On a square that is certainly occupied there is one man, of one of the kinds that may be there.
"""

import numpy as np

from ks_baselines.darkboard.ages import sum_ages
from ks_baselines.darkboard.constants import Constants
from ks_baselines.darkboard.safety import least_protector, man_value
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f8, i8
from ks_env.core.tables import (
    BISHOP,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
)

SURE = 7  # the second half of a density array


@kernel
def count_sure(m: Metaposition, squares: np.uint64, out: np.ndarray) -> None:
    """Expected men of each kind on squares that are certainly occupied, into `out[SURE:]`.

    The man on such a square is of one of the kinds that may be there, in proportion to how many the opponent
    may have of each.
    """
    for kind in range(1, KING + 1):
        out[SURE + kind] = 0.0
    while squares != ZERO:
        square = lowest(squares)
        squares = without_lowest(squares)
        listed = 0.0
        for kind in range(1, KING + 1):
            if has(m.ghosts[kind], square):
                listed += m.most[kind]
        for kind in range(1, KING + 1):
            if listed > 0.0 and has(m.ghosts[kind], square):
                out[SURE + kind] += m.most[kind] / listed


@kernel
def densities(m: Metaposition, planes: np.ndarray, out: np.ndarray) -> None:
    """What `expected` needs.

    Into `out: f8[14]`: entries 1 to 6, men of each kind for a unit of age on squares that may be empty; 8 to
    13, men of the kind on a square that is certainly occupied and where it may be, on average.
    """
    certain = ~m.ghosts[0] & ~m.own[0]
    count_sure(m, certain, out)
    listed = 0
    for kind in range(1, KING):
        if m.ghosts[kind] != ZERO:
            listed += i8(m.most[kind])
    men = f8(m.most[0]) - 1.0
    scale = min(1.0, men / listed) if listed > 0 else 0.0
    for kind in range(1, KING + 1):
        left = max(0.0, (scale if kind != KING else 1.0) * m.most[kind] - out[SURE + kind])
        ages = sum_ages(planes, m.ghosts[kind] & ~certain)
        out[kind] = left / ages if ages > 0 else 0.0
        squares = popcount(m.ghosts[kind] & certain)
        if squares > 0:
            out[SURE + kind] /= squares


@kernel
def expected(m: Metaposition, kind: int, board: np.uint64, planes: np.ndarray, density: np.ndarray) -> float:
    """Expected number of men of the kind on the board."""
    where = board & m.ghosts[kind]
    if where == ZERO:
        return 0.0
    number = density[kind] * sum_ages(planes, where & m.ghosts[0])
    sure = where & ~m.ghosts[0]
    return number + density[SURE + kind] * popcount(sure) if sure != ZERO else number


@kernel
def expected_pawns(m: Metaposition, square: int, planes: np.ndarray, density: np.ndarray) -> float:
    """Expected number of pawns that attack the square."""
    return expected(m, PAWN, PAWN_ATTACKS[0, square], planes, density)


@kernel
def expected_pieces(
    m: Metaposition, square: int, protected: bool, planes: np.ndarray, density: np.ndarray
) -> float:
    """Expected number of pieces that attack the square, the king if it is not protected."""
    occupied = ~m.ghosts[0]
    straight = rook_attacks(square, occupied)
    oblique = bishop_attacks(square, occupied)
    number = expected(m, ROOK, straight, planes, density) + expected(m, BISHOP, oblique, planes, density)
    number += expected(m, QUEEN, straight | oblique, planes, density)
    number += expected(m, KNIGHT, KNIGHT_MOVES[square], planes, density)
    if not protected:
        number += expected(m, KING, KING_MOVES[square], planes, density)
    return number


@kernel
def expected_loss(
    m: Metaposition,
    square: int,
    value: float,
    known: float,
    by: np.ndarray,
    planes: np.ndarray,
    density: np.ndarray,
    c: Constants,
) -> float:
    """Material that the opponent is expected to gain by capturing on the square.

    A pawn's capture is announced to it, so that it will hardly be missed; a piece's is found by chance,
    unless the opponent knows of the man (`known`, 0 to 1). What the recapture brings is taken off.
    """
    protector = least_protector(by, square)
    pawns = min(1.0, expected_pawns(m, square, planes, density))
    pieces = min(1.0, c.piece_threat * expected_pieces(m, square, protector != 0, planes, density))
    by_pawn = c.pawn_captures * pawns
    by_piece = (c.piece_captures + (c.piece_retakes - c.piece_captures) * known) * pieces * (1.0 - by_pawn)
    back_pawn = c.recapture[protector] * c.material[PAWN]
    back_piece = c.recapture[protector] * c.material[BISHOP]
    return by_pawn * max(0.0, value - back_pawn) + by_piece * max(0.0, value - back_piece)


@kernel
def total_loss(
    m: Metaposition,
    end: int,
    known: float,
    by: np.ndarray,
    planes: np.ndarray,
    density: np.ndarray,
    c: Constants,
) -> float:
    """Expected losses of all own men but the king; `known` is for the man on `end`, which has moved."""
    total = 0.0
    for kind in range(PAWN, KING):
        value = man_value(m, kind, c)
        men = m.own[kind]
        while men != ZERO:
            square = lowest(men)
            men = without_lowest(men)
            total += expected_loss(m, square, value, known if square == end else 0.0, by, planes, density, c)
    return total


@kernel
def material(m: Metaposition, c: Constants) -> float:
    """Value of the own men but the king."""
    worth = 0.0
    for kind in range(PAWN, KING):
        value = man_value(m, kind, c)
        men = m.own[kind]
        while men != ZERO:
            men = without_lowest(men)
            worth += value
    return worth


@kernel
def expected_capture(
    before: Metaposition, end: int, planes: np.ndarray, density: np.ndarray, c: Constants
) -> float:
    """Value of the man that may stand where a move ends; `planes` and `density` are those of `before`."""
    here = bit(end)
    value = -c.enemy_pawn * expected(before, PAWN, here, planes, density)
    for kind in range(KNIGHT, KING):
        value -= c.enemy_piece * expected(before, kind, here, planes, density)
    return value


@kernel
def chance_of_a_man(before: Metaposition, end: int, planes: np.ndarray, density: np.ndarray) -> float:
    """Chance that a man other than the king stands where a move ends."""
    chance = 0.0
    for kind in range(PAWN, KING):
        chance += expected(before, kind, bit(end), planes, density)
    return min(1.0, chance)
