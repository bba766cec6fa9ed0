"""Boards changed into others that explain the same announcements: rejuvenation, and a new beginning.

*Rejuvenation* is a Metropolis-Hastings step on the board before the opponent's last move, its origin: one of
the opponent's men is displaced by a move of its kind, a pawn by one square up or down its file. The new
origin has to fit what was said of the seat's last move (`waiting_board_fits`); it is accepted by how probable
it makes what was said since, the opponent's move summed over, and a move is then drawn anew. So a step keeps

- the number of men of each kind, the colour of a bishop's squares, the files of pawns, castling rights;
- the answers to the seat's last move: its way, captures, check, pawn tries;
- everything that was said in the opponent's turn and in the seat's turn since.

It leaves as it is the distribution in which all origins that fit the answers to the seat's last move, and can
be reached so, were equally likely before the opponent's move. What was heard earlier it forgets: that is the
price of boards that are not all descended from a few. A move drawn anew for the same origin (`redraw`)
forgets nothing.

*A new beginning* takes the boards that were just contradicted, sets more and more of their men anywhere, and
keeps those that fit the answers to the seat's last move, and, after a move of the opponent's, what was said
since.
"""

import numpy as np

from ks_env.belief.particles.boards import rights_at_home
from ks_env.belief.particles.layout import KINDS, NO_MOVE, Moves, Population, Work
from ks_env.belief.particles.population import draw_move, share, take_board
from ks_env.belief.particles.turns import own_board_fits, own_way, play_theirs, waiting_board_fits
from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, bit, lowest, nth_square, popcount, random_below, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import lift, put
from ks_env.core.record import i1, i2, i8, u1
from ks_env.core.tables import BLACK_RIGHTS, KING, PAWN, RANK_1, RANK_8, RIGHTS_LOST
from ks_env.games.kriegspiel.hearing import PAWN_SAID, PIECE_SAID
from ks_env.games.kriegspiel.layout import View

WAITING, MOVING, ANY_BOARD = 0, 1, 2  # the opponent is to move; the seat is; nothing is asked of the board
PAWN_RANKS = ~(RANK_1 | RANK_8)


@kernel
def any_of(board: np.uint64, random: np.ndarray) -> int:
    """One of the squares, all equally likely; 64 for none."""
    return nth_square(board, random_below(random, 0, popcount(board)))


@kernel
def displacements(kind: int, square: int, others: np.uint64) -> np.uint64:
    """Where a man may be displaced to, by a move of its kind over a board with these other men."""
    if kind == PAWN:
        return ((bit(square) << np.uint64(8)) | (bit(square) >> np.uint64(8))) & PAWN_RANKS & ~others
    return man_attacks(kind, square, others) & ~others


@kernel
def _stays(truth: Truth, square: int, kind: int) -> bool:
    """Whether a castling right, or a capture in passing, says that this man of the opponent stands here."""
    if i8(truth.rights) & BLACK_RIGHTS & RIGHTS_LOST[square] != 0:
        return True
    return kind == PAWN and truth.side == 0 and truth.ep >= 0 and square == truth.ep - 8


@kernel
def displace(truth: Truth, random: np.ndarray) -> float:
    """Displace one of the opponent's men, in place.

    Returns:
        chance to propose the way back, over that to propose this way; 0 if nothing was displaced.
    """
    start = any_of(truth.seats[1], random)
    kind = i8(truth.men[start]) & 7
    if _stays(truth, start, kind):
        return 0.0
    others = (truth.seats[0] | truth.seats[1]) & ~bit(start)
    if truth.side == 0 and truth.ep >= 0:
        others |= bit(i8(truth.ep)) | bit(i8(truth.ep) + 8)
    targets = displacements(kind, start, others)
    if targets == ZERO:
        return 0.0
    end = any_of(targets, random)
    lift(truth, start)
    put(truth, end, kind, 1)
    return popcount(targets) / popcount(displacements(kind, end, others))


@kernel
def propose(
    work: Work,
    count: int,
    view: View,
    rules: Rules,
    moment: int,
    passed: int,
    random: np.ndarray,
) -> None:
    """Propose boards in place of the first ones of `work.moves`, in `work.others`.

    Args:
        work: `others.boards` and `ratio` are overwritten; the ratio is 0 where there is no proposal.
        moment: WAITING or MOVING.
        passed: target of an en passant capture that the opponent may make; -1.
        random: u8[1], state of the random numbers.
    """
    for i in range(count):
        work.ratio[i] = 0.0
        truth = work.others.boards[i]
        work.others.boards[i] = work.moves.boards[i]
        ratio = displace(truth, random)
        if ratio == 0.0:
            continue
        if moment == WAITING:
            truth.ep = i1(passed)
            fits = waiting_board_fits(truth, view, rules)
        else:
            fits = own_board_fits(truth, view, rules)
        if fits:
            work.ratio[i] = ratio


@kernel
def accept_boards(work: Work, count: int, out: Population, random: np.ndarray) -> None:
    """Put what was proposed for boards without a move to sum over in their place, by the ratio alone."""
    for i in range(count):
        if work.ratio[i] > 0.0 and share(random) < work.ratio[i]:
            work.moves.boards[i] = work.others.boards[i]
            take_board(work.others.boards[i], out, i)


@kernel
def _move_on(moves: Moves, i: int, truths: np.ndarray, out: Population, random: np.ndarray) -> None:
    """Draw the opponent's move of board i anew, and write what follows."""
    action = draw_move(moves, i, random)
    if action == NO_MOVE:
        return
    truth = truths[2]
    truths[2] = moves.boards[i]
    play_theirs(truth, action)
    take_board(truth, out, i)
    out.moved[i] = i2(action)


@kernel
def redraw(work: Work, count: int, out: Population, random: np.ndarray) -> None:
    """Draw the opponent's last move of the first boards anew, among those that fit what was said."""
    for i in range(count):
        _move_on(work.moves, i, work.truths, out, random)


@kernel
def accept_origins(work: Work, count: int, out: Population, random: np.ndarray) -> None:
    """Put proposed origins in place of the present ones, by how probable they make what was said since."""
    moves, others = work.moves, work.others
    for i in range(count):
        if work.ratio[i] == 0.0 or others.fit[i] == 0.0:
            continue
        if moves.fit[i] > 0.0 and share(random) >= work.ratio[i] * others.fit[i] / moves.fit[i]:
            continue
        moves.boards[i] = others.boards[i]
        moves.fit[i] = others.fit[i]
        moves.number[i] = others.number[i]
        for j in range(others.number[i]):
            moves.tries[i, j] = others.tries[i, j]
            moves.chance[i, j] = others.chance[i, j]
        for kind in range(KINDS):
            out.origin[i, kind] = others.boards[i].kinds[kind] & others.boards[i].seats[1]
        out.origin_rights[i] = u1(others.boards[i].rights & BLACK_RIGHTS)
        _move_on(moves, i, work.truths, out, random)


# -- a new beginning ---------------------------------------------------------------------------------------


@kernel
def without_captured(men: np.ndarray, square: int, said: int, random: np.ndarray) -> None:
    """Take the man that the seat has just captured off a board on which he may not stand there.

    Args:
        men: u8[KINDS], in place.
        square: where he stood.
        said: what the referee called him.
        random: u8[1], state of the random numbers.
    """
    sort = ZERO
    for kind in range(PAWN, KING):
        if (said != PAWN_SAID or kind == PAWN) and (said != PIECE_SAID or kind != PAWN):
            sort |= men[kind]
    taken = bit(square) & sort
    if taken == ZERO:
        taken = bit(any_of(sort, random)) if sort != ZERO else ZERO
    for kind in range(PAWN, KING):
        men[kind] &= ~taken


@kernel
def _lift_some(truth: Truth, number: int, homeless: np.ndarray, random: np.ndarray) -> None:
    for _ in range(number):
        if truth.seats[1] == ZERO:
            return
        square = any_of(truth.seats[1], random)
        homeless[lift(truth, square)] += 1


@kernel
def _settle(truth: Truth, homeless: np.ndarray, banned: np.uint64, random: np.ndarray) -> bool:
    """Put men without a square anywhere; False if there is no room."""
    for kind in range(1, KINDS):
        for _ in range(homeless[kind]):
            free = ~(truth.seats[0] | truth.seats[1] | banned)
            if kind == PAWN:
                free &= PAWN_RANKS
            if free == ZERO:
                return False
            put(truth, any_of(free, random), kind, 1)
    return True


@kernel
def scatter(
    source: Population,
    count: int,
    shared: Truth,
    view: View,
    rules: Rules,
    moment: int,
    number: int,
    homeless: np.ndarray,
    random: np.ndarray,
    moves: Moves,
) -> int:
    """Boards drawn from the first ones of a population with some men set anywhere; how many of them fit.

    Men on squares where they cannot be are set anywhere, too.

    Args:
        source: rows; their `men` and `rights` count.
        shared: own men, and who is to move.
        moment: WAITING, MOVING or ANY_BOARD: which test they have to pass.
        number: of men set anywhere.
        homeless: i8[KINDS], overwritten.
        random: u8[1], state of the random numbers.
        moves: `boards` are overwritten: those that fit come first.
    """
    banned = own_way(view) if moment == WAITING else ZERO
    found = 0
    for _ in range(moves.boards.shape[0]):
        truth = moves.boards[found]
        moves.boards[found] = shared
        row = random_below(random, 0, count)
        homeless[:] = 0
        for kind in range(1, KINDS):
            cannot = source.men[row, kind] & (truth.seats[0] | truth.seats[1] | banned)
            homeless[kind] = popcount(cannot)
            left = source.men[row, kind] & ~cannot
            while left != ZERO:
                put(truth, lowest(left), kind, 1)
                left = without_lowest(left)
        _lift_some(truth, number, homeless, random)
        if not _settle(truth, homeless, banned, random):
            continue
        truth.rights = u1(i8(shared.rights) | rights_at_home(truth, i8(source.rights[row])))
        if moment == WAITING:
            fits = waiting_board_fits(truth, view, rules)
        elif moment == MOVING:
            fits = own_board_fits(truth, view, rules)
        else:
            fits = True
        found += fits
    return found


@kernel
def keep_boards(moves: Moves, count: int, out: Population) -> None:
    """The first boards of `moves` as a population of equal weights, without origins."""
    for i in range(count):
        take_board(moves.boards[i], out, i)
        out.moved[i] = i2(NO_MOVE)
        out.weight[i] = 1.0 / count
