"""How probable the referee's answers to a try are.

See Ciancarini and Favini (2010, §5.2, the first set of assumptions).

They rest on how the opponent controls squares: Prob_control.
"""

import numpy as np

from ks_env.belief.location.layout import KINGS, NONE, ONE, PAWNS, PIECES, mass_on
from ks_env.belief.metaposition.announcements import line_between, own_sliders, slides_along
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.own_move import kind_at
from ks_env.core.attacks import line_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import (
    BETWEEN,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    LINES,
    PAWN,
    PAWN_ATTACKS,
    THROUGH,
    TRY_FROM,
    TRY_TO,
    ray,
)

LINE_SHARE = f4(3.0 / 7.0)  # c1: queen and rooks of seven pieces, or queen and bishops
KNIGHT_SHARE = f4(2.0 / 7.0)  # "the only exception is the knight check, which only two can perform"


def _rays() -> "np.ndarray[tuple[int, int, int], np.dtype[np.int8]]":
    """i1[64, 8, 8]: squares from each one outwards in each direction, -1 after the last.

    Directions 2i and 2i + 1 run up and down line i (0 rank, 1 file, 2 rising, 3 falling).
    """
    table = np.full((64, 8, 8), -1, np.int8)
    for square in range(64):
        for i, (file, rank) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
            for down in (0, 1):
                squares = ray(square, -file, -rank) if down else ray(square, file, rank)
                table[square, 2 * i + down, : len(squares)] = squares
    return table


RAYS = _rays()


@kernel
def chance_empty(maps: np.ndarray, own: np.uint64, out: np.ndarray) -> None:
    """Chance that each square is empty of any man, into `out: f4[64]`."""
    for square in range(64):
        total = maps[0, square] + maps[1, square] + maps[2, square]
        out[square] = NONE if has(own, square) else max(NONE, ONE - total)


@kernel
def pieces_along(maps: np.ndarray, empty: np.ndarray, square: int, direction: int) -> float:
    """Expected pieces that see the square from one direction: c2 is the chance that the way is free.

    So it "decreases as the distance increases", and "enemy pieces covering each other are accounted for".
    """
    number, free = NONE, ONE
    for place in range(7):
        there = i8(RAYS[square, direction, place])
        if there < 0 or free == NONE:
            break
        number += free * maps[PIECES, there]
        free *= empty[there]
    return number


@kernel
def piece_control(maps: np.ndarray, empty: np.ndarray, square: int) -> float:
    """The share of pieces in Prob_control."""
    number = NONE
    for direction in range(8):
        number += pieces_along(maps, empty, square, direction)
    number *= LINE_SHARE
    jumps = KNIGHT_MOVES[square]
    while jumps != ZERO:
        number += KNIGHT_SHARE * maps[PIECES, lowest(jumps)]
        jumps = without_lowest(jumps)
    return number


@kernel
def pawn_control(maps: np.ndarray, square: int) -> float:
    """The share of pawns in Prob_control: those diagonally above the square."""
    return mass_on(maps, PAWNS, PAWN_ATTACKS[0, square])


@kernel
def king_control(maps: np.ndarray, square: int) -> float:
    """The share of the king in Prob_control."""
    return mass_on(maps, KINGS, KING_MOVES[square])


@kernel
def control(maps: np.ndarray, empty: np.ndarray, square: int) -> float:
    """Prob_control: expected number of the opponent's men that control the square; may exceed 1.

    See Ciancarini and Favini (2010, §5.2).

    Args:
        maps: f4[3, 64].
        empty: f4[64], `chance_empty`.
        square: in the seat's frame.
    """
    return king_control(maps, square) + pawn_control(maps, square) + piece_control(maps, empty, square)


@kernel
def _sweep(
    pieces: np.ndarray, empty: np.ndarray, rank_step: int, file_step: int, flow: np.ndarray, out: np.ndarray
) -> None:
    """Add to `out` the pieces that see each square along one direction, as `pieces_along` counts them.

    The number that looks on from a square is that standing there, and that behind it if the square is empty.
    """
    for i in range(8):
        rank = i if rank_step >= 0 else 7 - i
        for j in range(8):
            file = j if file_step >= 0 else 7 - j
            x, y = file - file_step, rank - rank_step
            square = 8 * rank + file
            if x < 0 or x > 7 or y < 0 or y > 7:
                flow[square] = NONE
                continue
            behind = 8 * y + x
            flow[square] = pieces[behind] + empty[behind] * flow[behind]
            out[square] += flow[square]


@kernel
def control_map(maps: np.ndarray, own: np.uint64, empty: np.ndarray, out: np.ndarray) -> None:
    """Prob_control of all squares at once, in sweeps over the board.

    Args:
        maps: f4[3, 64].
        own: own men.
        empty: f4[64], overwritten by `chance_empty`.
        out: f4[2, 64], overwritten: Prob_control, and the part of it that is pieces.
    """
    chance_empty(maps, own, empty)
    flow, pieces = out[0], out[1]
    for square in range(64):
        pieces[square] = NONE
    for rank_step in range(-1, 2):
        for file_step in range(-1, 2):
            if rank_step != 0 or file_step != 0:
                _sweep(maps[PIECES], empty, rank_step, file_step, flow, pieces)
    for square in range(64):
        pieces[square] *= LINE_SHARE
    for square in range(64):
        jumps = KNIGHT_SHARE * maps[PIECES, square]
        if jumps > NONE:
            targets = KNIGHT_MOVES[square]
            while targets != ZERO:
                pieces[lowest(targets)] += jumps
                targets = without_lowest(targets)
    for square in range(64):
        out[0, square] = pieces[square] + pawn_control(maps, square)
    for square in range(64):
        if maps[KINGS, square] > NONE:
            targets = KING_MOVES[square]
            while targets != ZERO:
                out[0, lowest(targets)] += maps[KINGS, square]
                targets = without_lowest(targets)


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

    Ciancarini and Favini (2010) take Prob_control of the man's square where it protects the king. Here that
    is made sharper: only pieces beyond it on the line to the king count, and no pin holds a man that stays on
    that line.
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
    """Prob_legal (Ciancarini and Favini 2010, §5.2): the way is free and the man not pinned.

    Ciancarini and Favini (2010) say nothing of pawn captures: a man has to be there.

    Args:
        maps: f4[3, 64].
        empty: f4[64], `chance_empty`.
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
    """Chances that a legal move captures a pawn there, or a piece: the matrices' entries.

    See Ciancarini and Favini (2010, §5.2).
    """
    return maps[PAWNS, end], maps[PIECES, end]


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
    """Chance that a legal move gives check: the king's matrix over the squares threatened.

    See Ciancarini and Favini (2010, §5.2).

    The "damping coefficient c2" is the chance that the way is free. Discovered checks count, too.
    """
    kind = kind_at(known, start)
    own = known.own[0]
    chance = NONE
    if kind == KNIGHT or kind == PAWN:
        chance = mass_on(maps, KINGS, KNIGHT_MOVES[end] if kind == KNIGHT else PAWN_ATTACKS[0, end])
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
        behind = own_sliders(known, line) & line_attacks(start, line, known.own[0])
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
        maps: f4[3, 64].
        tries: i2[N], tries other than "any?".
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
