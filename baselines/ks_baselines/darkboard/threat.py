"""What only the default player's evaluation has: expected losses and captures, mates by share, shelter.

The men of a kind that the opponent may have left are spread over the squares where that kind may stand, in
proportion to age: a square that has been out of sight for long is likelier to hold a man than one that a man
of ours has just left. So the expected number of men of kind k on a board B is

    λ_k(B) = left_k · A(B ∩ ghosts_k) / A(ghosts_k),     A: sum of ages

On a square that is certainly occupied there is one man, of one of the kinds that may be there.
"""

import numpy as np

from ks_baselines.darkboard.components import can_mate, least_protector, mated_squares, slice_ages, sum_ages
from ks_baselines.darkboard.constants import MoreConstants
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f8, i8
from ks_env.core.tables import BISHOP, KING, KING_MOVES, KNIGHT, KNIGHT_MOVES, PAWN, PAWN_ATTACKS, QUEEN, ROOK

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
def scarce_value(m: Metaposition, kind: int, c: MoreConstants) -> float:
    """`components.man_value`, each man being dearer the fewer there are."""
    value = c.material[kind] * (1.0 + c.scarcity / max(1.0, f8(popcount(m.own[0]))))
    if kind == PAWN and not can_mate(m):
        value *= c.needed_pawn
    return value


@kernel
def expected_loss(
    m: Metaposition,
    square: int,
    value: float,
    known: float,
    by: np.ndarray,
    planes: np.ndarray,
    density: np.ndarray,
    c: MoreConstants,
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
    c: MoreConstants,
) -> float:
    """Expected losses of all own men but the king; `known` is for the man on `end`, which has moved."""
    total = 0.0
    for kind in range(PAWN, KING):
        value = scarce_value(m, kind, c)
        men = m.own[kind]
        while men != ZERO:
            square = lowest(men)
            men = without_lowest(men)
            total += expected_loss(m, square, value, known if square == end else 0.0, by, planes, density, c)
    return total


@kernel
def material(m: Metaposition, c: MoreConstants) -> float:
    """Value of the own men but the king."""
    worth = 0.0
    for kind in range(PAWN, KING):
        value = scarce_value(m, kind, c)
        men = m.own[kind]
        while men != ZERO:
            men = without_lowest(men)
            worth += value
    return worth


@kernel
def expected_capture(
    before: Metaposition, end: int, planes: np.ndarray, density: np.ndarray, c: MoreConstants
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


MORE = 10  # the first of these components among all, see `evaluation.COMPONENTS`
MATERIAL, THREAT, HOPE, KINGS_END, SHELTER, RACE = range(MORE, MORE + 6)
MORE_COMPONENTS = (
    "material",
    "expected losses",
    "expected capture",
    "mates and stalemates",
    "shelter",
    "promotion",
)


@kernel
def chance_others_stuck(m: Metaposition, c: MoreConstants) -> float:
    """Chance that no man besides its king can move: pawns are stuck where an own man stands before them."""
    men = i8(m.most[0]) - 1
    if men > i8(m.most[PAWN]):
        return c.piece_stuck
    squares = popcount(m.ghosts[PAWN])
    if men == 0 or squares == 0:
        return 1.0
    stuck = popcount(m.ghosts[PAWN] & (m.own[0] << np.uint64(8)))
    return (stuck / f8(squares)) ** men


@kernel
def kings_end(m: Metaposition, kings: np.uint64, control: np.uint64, c: MoreConstants) -> float:
    """Worth of the mates among the squares where its king may stand, less that of the stalemates."""
    kings = kings & ~m.own[0]
    if kings == ZERO:
        return 0.0
    stuck = mated_squares(kings, control, m.own[0])
    mates, stalemates = popcount(stuck & control), popcount(stuck & ~control)
    worth = c.mate_share * mates
    if stalemates > 0:
        worth -= c.stalemate_risk * stalemates * chance_others_stuck(m, c)
    return worth / popcount(kings)


@kernel
def race(m: Metaposition, c: MoreConstants) -> float:
    """Pawn advancement counts for more the fewer men the opponent has."""
    bonus = 0.0
    for rank in range(1, 7):
        bonus += c.promotion[rank] * popcount(m.own[PAWN] & (np.uint64(0xFF) << np.uint64(8 * rank)))
    few = (16.0 - min(16.0, f8(m.most[0]))) / 15.0
    return bonus * few * few


@kernel
def add_more(
    before: Metaposition,
    m: Metaposition,
    start: int,
    end: int,
    captured: int,
    control: np.uint64,
    boards: np.ndarray,
    c: MoreConstants,
    parts: np.ndarray,
    density: np.ndarray,
) -> None:
    """Write the components to `parts`: `evaluation.OwnMen.weigh`.

    Args:
        before: METAPOSITION before the move.
        m: METAPOSITION after it.
        start: where the man stood.
        end: where it stands now.
        captured: what it is assumed to have captured.
        control: squares controlled by the own men.
        boards: u8[17]: 7 of control and 5 of ages of `m`, 5 of ages of `before`.
        parts: f8[len(evaluation.COMPONENTS)], overwritten from `MORE` on.
        density: f8[28]: 14 of `before`, 14 overwritten.
    """
    by, planes, planes_before = boards[:7], boards[7:12], boards[12:17]
    parts[MATERIAL] = material(m, c)
    chance = 1.0 if captured != 0 else 0.0
    parts[HOPE] = 0.0
    if captured == 0 and not has(before.own[PAWN], start):
        chance = chance_of_a_man(before, end, planes_before, density[:14])
        parts[HOPE] = c.hope * expected_capture(before, end, planes_before, density[:14], c)
    densities(m, planes, density[14:])
    parts[THREAT] = -c.threat * total_loss(m, end, chance, by, planes, density[14:], c)
    parts[KINGS_END] = kings_end(m, before.ghosts[KING], control, c)
    king = lowest(m.own[KING])
    danger = expected_pieces(m, king, True, planes, density[14:]) + expected_pawns(
        m, king, planes, density[14:]
    )
    parts[SHELTER] = -c.shelter * min(2.0, danger)
    parts[RACE] = race(m, c)


@kernel
def prepare_more(before: Metaposition, boards: np.ndarray, density: np.ndarray) -> None:
    """What `add_more` needs of the metaposition before the move, once a node."""
    slice_ages(before, boards[12:17])
    densities(before, boards[12:17], density[:14])
