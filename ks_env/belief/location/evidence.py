"""What an announcement says of squares on which it does not settle: Bayes' rule, square by square.

Ciancarini and Favini (2010, §5.2) fix what happens to squares found empty or occupied. Announcements that
concern several squares (checks, numbers of pawn tries, refusals) are taken in here: each entry is multiplied
by how probable the announcement is if a man stands there. The matrices are normalised afterwards
(`layout.normalise`).
"""

import numpy as np

from ks_env.belief.location.answers import LINE_SHARE, chance_empty, chance_free, way_of
from ks_env.belief.location.layout import KINGS, NONE, ONE, PAWNS, PIECES, mass_on
from ks_env.belief.metaposition.announcements import may_be_pinned, slides_along
from ks_env.belief.metaposition.boards import own_pawn_targets, pawn_origins
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.own_move import kind_at
from ks_env.core.answers import LEAP
from ks_env.core.attacks import line_attacks
from ks_env.core.bits import ZERO, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4
from ks_env.core.tables import BETWEEN, CHECK_OF_LINE, KING, KNIGHT, KNIGHT_MOVES, LINES, PAWN, PAWN_ATTACKS

LEAST = f4(1e-4)


@kernel
def line_attack(known: Metaposition, empty: np.ndarray, square: int, line: int) -> float:
    """Chance that some own slider attacks the square along a line."""
    closed = ONE
    seen = line_attacks(square, line, known.own[0]) & known.own[0]
    while seen != ZERO:
        man = lowest(seen)
        seen = without_lowest(seen)
        if slides_along(kind_at(known, man), line):
            closed *= ONE - chance_free(empty, BETWEEN[man, square])
    return ONE - closed


@kernel
def check_chance(known: Metaposition, empty: np.ndarray, king: int, gave: int) -> float:
    """Chance that the checks announced after an own move are given to a king on the square.

    Args:
        known: METAPOSITION after the move.
        empty: f4[64].
        king: square.
        gave: check types as bits; 0 for silence.
    """
    knight = KNIGHT_MOVES[king] & known.own[KNIGHT] != ZERO
    if knight != (gave & LEAP != 0):
        return NONE
    chance = ONE
    for line in range(4):
        attack = line_attack(known, empty, king, line)
        if PAWN_ATTACKS[1, king] & known.own[PAWN] & LINES[king, line] != ZERO:
            attack = ONE
        chance *= attack if CHECK_OF_LINE[king, line] & gave else ONE - attack
    return chance


@kernel
def king_by_checks(known: Metaposition, maps: np.ndarray, empty: np.ndarray, gave: int) -> None:
    """The king's matrix by the checks that the own move gave, or did not give.

    `empty: f4[64]` is overwritten by the chance that no man but the king stands there.
    """
    chance_empty(maps, known.own[0], empty)
    for square in range(64):
        if not has(known.own[0], square):
            empty[square] = min(ONE, empty[square] + maps[KINGS, square])
    for square in range(64):
        if maps[KINGS, square] > NONE:
            maps[KINGS, square] *= max(LEAST, check_chance(known, empty, square, gave))


@kernel
def bring_to(maps: np.ndarray, sort: int, board: np.uint64, wanted: float) -> None:
    """Scale a matrix on some squares so that it adds up to `wanted` there, at most 1 a square."""
    total = mass_on(maps, sort, board)
    if total < LEAST:
        return
    factor = wanted / total
    while board != ZERO:
        square = lowest(board)
        board = without_lowest(board)
        maps[sort, square] = min(ONE, maps[sort, square] * factor)


@kernel
def opponent_has_tries(known: Metaposition, maps: np.ndarray, tries: int) -> None:
    """The opponent was told of so many pawn tries: so many of its pawns attack own men, about."""
    targets = known.own[0] & ~known.own[KING]
    bring_to(maps, PAWNS, pawn_origins(targets), f4(tries))


@kernel
def own_tries(known: Metaposition, maps: np.ndarray, tries: int, exact: bool) -> None:
    """So many own pawn captures are legal: so many men stand where own pawns attack, about.

    If the number is not exact there may be more: chances are raised, and never lowered.
    """
    board = own_pawn_targets(known.own[PAWN])
    total = NONE
    rest = board
    while rest != ZERO:
        square = lowest(rest)
        rest = without_lowest(rest)
        total += maps[PAWNS, square] + maps[PIECES, square]
    if total < LEAST:
        return
    factor = f4(tries) / total
    if not exact:
        factor = max(ONE, factor)
    while board != ZERO:
        square = lowest(board)
        board = without_lowest(board)
        here = maps[PAWNS, square] + maps[PIECES, square]
        if here > NONE:
            wanted = min(ONE, here * factor)
            maps[PAWNS, square] *= wanted / here
            maps[PIECES, square] *= wanted / here


@kernel
def own_king_by_checks(
    known: Metaposition, maps: np.ndarray, empty: np.ndarray, checks: int, before: np.ndarray
) -> None:
    """Pieces and pawns by the checks against the own king: one on each announced line, none on the others.

    A silent line is evidence only about men that moved onto it in this turn; what stood there before gave
    no check then either.

    Args:
        maps: f4[3, 64], in place.
        empty: f4[64].
        checks: check types announced, as bits.
        before: f4[64], the pieces' matrix before the turn.
    """
    king = lowest(known.own[KING])
    for line in range(4):
        checked = CHECK_OF_LINE[king, line] & checks != 0
        seen = line_attacks(king, line, known.own[0]) & ~known.own[0]
        if not checked:
            _not_from(maps, empty, king, seen, before)
            continue
        if line >= 2:
            pawns = PAWN_ATTACKS[0, king] & seen
            _from_one_of(maps, empty, king, seen, pawns)
        else:
            _from_one_of(maps, empty, king, seen, ZERO)
    if checks & LEAP:
        bring_to(maps, PIECES, KNIGHT_MOVES[king], ONE)


@kernel
def _not_from(maps: np.ndarray, empty: np.ndarray, king: int, seen: np.uint64, before: np.ndarray) -> None:
    while seen != ZERO:
        square = lowest(seen)
        seen = without_lowest(seen)
        come = maps[PIECES, square] - before[square]
        if come > NONE:
            maps[PIECES, square] -= come * LINE_SHARE * chance_free(empty, BETWEEN[king, square])


@kernel
def _from_one_of(maps: np.ndarray, empty: np.ndarray, king: int, seen: np.uint64, pawns: np.uint64) -> None:
    """Exactly one man checks along the squares `seen`; on `pawns` it may be a pawn."""
    total = NONE
    rest = seen
    while rest != ZERO:
        square = lowest(rest)
        rest = without_lowest(rest)
        total += _checks_from(maps, empty, king, square, has(pawns, square))
    if total < LEAST:
        return
    while seen != ZERO:
        square = lowest(seen)
        seen = without_lowest(seen)
        share = _checks_from(maps, empty, king, square, has(pawns, square)) / total
        here = maps[PIECES, square] + (maps[PAWNS, square] if has(pawns, square) else NONE)
        if here <= NONE:
            continue
        wanted = share + (ONE - share) * here * (ONE - LINE_SHARE)
        maps[PIECES, square] *= wanted / here
        if has(pawns, square):
            maps[PAWNS, square] *= wanted / here


@kernel
def _checks_from(maps: np.ndarray, empty: np.ndarray, king: int, square: int, pawn: bool) -> float:
    free = chance_free(empty, BETWEEN[king, square])
    return free * (LINE_SHARE * maps[PIECES, square] + (maps[PAWNS, square] if pawn else NONE))


@kernel
def refusal(known: Metaposition, maps: np.ndarray, empty: np.ndarray, start: int, end: int) -> None:
    """A try was refused: some square of its way is occupied, or the man is pinned.

    An entry on the way grows by 1 / (chance that the way is not free), by Bayes' rule; where a pin or,
    for a king, an attacked square may be the cause, nothing is concluded.
    """
    kind = kind_at(known, start)
    if kind == KING or kind == 0 or may_be_pinned(known, start):
        return
    if kind == PAWN and (start ^ end) & 7 != 0:
        for sort in range(3):
            maps[sort, end] *= LEAST
        return
    way = way_of(known, start, end)
    closed = ONE - chance_free(empty, way)
    if way == ZERO or closed < LEAST:
        return
    while way != ZERO:
        square = lowest(way)
        way = without_lowest(way)
        for sort in range(3):
            maps[sort, square] = min(ONE, maps[sort, square] / closed)
