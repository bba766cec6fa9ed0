"""A silent turn of the opponent: where its men may have gone (T10 §5.2, the second set of assumptions).

All men move about equally often: with k1 pawns and k2 pieces each is the one that moves with chance
1 / (k1 + k2 + 1). The king walks at random over the squares it may enter, pawns are one-way Markov chains,
and pieces spread along lines (Fig. 7): "Whenever a group of two or more empty squares is found, the program
runs a fast random walk update over those squares", with c2 = 1 / (k - 1) for k squares.

Of Fig. 7 only the caption survives. Reading: all four families of lines are swept; a group ends at own men;
c1 is the share of a piece's moves along one family, 5/28 each (of seven pieces two rooks and the queen move
along ranks, half of a rook's moves and a quarter of the queen's), and knights jump with 2/7. A square
attracts men in proportion to the chance that it is empty times `drift`, T10's function f.
"""

import numpy as np

from ks_env.belief.location.layout import KINGS, PAWNS, PIECES
from ks_env.core.bits import ZERO, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4
from ks_env.core.tables import KING_MOVES, KNIGHT_MOVES

ONE = f4(1.0)
NONE = f4(0.0)
LEAST = f4(1e-6)
ROOM = f4(0.02)  # least attraction of a square that is certainly occupied by another man
FAMILY_SHARE = f4(5.0 / 28.0)
JUMP_SHARE = f4(2.0 / 7.0)
DOUBLE_STEPS = f4(0.5)  # share of double steps among those of a pawn that may make one


def _lines() -> "np.ndarray[tuple[int, int], np.dtype[np.int8]]":
    """i1[42, 8]: squares of every line of at least two, -1 after the last."""
    rows = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for square in range(64):
            x, y = square & 7, square >> 3
            if 0 <= x - dx < 8 and 0 <= y - dy < 8:
                continue
            line = []
            while 0 <= x < 8 and 0 <= y < 8:
                line.append(8 * y + x)
                x, y = x + dx, y + dy
            if len(line) > 1:
                rows.append(line + [-1] * (8 - len(line)))
    return np.array(rows, np.int8)


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
    for square in range(64):
        total = maps[0, square] + maps[1, square] + maps[2, square]
        empty[square] = NONE if has(own, square) else max(NONE, ONE - total)
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
