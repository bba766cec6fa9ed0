"""The referee's board: playing a move, and what is true of the position after it.

All kernels here work in absolute squares, on one TRUTH record or, where they look at men only, on any record
that is a `Position`. `refresh` computes once per position what judging its tries needs: checkers, pinned men,
legal pawn captures.
"""

import numpy as np

from ks_env.core.answers import UNDER_WAY
from ks_env.core.attacks import bishop_attacks, man_attacks, rook_attacks
from ks_env.core.bits import ALL, ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Position, Truth
from ks_env.core.record import i1, i4, i8, u1, u2
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    BISHOP_LINES,
    BOTH_SIDES,
    CHECK_LINES,
    DARK,
    FILE_A,
    FILE_H,
    FILE_KEYS,
    KING,
    KING_HOME,
    KING_MOVES,
    KING_SIDE,
    KNIGHT,
    KNIGHT_MOVES,
    MAN_KEYS,
    MAN_LINES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    QUEEN_SIDE,
    RANK_3,
    RIGHTS_KEYS,
    RIGHTS_LOST,
    ROOK,
    ROOK_FROM,
    ROOK_LINES,
    ROOK_TO,
    SIDE_KEY,
    THROUGH,
)


@kernel
def attackers(truth: Position, square: int, by: int, occupied: np.uint64) -> np.uint64:
    """Men of seat `by` that attack the square, over the given occupancy."""
    queens = truth.kinds[QUEEN]
    found = KNIGHT_MOVES[square] & truth.kinds[KNIGHT]
    found |= KING_MOVES[square] & truth.kinds[KING]
    found |= PAWN_ATTACKS[1 - by, square] & truth.kinds[PAWN]
    if ROOK_LINES[square] & (truth.kinds[ROOK] | queens) & truth.seats[by] != ZERO:
        found |= rook_attacks(square, occupied) & (truth.kinds[ROOK] | queens)
    if BISHOP_LINES[square] & (truth.kinds[BISHOP] | queens) & truth.seats[by] != ZERO:
        found |= bishop_attacks(square, occupied) & (truth.kinds[BISHOP] | queens)
    return found & truth.seats[by] & occupied


@kernel
def king_square(truth: Position, seat: int) -> int:
    """Where the king of the seat stands."""
    return lowest(truth.kinds[KING] & truth.seats[seat])


@kernel
def pinned_men(truth: Position, seat: int) -> np.uint64:
    """Men of the seat that alone stand between their king and an enemy slider."""
    king = king_square(truth, seat)
    enemy = truth.seats[1 - seat]
    occupied = truth.seats[0] | truth.seats[1]
    snipers = ROOK_LINES[king] & (truth.kinds[ROOK] | truth.kinds[QUEEN])
    snipers |= BISHOP_LINES[king] & (truth.kinds[BISHOP] | truth.kinds[QUEEN])
    snipers &= enemy
    pinned = ZERO
    while snipers != ZERO:
        blockers = BETWEEN[king, lowest(snipers)] & occupied
        if blockers != ZERO and without_lowest(blockers) == ZERO:
            pinned |= blockers & truth.seats[seat]
        snipers = without_lowest(snipers)
    return pinned


@kernel
def clear_board(truth: Truth) -> None:
    """An empty board, nothing said."""
    for square in range(64):
        truth.men[square] = u1(0)
    for kind in range(7):
        truth.kinds[kind] = ZERO
    truth.seats[0] = ZERO
    truth.seats[1] = ZERO
    truth.key = ZERO
    truth.plies = i4(0)
    truth.past = i4(0)
    truth.answered = i4(0)
    truth.clock = u2(0)
    truth.move_number = u2(0)
    truth.start = i4(0)
    truth.rights = u1(0)
    truth.ep = i1(-1)
    truth.reason = u1(UNDER_WAY)
    truth.winner = i1(-1)
    for stream in range(3):
        truth.random[stream] = ZERO


@kernel
def put(truth: Truth, square: int, kind: int, seat: int) -> None:
    """Place a man on an empty square."""
    man = kind | seat << 3
    truth.men[square] = u1(man)
    truth.kinds[kind] |= bit(square)
    truth.seats[seat] |= bit(square)
    truth.key ^= MAN_KEYS[man, square]


@kernel
def lift(truth: Truth, square: int) -> int:
    """Take the man off a square; its kind."""
    man = i8(truth.men[square])
    truth.men[square] = u1(0)
    truth.kinds[man & 7] ^= bit(square)
    truth.seats[man >> 3] ^= bit(square)
    truth.key ^= MAN_KEYS[man, square]
    return man & 7


@kernel
def play(truth: Truth, start: int, end: int, under: int) -> bool:
    """Play a legal move; whether it is irreversible. Leaves `refresh` to the caller.

    Fills `said` with the capture and the promotion. `under` is the kind of an under-promotion or 0.
    """
    side = i8(truth.side)
    said = truth.said
    kind = i8(truth.men[start]) & 7
    victim = end
    if kind == PAWN and end == truth.ep and (end - start) % 8 != 0:
        victim = end ^ 8
    said.captured = u1(0)
    said.square = i1(-1)
    said.landing = i1(-1)
    said.en_passant = u1(victim != end)
    said.promoted = u1(0)
    if truth.men[victim] != 0:
        said.captured = u1(lift(truth, victim))
        said.square = i1(victim)
        said.landing = i1(end)
    lift(truth, start)
    arrives = kind
    if kind == PAWN and (end >= 56 or end < 8):
        arrives = under if under != 0 else QUEEN
        said.promoted = u1(arrives)
    put(truth, end, arrives, side)
    if kind == KING and (end - start == 2 or start - end == 2):
        lift(truth, ROOK_FROM[end])
        put(truth, ROOK_TO[end], ROOK, side)
    irreversible = kind == PAWN or said.captured != 0
    _pass_the_turn(truth, start, end, kind, irreversible)
    return irreversible


@kernel
def _pass_the_turn(truth: Truth, start: int, end: int, kind: int, irreversible: bool) -> None:
    if truth.ep >= 0:
        truth.key ^= FILE_KEYS[truth.ep & 7]
    truth.ep = i1(-1)
    if kind == PAWN and (end - start == 16 or start - end == 16):
        truth.ep = i1((start + end) >> 1)  # kept only if a capture there is legal
    rights = i8(truth.rights)
    if rights != 0:
        left = rights & ~(RIGHTS_LOST[start] | RIGHTS_LOST[end])
        truth.key ^= RIGHTS_KEYS[rights] ^ RIGHTS_KEYS[left]
        truth.rights = u1(left)
    truth.clock = u2(0) if irreversible else u2(truth.clock + 1)
    truth.move_number += u2(truth.side)
    truth.plies += i4(1)
    truth.side = u1(1 - truth.side)
    truth.key ^= SIDE_KEY


@kernel
def en_passant_is_safe(truth: Position, start: int, end: int) -> bool:
    """Whether the en passant capture leaves the capturer's king out of check."""
    side = i8(truth.side)
    victim = end ^ 8
    occupied = (truth.seats[0] | truth.seats[1]) ^ bit(start) ^ bit(victim) | bit(end)
    return attackers(truth, king_square(truth, side), 1 - side, occupied) == ZERO


@kernel
def check_evasions(truth: Position) -> np.uint64:
    """Squares on which a man other than the king may land as far as check goes."""
    if truth.checkers == ZERO:
        return ALL
    if without_lowest(truth.checkers) != ZERO:
        return ZERO
    return truth.checkers | BETWEEN[king_square(truth, i8(truth.side)), lowest(truth.checkers)]


@kernel
def pawn_targets(truth: Position) -> np.uint64:
    """Squares on which a pawn of the side to move that attacks them captures."""
    enemy = truth.seats[1 - i8(truth.side)]
    return enemy | (bit(truth.ep) if truth.ep >= 0 else ZERO)


@kernel
def attacking_pawns(truth: Position, target: np.uint64) -> np.uint64:
    """Pawns of the side to move that attack any of the squares: seen from these backwards."""
    side = i8(truth.side)
    pawns = truth.kinds[PAWN] & truth.seats[side]
    if side == 0:
        return pawns & (((target & ~FILE_A) >> np.uint64(9)) | ((target & ~FILE_H) >> np.uint64(7)))
    return pawns & (((target & ~FILE_A) << np.uint64(7)) | ((target & ~FILE_H) << np.uint64(9)))


@kernel
def _count_pawn_tries(truth: Truth) -> None:
    """Legal pawn captures of the side to move: their number and the pawns; drops an unusable `ep`."""
    side = i8(truth.side)
    target = pawn_targets(truth)
    pawns = attacking_pawns(truth, target)
    evasions = check_evasions(truth)
    count = 0
    squares = ZERO
    usable = False
    while pawns != ZERO:
        start = lowest(pawns)
        pawns = without_lowest(pawns)
        reach = PAWN_ATTACKS[side, start] & target
        if truth.ep >= 0 and has(reach, truth.ep):
            reach ^= bit(truth.ep)
            if en_passant_is_safe(truth, start, truth.ep):
                usable = True
                count += 1
                squares |= bit(start)
        reach &= evasions
        if has(truth.pinned, start):
            reach &= THROUGH[king_square(truth, side), start]
        if reach != ZERO:
            count += popcount(reach)
            squares |= bit(start)
    truth.tries = u1(count)
    truth.try_squares = squares
    if truth.ep >= 0:
        if usable:
            truth.key ^= FILE_KEYS[truth.ep & 7]
        else:
            truth.ep = i1(-1)


@kernel
def _look_from_king(truth: Truth) -> None:
    """Checkers and pinned men of the side to move, by what its king sees over all men and through its own."""
    side = i8(truth.side)
    king = king_square(truth, side)
    own, enemy = truth.seats[side], truth.seats[1 - side]
    occupied = own | enemy
    straight = (truth.kinds[ROOK] | truth.kinds[QUEEN]) & enemy
    oblique = (truth.kinds[BISHOP] | truth.kinds[QUEEN]) & enemy
    along, across = rook_attacks(king, occupied), bishop_attacks(king, occupied)
    checkers = (along & straight) | (across & oblique)
    checkers |= KNIGHT_MOVES[king] & truth.kinds[KNIGHT] & enemy
    checkers |= PAWN_ATTACKS[side, king] & truth.kinds[PAWN] & enemy
    truth.checkers = checkers
    near = (along | across) & own
    pinners = rook_attacks(king, occupied ^ near) & ~along & straight
    pinners |= bishop_attacks(king, occupied ^ near) & ~across & oblique
    pinned = ZERO
    while pinners != ZERO:
        pinned |= BETWEEN[king, lowest(pinners)] & near
        pinners = without_lowest(pinners)
    truth.pinned = pinned


@kernel
def refresh(truth: Truth) -> None:
    """Recompute what follows from the position for the side to move."""
    _look_from_king(truth)
    _count_pawn_tries(truth)


@kernel
def check_types(truth: Position) -> int:
    """Check types of the present checkers, as bits (rank, file, long, short diagonal, knight)."""
    if truth.checkers == ZERO:
        return 0
    return types_of_checks(king_square(truth, i8(truth.side)), truth.checkers)


@kernel
def types_of_checks(king: int, checkers: np.uint64) -> int:
    """Check types as bits, see `check_types`, of men that check a king."""
    types = 0
    for i in range(5):
        if checkers & CHECK_LINES[king, i] != ZERO:
            types |= 1 << i
    return types


@kernel
def pawn_pushes(truth: Position, start: int) -> np.uint64:
    """Squares straight ahead that the pawn of the side to move can reach."""
    side = i8(truth.side)
    empty = ~(truth.seats[0] | truth.seats[1])
    if side == 0:
        one = (bit(start) << np.uint64(8)) & empty
        two = ((one & RANK_3) << np.uint64(8)) & empty
    else:
        one = (bit(start) >> np.uint64(8)) & empty
        two = ((one & (RANK_3 << np.uint64(24))) >> np.uint64(8)) & empty
    return one | two


@kernel
def safe_king_squares(truth: Position, targets: np.uint64) -> np.uint64:
    """Those of the squares on which the king of the side to move would not be attacked."""
    side = i8(truth.side)
    king = king_square(truth, side)
    occupied = (truth.seats[0] | truth.seats[1]) ^ bit(king)
    safe = ZERO
    while targets != ZERO:
        square = lowest(targets)
        targets = without_lowest(targets)
        if attackers(truth, square, 1 - side, occupied & ~bit(square)) == ZERO:
            safe |= bit(square)
    return safe


@kernel
def castling_targets(truth: Position) -> np.uint64:
    """Where the king of the side to move may castle to."""
    side = i8(truth.side)
    rights = (i8(truth.rights) >> (2 * side)) & BOTH_SIDES
    if rights == 0 or truth.checkers != ZERO:
        return ZERO
    occupied = truth.seats[0] | truth.seats[1]
    king = KING_HOME + 56 * side
    targets = ZERO
    if rights & KING_SIDE and BETWEEN[king, king + 3] & occupied == ZERO:
        path = bit(king + 1) | bit(king + 2)
        if safe_king_squares(truth, path) == path:
            targets |= bit(king + 2)
    if rights & QUEEN_SIDE and BETWEEN[king, king - 4] & occupied == ZERO:
        path = bit(king - 1) | bit(king - 2)
        if safe_king_squares(truth, path) == path:
            targets |= bit(king - 2)
    return targets


@kernel
def safe_targets(truth: Position, start: int, reach: np.uint64) -> np.uint64:
    """Those of the squares within a man's reach that leave its king out of check; not for the king itself."""
    reach &= check_evasions(truth)
    if has(truth.pinned, start):
        reach &= THROUGH[king_square(truth, i8(truth.side)), start]
    return reach


@kernel
def legal_targets(truth: Position, start: int) -> np.uint64:
    """Squares to which the man of the side to move on `start` may legally go."""
    side = i8(truth.side)
    own = truth.seats[side]
    kind = i8(truth.men[start]) & 7
    if kind == KING:
        return safe_king_squares(truth, KING_MOVES[start] & ~own) | castling_targets(truth)
    extra = ZERO
    if kind == PAWN:
        reach = pawn_pushes(truth, start) | (PAWN_ATTACKS[side, start] & truth.seats[1 - side])
        beside = truth.ep >= 0 and has(PAWN_ATTACKS[side, start], truth.ep)
        if beside and en_passant_is_safe(truth, start, truth.ep):
            extra = bit(truth.ep)
    else:
        reach = man_attacks(kind, start, truth.seats[0] | truth.seats[1]) & ~own
    return safe_targets(truth, start, reach) | extra


@kernel
def has_legal_move(truth: Truth) -> bool:
    """Whether the side to move has any legal move; the likely ones are looked at first."""
    if truth.tries > 0:
        return True
    own = truth.seats[i8(truth.side)]
    free = own & ~truth.pinned & ~truth.kinds[KING]
    if truth.checkers == ZERO:
        pawns = free & truth.kinds[PAWN]
        empty = ~(truth.seats[0] | truth.seats[1])
        ahead = pawns << np.uint64(8) if truth.side == 0 else pawns >> np.uint64(8)
        if ahead & empty != ZERO:
            return True
    if legal_targets(truth, king_square(truth, i8(truth.side))) != ZERO:
        return True
    men = own & ~truth.kinds[KING]
    while men != ZERO:
        if legal_targets(truth, lowest(men)) != ZERO:
            return True
        men = without_lowest(men)
    return False


@kernel
def is_legal(truth: Position, start: int, end: int) -> bool:
    """Whether the side to move may legally go from `start`, where it has a man, to `end`."""
    kind = i8(truth.men[start]) & 7
    if kind == PAWN or (kind == KING and not has(KING_MOVES[start], end)):
        return has(legal_targets(truth, start), end)
    side = i8(truth.side)
    if kind == KING:
        return safe_king_squares(truth, bit(end) & ~truth.seats[side]) != ZERO
    occupied = truth.seats[0] | truth.seats[1]
    landing = check_evasions(truth) & ~truth.seats[side] & MAN_LINES[kind, start]
    if has(truth.pinned, start):
        landing &= THROUGH[king_square(truth, side), start]
    return has(landing, end) and BETWEEN[start, end] & occupied == ZERO


@kernel
def insufficient_material(truth: Position) -> bool:
    """No sequence of moves can mate: bare kings, one minor piece, or bishops of one square colour."""
    if truth.kinds[PAWN] | truth.kinds[ROOK] | truth.kinds[QUEEN] != ZERO:
        return False
    knights, bishops = truth.kinds[KNIGHT], truth.kinds[BISHOP]
    if knights != ZERO:
        return without_lowest(knights) == ZERO and bishops == ZERO
    return bishops & DARK == ZERO or bishops & ~DARK == ZERO
