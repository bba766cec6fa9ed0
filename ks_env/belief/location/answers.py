"""How probable the referee's answers to a try are (T10 §5.2, the first set of assumptions)."""

import numpy as np

from ks_env.belief.location.control import LINE_SHARE, chance_empty, control, pieces_along
from ks_env.belief.location.layout import KINGS, PAWNS, PIECES
from ks_env.belief.metaposition.checks import line_between
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.own_move import kind_at
from ks_env.core.attacks import line_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    KING,
    KNIGHT,
    KNIGHT_MOVES,
    LINES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    THROUGH,
    TRY_FROM,
    TRY_TO,
)

ONE = f4(1.0)
NONE = f4(0.0)


@kernel
def chance_free(empty: np.ndarray, squares: np.uint64) -> float:
    """Chance that all of the squares are empty, each on its own."""
    chance = ONE
    while squares != ZERO:
        chance *= empty[lowest(squares)]
        squares = without_lowest(squares)
    return chance


@kernel
def chance_free_of_others(maps: np.ndarray, own: np.uint64, squares: np.uint64) -> float:
    """Chance that no man but the opponent's king stands on the squares, for checks of that king."""
    if squares & own != ZERO:
        return NONE
    chance = ONE
    while squares != ZERO:
        square = lowest(squares)
        chance *= max(NONE, ONE - maps[PAWNS, square] - maps[PIECES, square])
        squares = without_lowest(squares)
    return chance


@kernel
def chance_pinned(known: Metaposition, maps: np.ndarray, empty: np.ndarray, start: int, end: int) -> float:
    """Prob_pin: chance that the try leaves the own king in check, though the way is free.

    T10 takes Prob_control of the man's square where it protects the king. Here that is made sharper: only
    pieces beyond it on the line to the king count, and no pin holds a man that stays on that line.
    """
    king = lowest(known.own[KING])
    if start == king:
        return min(ONE, control(maps, empty, end))
    line = line_between(king, start)
    if line < 0 or has(LINES[king, line], end) or BETWEEN[king, start] & known.own[0] != ZERO:
        return NONE
    free = chance_free(empty, BETWEEN[king, start])
    direction = 2 * line + (0 if start > king else 1)
    return min(ONE, free * LINE_SHARE * pieces_along(maps, empty, start, direction))


@kernel
def way_of(known: Metaposition, start: int, end: int) -> np.uint64:
    """Squares that have to be empty for a try: those between, and the end of a straight pawn move."""
    way = BETWEEN[start, end]
    if has(known.own[PAWN], start) and (start ^ end) & 7 == 0:
        way |= bit(end)
    return way


@kernel
def is_pawn_capture(known: Metaposition, start: int, end: int) -> bool:
    """Whether an own pawn would capture by the try."""
    return has(known.own[PAWN], start) and (start ^ end) & 7 != 0


@kernel
def chance_legal(known: Metaposition, maps: np.ndarray, empty: np.ndarray, start: int, end: int) -> float:
    """Prob_legal (T10 §5.2): the way is free and the man not pinned.

    T10 says nothing of pawn captures: a man has to be there.

    Args:
        known: METAPOSITION.
        maps: f4[3, 64].
        empty: f4[64], `control.chance_empty`.
        start: square of an own man.
        end: where it goes; the king's two-square move is castling.
    """
    stays = ONE - chance_pinned(known, maps, empty, start, end)
    if is_pawn_capture(known, start, end):
        return min(ONE, maps[PAWNS, end] + maps[PIECES, end]) * stays
    free = chance_free(empty, way_of(known, start, end))
    if start == lowest(known.own[KING]) and (start - end == 2 or end - start == 2):
        free *= empty[end] * (ONE - min(ONE, control(maps, empty, (start + end) >> 1)))
    return free * stays


@kernel
def chance_capture(maps: np.ndarray, end: int) -> tuple[np.float32, np.float32]:
    """Chances that a legal move captures a pawn there, or a piece: the matrices' entries (T10 §5.2)."""
    return maps[PAWNS, end], maps[PIECES, end]


@kernel
def slides_along(kind: int, line: int) -> bool:
    """Whether a man of the kind moves along lines of the number (0 rank, 1 file, 2 and 3 diagonals)."""
    return kind == QUEEN or (kind == ROOK and line < 2) or (kind == BISHOP and line >= 2)


@kernel
def line_check(own: np.uint64, maps: np.ndarray, start: int, end: int, line: int) -> float:
    """Chance that a slider on `end`, having come from `start`, checks along one line."""
    seen = line_attacks(end, line, own & ~bit(start)) & ~own
    chance = NONE
    while seen != ZERO:
        square = lowest(seen)
        seen = without_lowest(seen)
        way = BETWEEN[end, square] & ~bit(start)
        chance += maps[KINGS, square] * chance_free_of_others(maps, own, way)
    return chance


@kernel
def chance_check(known: Metaposition, maps: np.ndarray, start: int, end: int) -> float:
    """Chance that a legal move gives check (T10 §5.2): the king's matrix over the squares threatened.

    The "damping coefficient c2" is the chance that the way is free. Discovered checks count, too.
    """
    kind = kind_at(known, start)
    own = known.own[0]
    chance = NONE
    if kind == KNIGHT or kind == PAWN:
        board = KNIGHT_MOVES[end] if kind == KNIGHT else PAWN_ATTACKS[0, end]
        while board != ZERO:
            chance += maps[KINGS, lowest(board)]
            board = without_lowest(board)
    else:
        for line in range(4):
            if slides_along(kind, line):
                chance += line_check(own, maps, start, end, line)
    return min(ONE, chance + discovered(known, maps, start, end))


@kernel
def discovered(known: Metaposition, maps: np.ndarray, start: int, end: int) -> float:
    """Chance of a check by an own slider behind the man that leaves `start`."""
    chance = NONE
    for line in range(4):
        men = known.own[QUEEN] | (known.own[ROOK] if line < 2 else known.own[BISHOP])
        behind = men & line_attacks(start, line, known.own[0])
        while behind != ZERO:
            slider = lowest(behind)
            behind = without_lowest(behind)
            if has(LINES[slider, line], end):
                continue
            beyond = THROUGH[slider, start] & line_attacks(start, line, known.own[0])
            while beyond != ZERO:
                square = lowest(beyond)
                beyond = without_lowest(beyond)
                way = BETWEEN[slider, square] & ~bit(start)
                chance += maps[KINGS, square] * chance_free_of_others(maps, known.own[0], way)
    return chance


@kernel
def answers_to_tries(
    known: Metaposition, maps: np.ndarray, tries: np.ndarray, n: int, empty: np.ndarray, out: np.ndarray
) -> None:
    """Chances that each try is legal, and that it captures or checks if it is.

    Args:
        known: METAPOSITION.
        maps: f4[3, 64].
        tries: i2[N], tries other than "any?".
        n: how many of them.
        empty: f4[64], overwritten.
        out: f4[N, 3], overwritten: legal, captures, checks.
    """
    chance_empty(maps, known.own[0], empty)
    for i in range(n):
        start, end = i8(TRY_FROM[tries[i]]), i8(TRY_TO[tries[i]])
        pawn, piece = chance_capture(maps, end)
        out[i, 0] = chance_legal(known, maps, empty, start, end)
        out[i, 1] = pawn + piece
        out[i, 2] = chance_check(known, maps, start, end)
