"""The components of the evaluation: material and its safety, position, information, mate progress.

See Ciancarini and Favini (2007, §4).

Ages. The ages of the 64 squares are turned into five boards, one for each binary digit, so that a sum over a
board takes five counts of bits instead of a walk over its squares:

    age of a square = bit 0 + 2 · bit 1 + 4 · bit 2 + 8 · bit 3 + 16 · bit 4,   31 at most

An age of 30 stands for full danger (figures of a published implementation), so that 31 loses nothing.

Information (§4.3) is the entropy of the chessboard, and what two plies add to it:

    ΔE = E(after own move and opponent's turn) − E(before)

Ciancarini and Favini (2007, §4.3) print pseudo and meta exchanged, as its §2.1 does; the list of definitions
of its §2 is followed.

Safety (§4.1) of a man is 1 where it cannot be captured in the opponent's next move, and falls to 0 where it
is left to it. It is not a probability. Its danger begins as the share that the squares from which it could be
captured have of all age on the board: the longer the seat has known nothing of a square, the likelier it
holds a man. The published figures name sliders, pawns and the king; knights are counted too, since Ciancarini
and Favini (2007) want 1 to mean that no capture is possible.
"""

import numpy as np

from ks_baselines.darkboard.constants import Constants
from ks_baselines.darkboard.moves import gives_pawn_try
from ks_env.belief.metaposition.boards import king_squares, knight_squares, own_pawn_targets
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.attacks import bishop_attacks, man_attacks, rook_attacks, steps_apart
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f8, i8
from ks_env.core.tables import (
    BISHOP,
    FILE_A,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    RANK_1,
    ROOK,
)

# ---------------------------------------------------------------- ages


DIGITS = 5
GATHER = np.uint64(0x0102040810204080)  # moves the low bits of eight bytes (`FILE_A`) into one byte
TOP = np.uint64(56)


@kernel
def slice_ages(m: Metaposition, planes: np.ndarray) -> None:
    """Write the digits of `m.age` to `planes: u8[5]`."""
    words = m.age.view(np.uint64)
    for digit in range(DIGITS):
        planes[digit] = np.uint64(0)
    for rank in range(8):
        word = words[rank]
        full = (word >> np.uint64(5)) | (word >> np.uint64(6)) | (word >> np.uint64(7))
        for digit in range(DIGITS):
            bits = ((word >> np.uint64(digit)) | full) & FILE_A
            planes[digit] |= ((bits * GATHER) >> TOP) << np.uint64(8 * rank)


@kernel
def sum_ages(planes: np.ndarray, board: np.uint64) -> int:
    """The sum of ages over the board."""
    return (
        popcount(planes[0] & board)
        + (popcount(planes[1] & board) << 1)
        + (popcount(planes[2] & board) << 2)
        + (popcount(planes[3] & board) << 3)
        + (popcount(planes[4] & board) << 4)
    )


# ---------------------------------------------------------------- control


@kernel
def _seen_by(men: np.uint64, kind: int, occupied: np.uint64) -> np.uint64:
    seen = ZERO
    while men != ZERO:
        seen |= man_attacks(kind, lowest(men), occupied)
        men = without_lowest(men)
    return seen


@kernel
def controlled(m: Metaposition, by: np.ndarray) -> np.uint64:
    """Squares controlled by each kind into `by: u8[7]` (entry 0: by any).

    Slides end at men that are certainly there, but for the king: it cannot flee along the line of a check.
    """
    occupied = ~m.ghosts[0] & ~m.ghosts[KING]
    by[PAWN] = own_pawn_targets(m.own[PAWN])
    by[KNIGHT] = knight_squares(m.own[KNIGHT])
    by[BISHOP] = _seen_by(m.own[BISHOP], BISHOP, occupied)
    by[ROOK] = _seen_by(m.own[ROOK], ROOK, occupied)
    by[QUEEN] = _seen_by(m.own[QUEEN], QUEEN, occupied)
    by[KING] = king_squares(m.own[KING])
    by[0] = by[PAWN] | by[KNIGHT] | by[BISHOP] | by[ROOK] | by[QUEEN] | by[KING]
    return by[0]


# ---------------------------------------------------------------- position


@kernel
def advancement(m: Metaposition, c: Constants) -> float:
    """The pawn advancement bonus: each own pawn by its rank."""
    bonus = 0.0
    pawns = m.own[PAWN]
    while pawns != ZERO:
        bonus += c.advancement[lowest(pawns) >> 3]
        pawns = without_lowest(pawns)
    return bonus


@kernel
def queens(m: Metaposition, c: Constants) -> float:
    """The bonus for multiple queens."""
    return c.further_queen * max(0, popcount(m.own[QUEEN]) - 1)


@kernel
def open_files(m: Metaposition, c: Constants) -> float:
    """Own pawns on files where the opponent can have no pawn."""
    bonus = 0.0
    for file in range(8):
        board = FILE_A << np.uint64(file)
        if m.ghosts[PAWN] & board == ZERO and m.own[PAWN] & board != ZERO:
            bonus += c.open_file
    return bonus


@kernel
def gathering(m: Metaposition, c: Constants) -> float:
    """The own men drawn to the own king when few are left."""
    men = m.own[0] & ~m.own[KING]
    if popcount(men) >= c.gathering_men:
        return 0.0
    king = lowest(m.own[KING])
    apart = 0
    while men != ZERO:
        apart += steps_apart(king, lowest(men))
        men = without_lowest(men)
    return -c.gathering * apart


# ---------------------------------------------------------------- information


@kernel
def entropy(m: Metaposition, planes: np.ndarray, c: Constants) -> float:
    """The sum of cost × age / 30 over all ghosts; `planes: u8[5]` is overwritten."""
    slice_ages(m, planes)
    total = 0.0
    for rank in range(8):
        pawns = m.ghosts[PAWN] & (np.uint64(0xFF) << np.uint64(8 * rank))
        if pawns != ZERO:
            total += c.pawn_entropy[rank] * sum_ages(planes, pawns)
    for kind in range(KNIGHT, KING + 1):
        if m.ghosts[kind] != ZERO:
            total += c.entropy[kind] * sum_ages(planes, m.ghosts[kind])
    return total / c.age_scale


# ---------------------------------------------------------------- mate progress


def _centrality() -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """f8[64]: 0 at the corners, 6 in the centre, by steps from the nearest edges."""
    steps = np.minimum(np.arange(8), 7 - np.arange(8))
    return (steps[:, None] + steps[None, :]).reshape(64).astype(np.float64)


CENTRALITY = _centrality()


@kernel
def on_one_line(board: np.uint64) -> bool:
    """Whether all its squares are on one rank or file."""
    first = lowest(board)
    rank = RANK_1 << np.uint64(first & 56)
    file = FILE_A << np.uint64(first & 7)
    return board & ~rank == ZERO or board & ~file == ZERO


@kernel
def king_progress(kings: np.uint64, c: Constants) -> float:
    """How far the opponent's king is driven to the edge: fewer and less central squares are better."""
    if kings == ZERO:
        return 0.0
    central = 0.0
    board = kings
    while board != ZERO:
        central += 1.0 + CENTRALITY[lowest(board)]
        board = without_lowest(board)
    if on_one_line(kings):
        central *= c.one_line
    return -c.centrality * central


@kernel
def is_mating(m: Metaposition, c: Constants) -> bool:
    """Whether the program is considering mate: the opponent has few men, and not more than we."""
    return m.most[0] < c.mating_men and m.most[0] <= popcount(m.own[0])


@kernel
def mated_squares(kings: np.uint64, control: np.uint64, own: np.uint64) -> np.uint64:
    """King squares without a flight: attacked ones are mate, the others stalemate."""
    stuck = ZERO
    while kings != ZERO:
        square = lowest(kings)
        kings = without_lowest(kings)
        if KING_MOVES[square] & ~control == ZERO:
            stuck |= bit(square)
    return stuck & ~own


@kernel
def left_to_the_king(m: Metaposition, control: np.uint64) -> bool:
    """Whether its king may capture a man that nothing protects."""
    loose = m.own[0] & ~control
    return loose & king_squares(m.ghosts[6]) != ZERO


@kernel
def ending(m: Metaposition, before: np.uint64, control: np.uint64, depth: int, c: Constants) -> float:
    """A possible mate, the risk of stalemate, a man left to the king; for when the opponent has few men.

    Args:
        m: METAPOSITION after the own move.
        before: where the king may have stood, before the answer to that move was assumed.
        control: squares controlled by the own men.
        depth: own moves from the root, 0 for the first.
    """
    worth = 0.0
    stuck = mated_squares(before & ~m.own[0], control, m.own[0])
    if stuck & control != ZERO:
        worth += c.mate - c.mate_delay * depth
    if stuck & ~control != ZERO:
        worth += c.stalemate
    if left_to_the_king(m, control):
        worth += c.feeding
    return worth


# ---------------------------------------------------------------- safety


@kernel
def attackers(m: Metaposition, square: int, protected: bool) -> np.uint64:
    """Squares from which the opponent may capture there; its king captures no protected man."""
    occupied = ~m.ghosts[0]
    found = rook_attacks(square, occupied) & (m.ghosts[ROOK] | m.ghosts[QUEEN])
    found |= bishop_attacks(square, occupied) & (m.ghosts[BISHOP] | m.ghosts[QUEEN])
    found |= KNIGHT_MOVES[square] & m.ghosts[KNIGHT]
    found |= PAWN_ATTACKS[0, square] & m.ghosts[PAWN]
    if not protected:
        found |= KING_MOVES[square] & m.ghosts[KING]
    return found


@kernel
def least_protector(by: np.ndarray, square: int) -> int:
    """Kind of the least valuable man that protects the square, 0 for none."""
    for kind in range(1, 7):
        if has(by[kind], square):
            return kind
    return 0


@kernel
def safety(
    m: Metaposition, square: int, moved: bool, by: np.ndarray, planes: np.ndarray, total: int, c: Constants
) -> float:
    """Safety of the own man on the square, in [0, 1].

    Args:
        square: where it stands.
        moved: whether it has just moved.
        by: u8[7], `controlled`.
        planes: u8[5], `slice_ages`.
        total: sum of all ages.
    """
    protector = least_protector(by, square)
    from_where = attackers(m, square, protector != 0)
    if from_where == ZERO:
        return 1.0
    danger = sum_ages(planes, from_where) / max(1.0, f8(total))
    if moved:
        danger *= c.moved_danger
        if gives_pawn_try(m, square):
            danger = max(danger, c.pawn_try_danger)
    if protector == 0:
        danger = max(danger, c.bare_danger)
    else:
        danger -= c.protection[protector]
    return 1.0 - min(1.0, max(0.0, danger))


@kernel
def can_be_retaken(m: Metaposition, square: int, by: np.ndarray) -> bool:
    """Whether the opponent may capture there."""
    return attackers(m, square, has(by[0], square)) != ZERO


@kernel
def can_mate(m: Metaposition) -> bool:
    """Whether the own men suffice to mate a bare king: a queen, a rook, two bishops, bishop and knight."""
    if m.own[QUEEN] | m.own[ROOK] != ZERO:
        return True
    bishops, knights = popcount(m.own[BISHOP]), popcount(m.own[KNIGHT])
    return bishops >= 2 or (bishops >= 1 and knights >= 1)


@kernel
def man_value(m: Metaposition, kind: int, c: Constants) -> float:
    """Material of one own man; pawns are worth more when mating material is lacking.

    See Ciancarini and Favini (2007, §4.2).
    """
    value = c.material[kind]
    if kind == PAWN and not can_mate(m):
        value *= c.needed_pawn
    return value


@kernel
def safe_material(
    m: Metaposition, moved: int, captured: int, by: np.ndarray, planes: np.ndarray, total: int, c: Constants
) -> float:
    """Own material, each man by its safety; 0 for a man that has captured and can be retaken.

    `moved` is the square of the man that has just moved, `captured` what it captured.
    """
    worth = 0.0
    for kind in range(1, KING + 1):
        value = man_value(m, kind, c)
        men = m.own[kind]
        while men != ZERO:
            square = lowest(men)
            men = without_lowest(men)
            if square == moved and captured != 0 and can_be_retaken(m, square, by):
                continue
            worth += value * safety(m, square, square == moved, by, planes, total, c)
    return worth


@kernel
def enemy_left(m: Metaposition, c: Constants) -> float:
    """What the opponent has left: pawns and pieces, as far as announced captures tell."""
    men = i8(m.most[0]) - 1
    pawns = min(men, i8(m.most[PAWN]))
    return c.enemy_pawn * pawns + c.enemy_piece * (men - pawns)
