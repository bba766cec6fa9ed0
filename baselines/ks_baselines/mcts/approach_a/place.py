"""The opponent's men put on the board: those that the last message asks for, and then the others.

Ciancarini and Favini (2010, §5.1): "The generator also strived to make positions that did not contradict the
last referee's message." Readings: for each announced check type along which no man attacks yet, one is drawn
among the squares from which it would; for pawn tries, men are drawn among the squares that own pawns attack
until there are as many tries as were announced, unless the seat is in check. What still does not fit is found
by `contradictions`.

All men stay within what the metaposition leaves open. Readings where Ciancarini and Favini (2010) are silent;
it names "how many pieces are left in play, and how many pawns can be on each file", and "probability
distributions for pieces, pawns and king":

- As many pawns as the seat expects to be left (LOCATION.left, rounded at random), within what the files can
  hold and must hold; the other men are pieces, of the set with which the opponent began. More than that set
  are promoted men: queens, as far as possible.
- Men whose place is certain come first, then the king, the pawns and the pieces. Each piece is of a kind in
  proportion to the weights on the squares still free, and to what is left of that kind.
- Two bishops of the usual start stand on squares of different colours.
- No man is put where it would give a check that was not announced.
- If the king is attacked when all is placed, it is drawn again among the squares that are not.
"""

import numpy as np

from ks_baselines.mcts.approach_a.pool import Pool, draw_kind, draw_square
from ks_env.belief.location.layout import PAWNS, Location
from ks_env.belief.metaposition.announcements import own_tries_said
from ks_env.belief.metaposition.boards import NOT_A, NOT_H, own_pawn_targets
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.answers import LEAP
from ks_env.core.attacks import line_attacks, man_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, random_share, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import attackers, king_square, lift, put
from ks_env.core.record import i8
from ks_env.core.ruleset import COUNT, SQUARES
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    CHECK_OF_LINE,
    DARK,
    FILE_A,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    LINES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
)
from ks_env.games.kriegspiel.layout import View


@kernel
def count_men(pool: Pool, place: Location) -> None:
    """How many men of each kind are to be placed: fills `left`, `most`, `files` from a LOCATION."""
    known = place.known
    men = i8(known.most[0]) - 1
    pieces, least, room = 0, 0, 0
    for kind in range(KNIGHT, KING):
        pieces += i8(known.most[kind])
    for file in range(8):
        pool.files[0, file] = i8(known.file_pawns[file])
        pool.files[1, file] = i8(known.file_least[file])
        room += pool.files[0, file]
        least += pool.files[1, file]
    pawns = i8(np.floor(place.left[PAWNS] + random_share(pool.random, 0)))
    pawns = max(pawns, least, men - pieces)
    pawns = min(pawns, men, room, i8(known.most[PAWN]))
    pool.left[PAWN] = pawns
    pool.left[KING] = 1
    pool.left[0] = men - pawns
    _count_kinds(pool, known)
    for kind in range(7):
        pool.most[kind] = pool.left[kind]


@kernel
def _count_kinds(pool: Pool, known: Metaposition) -> None:
    """Most pieces of each kind: of the set at the start, and promoted ones if these are too few."""
    missing = pool.left[0]
    for kind in range(KNIGHT, KING):
        pool.left[kind] = min(i8(known.most[kind]), pool.begun[kind])
        missing -= pool.left[kind]
    for kind in range(QUEEN, PAWN, -1):
        if missing > 0:
            promoted = min(missing, i8(known.most[kind]) - pool.left[kind])
            pool.left[kind] += promoted
            missing -= promoted


@kernel
def open_files(pool: Pool, which: int) -> np.uint64:
    """Files that may take a pawn (0) or have to get one (1)."""
    board = ZERO
    for file in range(8):
        if pool.files[which, file] > 0:
            board |= FILE_A << np.uint64(file)
    return board


@kernel
def pawn_files(pool: Pool) -> np.uint64:
    """Files on which the next pawn may stand: when no more are left than files have to get, only those."""
    owed = 0
    for file in range(8):
        owed += max(0, pool.files[1, file])
    return open_files(pool, 1 if pool.left[PAWN] <= owed else 0)


@kernel
def free_squares(pool: Pool, known: Metaposition, kind: int, silent: bool) -> np.uint64:
    """Where a man of this kind may be put now; `silent`: where it gives no check."""
    if pool.left[kind] <= 0 or (PAWN < kind < KING and pool.left[0] <= 0):
        return ZERO
    trial = pool.trial[0]
    occupied = trial.seats[0] | trial.seats[1]
    squares = known.ghosts[kind] & ~(occupied | pool.closed[0])
    king = king_square(trial, 0)
    if kind == KING:
        return squares & ~KING_MOVES[king]
    if kind == PAWN:
        squares &= pawn_files(pool)
        return squares & ~PAWN_ATTACKS[0, king] if silent else squares
    if kind == BISHOP and pool.begun[0] == 1 and pool.most[BISHOP] == 2:
        bishops = trial.kinds[BISHOP] & trial.seats[1]
        if bishops != ZERO:
            squares &= ~DARK if bishops & DARK != ZERO else DARK
    return squares & ~man_attacks(kind, king, occupied) if silent else squares


@kernel
def set_man(pool: Pool, square: int, kind: int) -> None:
    """Put a man of the opponent on a square."""
    put(pool.trial[0], square, kind, 1)
    pool.left[kind] -= 1
    if kind == PAWN:
        pool.files[0, square & 7] -= 1
        pool.files[1, square & 7] -= 1
    elif kind != KING:
        pool.left[0] -= 1


@kernel
def set_one_of(pool: Pool) -> int:
    """Draw a man among the squares of `pool.where` and put it there; the square, or -1 if all are closed."""
    kind = draw_kind(pool)
    if kind == 0:
        return -1
    square = draw_square(pool, kind)
    set_man(pool, square, kind)
    return square


@kernel
def set_certain_men(pool: Pool, known: Metaposition, silent: bool) -> bool:
    """A man on each square that is certainly occupied; False if none may stand there."""
    squares = ~(known.ghosts[0] | known.own[0])
    while squares != ZERO:
        here = squares & (ZERO - squares)
        squares = without_lowest(squares)
        for kind in range(1, 7):
            pool.where[kind] = free_squares(pool, known, kind, silent) & here
        if set_one_of(pool) < 0:
            return False
    return True


@kernel
def _set_king_among(pool: Pool) -> bool:
    """The king on a square of `pool.where`; False if all are closed."""
    square = draw_square(pool, KING)
    if square < 0:
        return False
    set_man(pool, square, KING)
    return True


@kernel
def set_king(pool: Pool, known: Metaposition) -> bool:
    """The king, if it has not been placed; False if it has no square."""
    if pool.left[KING] == 0:
        return True
    pool.where[KING] = free_squares(pool, known, KING, True)
    return _set_king_among(pool)


@kernel
def set_pawns(pool: Pool, known: Metaposition) -> bool:
    """The pawns that are left; False if one has no square."""
    while pool.left[PAWN] > 0:
        pool.where[PAWN] = free_squares(pool, known, PAWN, True)
        square = draw_square(pool, PAWN)
        if square < 0:
            return False
        set_man(pool, square, PAWN)
    return True


@kernel
def set_pieces(pool: Pool, known: Metaposition) -> bool:
    """The pieces that are left; False if one has no square."""
    pool.where[PAWN] = pool.where[KING] = ZERO
    while pool.left[0] > 0:
        for kind in range(KNIGHT, KING):
            pool.where[kind] = free_squares(pool, known, kind, True)
        if set_one_of(pool) < 0:
            return False
    return True


@kernel
def settle_king(pool: Pool, known: Metaposition) -> bool:
    """The opponent has just moved, so its king is not attacked: move it if it is; False if it cannot be."""
    trial = pool.trial[0]
    king = king_square(trial, 1)
    if attackers(trial, king, 0, trial.seats[0] | trial.seats[1]) == ZERO:
        return True
    if not has(known.ghosts[0], king):
        return False  # something certainly stands there: another board has to be drawn
    lift(trial, king)
    pool.left[KING] = 1
    occupied = trial.seats[0] | trial.seats[1]
    safe = ZERO
    squares = free_squares(pool, known, KING, True)
    while squares != ZERO:
        square = lowest(squares)
        squares = without_lowest(squares)
        if attackers(trial, square, 0, occupied | bit(square)) == ZERO:
            safe |= bit(square)
    pool.where[KING] = safe
    return _set_king_among(pool)


@kernel
def _ask_for(pool: Pool, known: Metaposition, targets: np.uint64) -> int:
    """Put any man but the king on one of the squares; which, -1 if none can be."""
    for kind in range(PAWN, KING):
        pool.where[kind] = free_squares(pool, known, kind, True) & targets
    pool.where[KING] = ZERO
    return set_one_of(pool)


@kernel
def _checking_squares(pool: Pool, known: Metaposition, king: int, line: int) -> None:
    """Fill `pool.where` with what checks the seat's king along a line, or as a knight (-1)."""
    for kind in range(1, 7):
        pool.where[kind] = ZERO
    if line < 0:
        pool.where[KNIGHT] = free_squares(pool, known, KNIGHT, False) & KNIGHT_MOVES[king]
        return
    trial = pool.trial[0]
    seen = line_attacks(king, line, trial.seats[0] | trial.seats[1])
    pool.where[QUEEN] = free_squares(pool, known, QUEEN, False) & seen
    slider = ROOK if line < 2 else BISHOP
    pool.where[slider] = free_squares(pool, known, slider, False) & seen
    if line >= 2:
        pool.where[PAWN] = free_squares(pool, known, PAWN, False) & seen & PAWN_ATTACKS[0, king]


@kernel
def set_checkers(pool: Pool, known: Metaposition, view: View) -> None:
    """A man for each announced check type along which none attacks, with a free way to the king."""
    if view.checkers == 0:
        return
    trial = pool.trial[0]
    king = king_square(trial, 0)
    for line in range(-1, 4):
        kind = LEAP if line < 0 else CHECK_OF_LINE[king, line]
        if kind & view.checks == 0:
            continue
        ways = KNIGHT_MOVES[king] if line < 0 else LINES[king, line]
        there = attackers(trial, king, 1, trial.seats[0] | trial.seats[1]) & ways
        if there != ZERO:
            pool.closed[0] |= BETWEEN[king, lowest(there)]
            continue
        _checking_squares(pool, known, king, line)
        square = set_one_of(pool)
        if square >= 0:
            pool.closed[0] |= BETWEEN[king, square]


@kernel
def capture_pairs(truth: Truth) -> int:
    """In how many ways pawns of side 0 attack men of the other side."""
    pawns, men = truth.kinds[PAWN] & truth.seats[0], truth.seats[1]
    return popcount((pawns << np.uint64(7)) & NOT_H & men) + popcount((pawns << np.uint64(9)) & NOT_A & men)


@kernel
def _set_named_tries(pool: Pool, known: Metaposition, view: View) -> None:
    """A man for each own pawn that was named to have a capture, and none for the others."""
    pawns = view.try_squares
    while pawns != ZERO:
        targets = own_pawn_targets(bit(lowest(pawns)))
        pawns = without_lowest(pawns)
        if targets & pool.trial[0].seats[1] == ZERO:
            _ask_for(pool, known, targets)
    idle = known.own[PAWN] & ~view.try_squares
    pool.closed[0] |= own_pawn_targets(idle)


@kernel
def set_pawn_tries(pool: Pool, known: Metaposition, view: View, rules: Rules) -> None:
    """Men that own pawns may capture, as many as the referee said."""
    if view.checkers != 0:
        return
    if rules.pawn_tries == SQUARES:
        _set_named_tries(pool, known, view)
        return
    said = own_tries_said(view)
    if said < 0:
        return
    targets = own_pawn_targets(known.own[PAWN])
    counted = rules.pawn_tries == COUNT and view.tries >= 0
    wanted = said if counted else min(said, 1)
    while capture_pairs(pool.trial[0]) < wanted:
        if _ask_for(pool, known, targets) < 0:
            break
    if counted or said == 0:
        pool.closed[0] |= targets


@kernel
def allow_en_passant(truth: Truth, square: int) -> bool:
    """Whether the opponent's pawn on the square may have just made a double step, so that it can be taken."""
    if not has(truth.kinds[PAWN] & truth.seats[1], square) or square >> 3 != 4:
        return False
    occupied = truth.seats[0] | truth.seats[1]
    return not has(occupied, square + 8) and not has(occupied, square + 16)
