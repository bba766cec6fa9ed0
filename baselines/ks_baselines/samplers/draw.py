"""Boards that are consistent with the last observation only, drawn at random.

The last observation is what a seat sees and has been told at its turn: its own men; how many of the
opponent's are left, by the captures that were announced; the checks, the pawn tries and the capture of the
opponent's move; the tries refused since. Where men stood before is not used. Reading, the paper being silent:
men are put on squares at random, all alike, pawns on the six ranks between; those that the message asks for
first. A board that does not fit after all is thrown away. No promotion is drawn but one that a message or the
number of captured pieces asks for, and no en passant capture is open.
"""

from typing import NamedTuple

import numpy as np

from ks_baselines.samplers.evolve import Memory, is_new
from ks_env.belief.metaposition.announcements import SAID_YES, own_tries_said
from ks_env.belief.metaposition.boards import own_pawn_targets
from ks_env.belief.particles.boards import add_their_rights, shared_board
from ks_env.belief.particles.rejuvenation import any_of
from ks_env.belief.particles.turns import own_board_fits
from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, random_below, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import TRUTH, Rules
from ks_env.core.position import attackers, put, types_of_checks
from ks_env.core.record import Array, i8
from ks_env.core.ruleset import SQUARES
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    CHECK_LINES,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    TRY_FROM,
    TRY_TO,
    TRY_WORDS,
)
from ks_env.games.kriegspiel.layout import View

PAWN_SQUARES = np.uint64(0x00FFFFFFFFFFFF00)
KNIGHTS_CHECK = 4  # number of that check type
OFTEN = 7  # of 8 refusals of moves over squares that may be occupied, those that are explained so


class Draw(NamedTuple):
    """What boards are drawn with.

    Attributes:
        armies: i8[F, 8], the opponent's men by kind in each start position that the seat cannot tell apart;
            entry 0: how many but the king; entry 7: its castling rights, king side 1, queen side 2.
        left: i8[7], men by kind that are not placed yet; entry 0: how many.
        base: TRUTH[1], the seat's own men alone.
        trial: TRUTH[1], the board that is being filled.
        closed: u8[1], squares on which nothing more is placed.
        random: u8[1], the stream.
    """

    armies: Array
    left: Array
    base: Array
    trial: Array
    closed: Array
    random: Array


def new_draw(armies: Array) -> Draw:
    """Memory for drawing boards."""
    return Draw(
        armies=armies,
        left=np.zeros(7, np.int64),
        base=np.zeros(1, TRUTH),
        trial=np.zeros(1, TRUTH),
        closed=np.zeros(1, np.uint64),
        random=np.zeros(1, np.uint64),
    )


@kernel
def _below(draw: Draw, n: int) -> int:
    return random_below(draw.random, 0, n)


@kernel
def _one_of(draw: Draw, squares: np.uint64) -> int:
    """One of the squares, all equally likely; -1 if the board is empty."""
    return any_of(squares, draw.random) if squares != ZERO else -1


@kernel
def _kind_left(draw: Draw, first: int, last: int) -> int:
    """A kind from `first` to `last` by how many are left of each, or 0."""
    total = 0
    for kind in range(first, last + 1):
        total += draw.left[kind]
    if total == 0:
        return 0
    at = _below(draw, total)
    for kind in range(first, last + 1):
        at -= draw.left[kind]
        if at < 0:
            return kind
    return 0


@kernel
def _lose(draw: Draw, first: int, last: int, times: int) -> None:
    """Take men that were captured off the army; where none of their kinds is left, promoted pawns."""
    for _ in range(times):
        kind = _kind_left(draw, first, last)
        if kind == 0:
            kind = _kind_left(draw, PAWN, QUEEN)
        if kind != 0:
            draw.left[kind] -= 1
            draw.left[0] -= 1


@kernel
def _count_men(draw: Draw, view: View) -> int:
    """Draw what the opponent has left, into `draw.left`; its rights at the start."""
    army = draw.armies[_below(draw, draw.armies.shape[0])]
    for kind in range(7):
        draw.left[kind] = army[kind]
    pawns, pieces = i8(view.pawns_taken), i8(view.pieces_taken)
    _lose(draw, PAWN, PAWN, pawns)
    _lose(draw, KNIGHT, QUEEN, pieces)
    _lose(draw, PAWN, QUEEN, i8(view.men_taken) - pawns - pieces)
    return i8(army[7])


@kernel
def _free(draw: Draw) -> np.uint64:
    trial = draw.trial[0]
    return ~(trial.seats[0] | trial.seats[1])


@kernel
def _place(draw: Draw, kind: int, square: int) -> None:
    """Put a man on the board; one whose kind has run out is a promoted pawn."""
    put(draw.trial[0], square, kind, 1)
    counted = kind if draw.left[kind] > 0 else PAWN
    draw.left[counted] -= 1
    draw.left[0] -= 1


@kernel
def _place_any(draw: Draw, squares: np.uint64) -> None:
    """Put any man but the king on one of the squares."""
    square = _one_of(draw, squares & _free(draw))
    if square < 0:
        return
    kind = _kind_left(draw, PAWN if has(PAWN_SQUARES, square) else KNIGHT, QUEEN)
    if kind != 0:
        _place(draw, kind, square)


@kernel
def _checking_squares(draw: Draw, king: int, kind: int, line: np.uint64) -> np.uint64:
    """Free squares of a line from which a man of the opponent's of that kind checks the king."""
    trial = draw.trial[0]
    if kind == PAWN:
        return PAWN_ATTACKS[0, king] & line & _free(draw)
    if kind == KNIGHT:
        return KNIGHT_MOVES[king] & _free(draw)
    return man_attacks(kind, king, trial.seats[0] | trial.seats[1]) & line & _free(draw)


@kernel
def _set_checkers(draw: Draw, view: View) -> None:
    """A man for each check announced that no man on the board gives yet."""
    trial = draw.trial[0]
    king = lowest(view.kinds[KING])
    there = attackers(trial, king, 1, trial.seats[0] | trial.seats[1])
    missing = i8(view.checks) & ~types_of_checks(king, there)
    for type_ in range(5):
        if not (missing >> type_) & 1 or draw.left[0] == 0:
            continue
        kind = KNIGHT
        if type_ != KNIGHTS_CHECK:
            slider = ROOK if type_ < 2 else BISHOP
            total = draw.left[slider] + draw.left[QUEEN]
            if slider == BISHOP:
                total += draw.left[PAWN]
            at = _below(draw, total) if total > 0 else 0
            kind = slider if at < draw.left[slider] else QUEEN
            if at >= draw.left[slider] + draw.left[QUEEN]:
                kind = PAWN if total > 0 else QUEEN
        if draw.left[kind] == 0 and draw.left[PAWN] == 0:
            continue
        square = _one_of(draw, _checking_squares(draw, king, kind, CHECK_LINES[king, type_]))
        if square >= 0:
            _place(draw, kind, square)


@kernel
def _set_pawn_tries(draw: Draw, view: View, rules: Rules) -> None:
    """Men for the pawn tries announced, and no others where own pawns attack."""
    said = own_tries_said(view)
    pawns = view.kinds[PAWN]
    targets = own_pawn_targets(pawns)
    if rules.pawn_tries == SQUARES:
        named = view.try_squares
        open_to = ~own_pawn_targets(pawns & ~named)
        while named != ZERO:
            reach = PAWN_ATTACKS[0, lowest(named)]
            named = without_lowest(named)
            if reach & draw.trial[0].seats[1] == ZERO and draw.left[0] > 0:
                _place_any(draw, reach & open_to)
        draw.closed[0] |= ~open_to
    elif said == SAID_YES:
        if targets & draw.trial[0].seats[1] == ZERO:
            _place_any(draw, targets)
    elif said >= 0:
        for _ in range(said - popcount(targets & draw.trial[0].seats[1])):
            _place_any(draw, targets)
        draw.closed[0] |= targets


@kernel
def _explain_refusals(draw: Draw, view: View) -> None:
    """Men in the way of slides and pawn moves that were refused; other reasons are left to chance."""
    for word in range(TRY_WORDS):
        refused = view.refused[word]
        while refused != ZERO:
            action = word * 64 + lowest(refused)
            refused = without_lowest(refused)
            start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
            path = BETWEEN[start, end]
            if view.men[start] == PAWN and (start ^ end) & 7 == 0:
                path |= bit(end)
            if path & draw.trial[0].seats[1] == ZERO and _below(draw, 8) < OFTEN:
                _place_any(draw, path & ~draw.closed[0])


@kernel
def _quiet_square(draw: Draw, kind: int, squares: np.uint64, king: int) -> int:
    """One of the squares from which the man gives no check, if a few draws find one."""
    square = -1
    trial = draw.trial[0]
    for _ in range(4):
        square = _one_of(draw, squares)
        if square < 0:
            return -1
        if kind == PAWN:
            if not has(PAWN_ATTACKS[1, square], king):
                return square
        elif not has(man_attacks(kind, square, trial.seats[0] | trial.seats[1]), king):
            return square
    return square


@kernel
def _set_rest(draw: Draw, king: int) -> bool:
    """The men that are left, and the king where it is not attacked; whether there was room."""
    for kind in range(PAWN, KING):
        while draw.left[kind] > 0:
            squares = _free(draw) & ~draw.closed[0]
            square = _quiet_square(draw, kind, squares & PAWN_SQUARES if kind == PAWN else squares, king)
            if square < 0:
                return False
            _place(draw, kind, square)
    trial = draw.trial[0]
    if draw.left[KING] == 0:
        return True
    occupied = trial.seats[0] | trial.seats[1]
    for _ in range(8):
        square = _one_of(draw, _free(draw) & ~draw.closed[0] & ~KING_MOVES[king])
        if square >= 0 and attackers(trial, square, 0, occupied) == ZERO:
            put(trial, square, KING, 1)
            return True
    return False


@kernel
def _set_capturer(draw: Draw, view: View) -> None:
    """The man that has just captured; the king as often as any other."""
    if view.lost < 0:
        return
    if view.enemy < 0:  # it may have been en passant: then nobody stands there
        if _below(draw, 2) == 0:
            _place_any(draw, bit(i8(view.lost)))
        return
    square = i8(view.enemy)
    trial = draw.trial[0]
    king_may = KING_MOVES[square] & view.kinds[KING] == ZERO
    king_may &= attackers(trial, square, 0, trial.seats[0]) == ZERO
    if king_may and _below(draw, draw.left[0] + 1) == 0:
        put(trial, square, KING, 1)
        draw.left[KING] = 0
        return
    _place_any(draw, bit(square))


@kernel
def draw_board(draw: Draw, view: View, rules: Rules) -> bool:
    """Draw one board into `draw.trial`; False if it does not fit.

    Args:
        draw: its `base` and `random` are set.
        view: VIEW of the seat, which is to move.
    """
    draw.trial[0] = draw.base[0]
    draw.closed[0] = ZERO
    rights = _count_men(draw, view)
    draw.left[KING] = 1
    _set_capturer(draw, view)
    _set_checkers(draw, view)
    _set_pawn_tries(draw, view, rules)
    _explain_refusals(draw, view)
    trial = draw.trial[0]
    if not _set_rest(draw, lowest(view.kinds[KING])):
        return False
    add_their_rights(trial, rights)
    return own_board_fits(trial, view, rules)


@kernel
def add_boards(memory: Memory, n: int, size: int, attempts: int, draw: Draw, view: View, rules: Rules) -> int:
    """Add boards of the last observation to a pool that holds n, up to `size`; how many it holds then.

    Args:
        memory: its `seen` holds what is not to be added again.
        n: boards that it holds.
        size: how many it shall hold.
        attempts: boards to draw at most.
        draw: its `random` is set.
        view: VIEW of the seat, which is to move.
    """
    shared_board(view.men, i8(view.rights), 0, draw.base[0])
    draw.base[0].move_number = view.moves
    while n < size and attempts > 0:
        attempts -= 1
        if draw_board(draw, view, rules) and is_new(memory.seen, draw.trial[0].key):
            memory.boards[n] = draw.trial[0]
            n += 1
    return n
