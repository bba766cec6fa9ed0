"""How the opponent's men move, unseen or capturing.

See Ciancarini and Favini (2010, §5.2, the second set of assumptions).

All men move about equally often: with k1 pawns and k2 pieces each is the one that moves with chance
1 / (k1 + k2 + 1). The king walks at random over the squares it may enter, pawns are one-way Markov chains,
and pieces spread along lines (Fig. 7): "Whenever a group of two or more empty squares is found, the program
runs a fast random walk update over those squares", with c2 = 1 / (k - 1) for k squares.

Of Fig. 7 only the caption survives. Reading: all four families of lines are swept; a group ends at own men;
c1 is the share of a piece's moves along one family, 5/28 each (of seven pieces two rooks and the queen move
along ranks, half of a rook's moves and a quarter of the queen's), and knights jump with 2/7. A square
attracts men in proportion to the chance that it is empty times `drift`, Ciancarini and Favini's (2010)
function f.
"""

import numpy as np

from ks_env.belief.location.answers import (
    KNIGHT_SHARE,
    LINE_SHARE,
    RAYS,
    chance_empty,
    king_control,
    pawn_control,
    piece_control,
)
from ks_env.belief.location.layout import KINGS, LEAST, NONE, ONE, PAWNS, PIECES, mass_on
from ks_env.core.bits import ZERO, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS, STEPS, ray

ROOM = f4(0.02)  # least attraction of a square that is certainly occupied by another man
FAMILY_SHARE = f4(5.0 / 28.0)
JUMP_SHARE = f4(2.0 / 7.0)
DOUBLE_STEPS = f4(0.5)  # share of double steps among those of a pawn that may make one

EAGER = f4(10.0)  # a pawn's capture was announced to it, so that it is likelier than a piece's


def _lines() -> "np.ndarray[tuple[int, int], np.dtype[np.int8]]":
    """i1[42, 8]: squares of every line of at least two, -1 after the last."""
    lines = [[s, *ray(s, f, r)] for f, r in STEPS for s in range(64) if not ray(s, -f, -r)]
    return np.array([line + [-1] * (8 - len(line)) for line in lines if len(line) > 1], np.int8)


LINES_OF_BOARD = _lines()


@kernel
def spread_group(
    line: np.ndarray,
    first: int,
    end: int,
    rate: float,
    old: np.ndarray,
    pull: np.ndarray,
    new: np.ndarray,
) -> None:
    """One group of squares: each piece on it leaves with chance `rate` for another square of it."""
    whole = NONE
    for i in range(first, end):
        whole += pull[line[i]]
    sent = NONE
    for i in range(first, end):
        others = whole - pull[line[i]]
        if others > LEAST:
            sent += old[line[i]] / others
    for i in range(first, end):
        square = line[i]
        others = whole - pull[square]
        if others > LEAST:
            new[square] += rate * (pull[square] * (sent - old[square] / others) - old[square])
        else:
            new[square] += rate * pull[square] * sent


@kernel
def spread_pieces(old: np.ndarray, own: np.uint64, rate: float, pull: np.ndarray, new: np.ndarray) -> None:
    """Pieces move along lines (Fig. 7) and jump as knights.

    Args:
        old: f4[64], the matrix.
        own: own men: squares that end a group.
        rate: chance that a given piece moves.
        pull: f4[64], attraction of the squares.
        new: f4[64], overwritten.
    """
    for square in range(64):
        new[square] = old[square]
    for i in range(LINES_OF_BOARD.shape[0]):
        line = LINES_OF_BOARD[i]
        first = 0
        for place in range(9):
            ends = place == 8 or line[place] < 0
            if ends or has(own, line[place]):
                if place - first >= 2:
                    spread_group(line, first, place, rate * FAMILY_SHARE, old, pull, new)
                first = place + 1
            if ends:
                break
    for square in range(64):
        if old[square] > LEAST:
            _jump(old[square] * rate * JUMP_SHARE, KNIGHT_MOVES[square] & ~own, square, pull, new)


@kernel
def _jump(mass: float, targets: np.uint64, square: int, pull: np.ndarray, new: np.ndarray) -> None:
    """Move some mass from a square to the targets, by attraction."""
    whole = NONE
    rest = targets
    while rest != ZERO:
        whole += pull[lowest(rest)]
        rest = without_lowest(rest)
    if whole <= LEAST:
        return
    new[square] -= mass
    while targets != ZERO:
        there = lowest(targets)
        targets = without_lowest(targets)
        new[there] += mass * pull[there] / whole


@kernel
def walk_king(old: np.ndarray, permitted: np.uint64, rate: float, pull: np.ndarray, new: np.ndarray) -> None:
    """The king's random walk over the permitted squares: P(t + 1) = (1 - rate) P(t) + rate Σ f P(t)."""
    for square in range(64):
        new[square] = old[square]
    for square in range(64):
        if old[square] > LEAST:
            _jump(old[square] * rate, KING_MOVES[square] & permitted, square, pull, new)


@kernel
def walk_pawns(old: np.ndarray, own: np.uint64, rate: float, empty: np.ndarray, new: np.ndarray) -> float:
    """Pawns as one-way Markov chains: down a square, or two from home; the mass that promotes.

    A pawn moves with chance `rate` times the chance that the square before it is empty.
    """
    for square in range(64):
        new[square] = old[square]
    promoted = NONE
    for square in range(8, 64):
        if old[square] <= LEAST:
            continue
        ahead = square - 8
        moves = old[square] * rate * empty[ahead]
        if has(own, ahead) or moves <= NONE:
            continue
        new[square] -= moves
        double = NONE
        if square >= 48 and not has(own, square - 16):
            double = moves * DOUBLE_STEPS * empty[square - 16]
            new[square - 16] += double
        if ahead < 8:
            promoted += moves
        new[ahead] += moves - double
    return promoted


@kernel
def attraction(empty: np.ndarray, drift: np.ndarray, out: np.ndarray) -> None:
    """What draws men to each square: the chance that it is empty, times the profile's f."""
    for square in range(64):
        out[square] = max(ROOM, empty[square]) * drift[square]


@kernel
def silent_turn(
    maps: np.ndarray,
    left: np.ndarray,
    own: np.uint64,
    permitted: np.uint64,
    king: float,
    pawn: float,
    piece: float,
    drift: np.ndarray,
    scratch: np.ndarray,
) -> None:
    """One silent turn of the opponent, before the metaposition's masks.

    Args:
        maps: f4[3, 64], in place.
        left: f4[3], expected men; promotions move mass from pawns to pieces.
        own: own men.
        permitted: squares the king may enter.
        king: chance that the king moves.
        pawn: chance that a given pawn moves.
        piece: chance that a given piece moves.
        drift: f4[3, 64], f of the king, pawns and pieces; 1 for no preference.
        scratch: f4[3, 64], overwritten.
    """
    empty, pull, new = scratch[0], scratch[1], scratch[2]
    chance_empty(maps, own, empty)
    attraction(empty, drift[KINGS], pull)
    walk_king(maps[KINGS], permitted, min(ONE, king), pull, new)
    for square in range(64):
        maps[KINGS, square] = new[square]
    attraction(empty, drift[PIECES], pull)
    spread_pieces(maps[PIECES], own, min(ONE, piece), pull, new)
    for square in range(64):
        maps[PIECES, square] = max(NONE, new[square])
    promoted = walk_pawns(maps[PAWNS], own, min(ONE, pawn), empty, new)
    for square in range(64):
        maps[PAWNS, square] = new[square]
    if promoted > NONE:
        for square in range(8):
            maps[PIECES, square] += maps[PAWNS, square]
            maps[PAWNS, square] = NONE
        left[PAWNS] = max(NONE, left[PAWNS] - promoted)
        left[PIECES] += promoted


@kernel
def capturer(maps: np.ndarray, empty: np.ndarray, square: int, pawns: bool, out: np.ndarray) -> None:
    """Chances that king, a pawn, a piece has captured on the square, into `out: f4[3]`; they add up to 1.

    In proportion to each sort's part of Prob_control.

    Args:
        maps: f4[3, 64] before the capture.
        empty: f4[64].
        square: where the captured man stood.
        pawns: whether the opponent may have had pawn captures.
        out: f4[3], overwritten.
    """
    out[KINGS] = king_control(maps, square) * f4(0.5)
    out[PAWNS] = EAGER * pawn_control(maps, square) if pawns else NONE
    out[PIECES] = piece_control(maps, empty, square)
    total = out[0] + out[1] + out[2]
    if total < LEAST:
        out[PIECES] = ONE
        total = out[0] + out[1] + out[2]
    for sort in range(3):
        out[sort] /= total


@kernel
def _leave(maps: np.ndarray, sort: int, board: np.uint64, mass: float) -> None:
    """Take mass of a sort off some squares, in proportion to what stands there."""
    total = mass_on(maps, sort, board)
    if total < LEAST:
        return
    share = min(ONE, mass / total)
    while board != ZERO:
        square = lowest(board)
        board = without_lowest(board)
        maps[sort, square] -= share * maps[sort, square]


@kernel
def _pieces_leave(maps: np.ndarray, empty: np.ndarray, square: int, mass: float) -> None:
    """Take mass off the squares from which a piece may have captured, by how probable each is."""
    row = maps[PIECES]
    total = piece_control(maps, empty, square)
    if total < LEAST:
        return
    share = min(ONE, mass / total)
    for direction in range(8):
        free = ONE
        for place in range(7):
            there = i8(RAYS[square, direction, place])
            if there < 0 or free == NONE:
                break
            row[there] -= min(ONE, share * LINE_SHARE * free) * row[there]
            free *= empty[there]
    jumps = KNIGHT_MOVES[square]
    while jumps != ZERO:
        there = lowest(jumps)
        jumps = without_lowest(jumps)
        row[there] -= share * KNIGHT_SHARE * row[there]


@kernel
def man_captures(maps: np.ndarray, empty: np.ndarray, square: int, who: np.ndarray) -> None:
    """Move the capturing man to the square, each sort with its chance.

    Args:
        maps: f4[3, 64], in place.
        empty: f4[64] before the capture.
        square: where it stands now.
        who: f4[3], `capturer`.
    """
    _leave(maps, KINGS, KING_MOVES[square], who[KINGS])
    _leave(maps, PAWNS, PAWN_ATTACKS[0, square], who[PAWNS])
    _pieces_leave(maps, empty, square, who[PIECES])
    for sort in range(3):
        maps[sort, square] = who[sort]


@kernel
def pawn_passes(maps: np.ndarray, captured: int) -> None:
    """A pawn has captured the own pawn on `captured` en passant."""
    landed = captured - 8
    _leave(maps, PAWNS, PAWN_ATTACKS[0, landed], ONE)
    maps[PAWNS, landed] = ONE
