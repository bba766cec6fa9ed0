"""All placements of an ending's men, and what each of their tries tells about the bare king, as boards.

With the men placed, everything the referee can say after a try depends on the bare king's square alone. So
a try is a handful of boards: where it is legal, where it spoils the win, and how its announcements divide
the rest. No square is looked at by itself:

    legal     the king's squares from which the referee accepts the try
    bad       those of them from which it stalemates, or lets the king take a man
    answers   the rest, divided by what is announced: nothing, or the types of check
    full      where the king can stand after its reply

The king's replies from a set of squares are the king's steps from them that lie in `full`: a square that
is attacked when the king is lifted off the board is attacked, since a bare king shields nothing.

Squares may be turned by the eight symmetries of the board, numbered by bits: 1 mirrors the files, 2 the
ranks, 4 then swaps ranks and files. Every announcement but the words "rank" and "file" keeps under them,
and those two are swapped together, so that the solution of a placement serves its seven images. Placements
are numbered up to symmetry.

A pawn has no symmetry but the first. Its promotion to a queen or a rook leads to the placements of another
ending, which are numbered behind the ending's own; to a knight or a bishop is a draw, and is left out.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ks_env.belief.endgames.ending import Ending
from ks_env.belief.metaposition.boards import king_squares
from ks_env.core.answers import CHECKS, LONG
from ks_env.core.attacks import line_attacks, man_attacks
from ks_env.core.bits import ONE, ZERO, bit, flip, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import Array, Record, dtype_of, field
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    CHECK_OF_LINE,
    DARK,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    LINES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    RANK_1,
    RANK_3,
    RANK_8,
    ROOK,
    TRY_INDEX,
    UNDER_INDEX,
)

CHECK_TYPES = len(CHECKS)
MOST_ANSWERS = 8
MOST_MOVES = 48  # a king's 8 and twice a queen's 27 is more than any ending here has
SYMMETRIES = 8
PAWN_SYMMETRIES = 2
PROMOTIONS = (QUEEN, ROOK)


class Move(Record):
    """One try of a placement, with all that the referee may say to it."""

    legal: np.uint64 = field("u8")
    bad: np.uint64 = field("u8")
    full: np.uint64 = field("u8")
    answers: Array = field("u8", (MOST_ANSWERS,))
    checks: Array = field("u1", (MOST_ANSWERS,))  # check types announced with each answer, as bits
    count: int = field("u1")  # of answers
    start: int = field("u1")
    end: int = field("u1")
    promotion: int = field("u1")  # kind that a pawn becomes, else 0
    turn: int = field("u1")  # symmetry that turns the new placement to the one that is listed ...
    place: int = field("i4")  # ... under this number


MOVE = dtype_of(Move)

# Squares whose rising diagonal is the longer of their two.
LONG_RISING = np.uint64(sum(1 << s for s in range(64) if CHECK_OF_LINE[s, 2] == LONG))
BACK = np.array([0, 1, 2, 3, 4, 6, 5, 7], np.uint8)  # the symmetry that undoes each

_ODD_FILES = np.uint64(0x5555555555555555)
_ODD_PAIRS = np.uint64(0x3333333333333333)
_LOW_HALVES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BLOCKS_4 = np.uint64(0x0F0F0F0F00000000)
_BLOCKS_2 = np.uint64(0x3333000033330000)
_BLOCKS_1 = np.uint64(0x5500550055005500)
_S1, _S2, _S4, _S7, _S8, _S14, _S28 = (np.uint64(n) for n in (1, 2, 4, 7, 8, 14, 28))


@kernel
def _mirrored(board: np.uint64) -> np.uint64:
    """The board with its files in opposite order."""
    board = ((board >> _S1) & _ODD_FILES) | ((board & _ODD_FILES) << _S1)
    board = ((board >> _S2) & _ODD_PAIRS) | ((board & _ODD_PAIRS) << _S2)
    return ((board >> _S4) & _LOW_HALVES) | ((board & _LOW_HALVES) << _S4)


@kernel
def _transposed(board: np.uint64) -> np.uint64:
    """The board with ranks and files swapped."""
    swap = _BLOCKS_4 & (board ^ (board << _S28))
    board ^= swap ^ (swap >> _S28)
    swap = _BLOCKS_2 & (board ^ (board << _S14))
    board ^= swap ^ (swap >> _S14)
    swap = _BLOCKS_1 & (board ^ (board << _S7))
    return board ^ swap ^ (swap >> _S7)


@kernel
def turned(board: np.uint64, symmetry: int) -> np.uint64:
    """The board under a symmetry."""
    if symmetry & 1:
        board = _mirrored(board)
    if symmetry & 2:
        board = flip(board)
    if symmetry & 4:
        board = _transposed(board)
    return board


@kernel
def turned_square(square: int, symmetry: int) -> int:
    """The square under a symmetry."""
    file, rank = square & 7, square >> 3
    if symmetry & 1:
        file = 7 - file
    if symmetry & 2:
        rank = 7 - rank
    return file * 8 + rank if symmetry & 4 else rank * 8 + file


@kernel
def copy_to(target: Array, source: Array) -> None:
    """Copy all of `source` to the beginning of `target` (slices would take seconds more to compile)."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@kernel
def key_of(kinds: Array, squares: Array) -> int:
    """Number of a placement before symmetry: six bits a man; of two alike, the lower or light one first."""
    key = squares[0]
    if kinds.shape[0] < 3:
        return key * 64 + squares[1]
    first, second = squares[1], squares[2]
    if kinds[1] == kinds[2]:
        first_dark = (DARK >> np.uint64(first)) & ONE
        second_dark = (DARK >> np.uint64(second)) & ONE
        if first_dark > second_dark or (first_dark == second_dark and first > second):
            first, second = second, first
    return (key * 64 + first) * 64 + second


@kernel
def men_board(squares: Array) -> np.uint64:
    """The board of all the men."""
    men = ZERO
    for i in range(squares.shape[0]):
        men |= bit(squares[i])
    return men


@kernel
def check_boards(kinds: Array, squares: Array, out: Array) -> np.uint64:
    """Where the bare king would be in check, by type, into `out: u8[5]`; their union is returned."""
    men = men_board(squares)
    out[:] = ZERO
    for i in range(1, kinds.shape[0]):
        kind, square = kinds[i], squares[i]
        if kind == KNIGHT:
            out[4] |= KNIGHT_MOVES[square]
        if kind == ROOK or kind == QUEEN:
            out[0] |= line_attacks(square, 0, men)
            out[1] |= line_attacks(square, 1, men)
        if kind == BISHOP or kind == QUEEN:
            rising, falling = line_attacks(square, 2, men), line_attacks(square, 3, men)
            out[2] |= (rising & LONG_RISING) | (falling & ~LONG_RISING)
            out[3] |= (rising & ~LONG_RISING) | (falling & LONG_RISING)
        if kind == PAWN:
            seen = PAWN_ATTACKS[0, square]
            rising = seen & LINES[square, 2]
            out[2] |= (rising & LONG_RISING) | (seen & ~rising & ~LONG_RISING)
            out[3] |= (rising & ~LONG_RISING) | (seen & ~rising & LONG_RISING)
    return out[0] | out[1] | out[2] | out[3] | out[4]


@kernel
def full_set(kinds: Array, squares: Array, boards: Array) -> np.uint64:
    """Where the bare king can stand with its opponent to move; `boards: u8[5]` is scratch."""
    attacked = check_boards(kinds, squares, boards) | KING_MOVES[squares[0]]
    return ~(attacked | men_board(squares))


@kernel
def _divide(rest: np.uint64, boards: Array, move: Any) -> None:
    """Fill in the answers of a move: `rest` divided by the announced check types."""
    answers, checks = move.answers, move.checks
    answers[0], checks[0] = rest, 0
    count = 1
    for kind in range(CHECK_TYPES):
        for i in range(count):
            inside = answers[i] & boards[kind]
            outside = answers[i] & ~boards[kind]
            if inside != ZERO and outside != ZERO:
                answers[i], answers[count] = outside, inside
                checks[count] = checks[i] | (1 << kind)
                count += 1
            elif inside != ZERO:
                checks[i] |= 1 << kind
    move.count = count if rest != ZERO else 0


@kernel
def describe(kinds: Array, after: Array, legal: np.uint64, boards: Array, move: Any) -> None:
    """Fill in what a move brings, given the men's squares after it and where it is legal."""
    men = men_board(after)
    checked = check_boards(kinds, after, boards)
    attacked = checked | KING_MOVES[after[0]]
    full = ~(attacked | men)
    stalemated = ~checked & ~king_squares(full)
    move.legal = legal
    move.full = full
    move.bad = legal & (stalemated | king_squares(men & ~attacked))
    _divide(legal & ~move.bad, boards, move)


@kernel
def legal_set(kind: int, start: int, end: int, full: np.uint64) -> np.uint64:
    """The bare king's squares, of those in `full`, from which the try is legal."""
    if kind == KING:
        return full & ~(KING_MOVES[end] | bit(end))
    return full & ~(BETWEEN[start, end] | bit(end))


@kernel
def replies_to(kinds: Array, after: Array, at: np.uint64, checks: int, boards: Array) -> np.uint64:
    """Where the king may stand once it has replied from `at`, told these check types (bits), taking nothing.

    `after` are the men's squares after the move, `boards: u8[5]` is scratch.
    """
    attacked = check_boards(kinds, after, boards) | KING_MOVES[after[0]]
    for kind in range(CHECK_TYPES):
        at &= boards[kind] if (checks >> kind) & 1 else ~boards[kind]
    return king_squares(at) & ~(attacked | men_board(after))


@kernel
def _targets(kind: int, start: int, men: np.uint64) -> np.uint64:
    """Where a man may go on a board with these men; a pawn straight on alone."""
    if kind != PAWN:
        return man_attacks(kind, start, men) & ~men
    one = (bit(start) << _S8) & ~men
    return one | (((one & RANK_3) << _S8) & ~men)


@kernel
def _list_to(
    man: int, end: int, legal: np.uint64, kinds: Array, squares: Array, boards: Array, out: Any
) -> int:
    """The moves of one man to a square into `out`: one, or one for each promotion; how many."""
    kind, start, count = kinds[man], squares[man], 1
    squares[man] = end
    if kind == PAWN and has(RANK_8, end):
        count = len(PROMOTIONS)
    for i in range(count):
        out[i].start, out[i].end, out[i].promotion = start, end, 0
        if count > 1:
            kinds[man] = out[i].promotion = PROMOTIONS[i]
        describe(kinds, squares, legal, boards, out[i])
    kinds[man], squares[man] = kind, start
    return count


@kernel
def list_moves(kinds: Array, squares: Array, boards: Array, out: Array) -> int:
    """All tries of a placement that may be legal, into `out: MOVE[MOST_MOVES]`; their number.

    `turn` and `place` are left as they are; `kinds` and `squares` are changed and put back.
    """
    men = men_board(squares)
    full = full_set(kinds, squares, boards)
    count = 0
    for i in range(kinds.shape[0]):
        targets = _targets(kinds[i], squares[i], men)
        while targets != ZERO:
            end = lowest(targets)
            targets = without_lowest(targets)
            legal = legal_set(kinds[i], squares[i], end, full)
            if legal != ZERO:
                count += _list_to(i, end, legal, kinds, squares, boards, out[count:])
    return count


def action_of(move: Any) -> int:
    """Number of the try that a MOVE is, in the seat's frame."""
    start, end, promotion = int(move["start"]), int(move["end"]), int(move["promotion"])
    if promotion in (0, QUEEN):
        return int(TRY_INDEX[start, end])
    return int(UNDER_INDEX[start & 7, end - start - 7]) + promotion - KNIGHT


class Placements(NamedTuple):
    """The placements of one ending, and behind them those that its promotions lead to.

    Attributes:
        own: how many of the placements are the ending's own.
        stages: u1[S, M], kinds of the men, the king first: of the ending, then after each promotion.
        kinds: u1[P, M] of the men, one of the `stages`.
        squares: i8[P, M] of the men, in the order of `kinds`.
        full: u8[P], where the bare king can stand.
        number: i4[S * 64 ** M] by `stage_key`: the placement that stands for it, or -1.
        turn: u1[S * 64 ** M] by `stage_key`: the symmetry that turns it to the one that stands for it.
    """

    own: int
    stages: npt.NDArray[np.uint8]
    kinds: npt.NDArray[np.uint8]
    squares: npt.NDArray[np.int64]
    full: npt.NDArray[np.uint64]
    number: npt.NDArray[np.int32]
    turn: npt.NDArray[np.uint8]


@kernel
def stage_key(stages: Array, kinds: Array, squares: Array) -> int:
    """Number of a placement before symmetry, of any of the stages."""
    stage = 0
    for i in range(1, stages.shape[0]):
        same = True
        for man in range(kinds.shape[0]):
            same &= stages[i, man] == kinds[man]
        if same:
            stage = i
    return (stage << (6 * kinds.shape[0])) + key_of(kinds, squares)


@kernel
def _unpack(key: int, squares: Array) -> None:
    """The squares of a key, the inverse of `key_of`."""
    for i in range(squares.shape[0] - 1, -1, -1):
        squares[i] = key & 63
        key >>= 6


@kernel
def _possible(kinds: Array, squares: Array) -> bool:
    """Whether the men stand on different squares, pawns on pawns' ranks, two bishops on different colours."""
    for i in range(squares.shape[0]):
        if kinds[i] == PAWN and has(RANK_1 | RANK_8, squares[i]):
            return False
        for j in range(i):
            if squares[i] == squares[j]:
                return False
            if kinds[i] == BISHOP and kinds[j] == BISHOP and has(DARK, squares[i]) == has(DARK, squares[j]):
                return False
    return True


@kernel
def _number_all(kinds: Array, begin: int, number: Array, turn: Array, squares: Array) -> int:
    """Number the placements from `begin` on by the least key among each one's images; how many there are."""
    symmetries = SYMMETRIES
    for kind in kinds:
        if kind == PAWN:
            symmetries = PAWN_SYMMETRIES
    here, image = np.zeros(kinds.shape[0], np.int64), np.zeros(kinds.shape[0], np.int64)
    count = 0
    for key in range(number.shape[0]):
        _unpack(key, here)
        if not _possible(kinds, here) or key_of(kinds, here) != key:
            continue
        least, by = key, 0
        for symmetry in range(1, symmetries):
            for i in range(here.shape[0]):
                image[i] = turned_square(here[i], symmetry)
            other = key_of(kinds, image)
            if other < least:
                least, by = other, symmetry
        if least == key:
            number[key] = begin + count
            copy_to(squares[count], here)
            count += 1
        else:
            number[key] = number[least]
            turn[key] = by
    return count


@kernel
def _fill_full(kinds: Array, squares: Array, full: Array) -> None:
    boards = np.zeros(CHECK_TYPES, np.uint64)
    for place in range(squares.shape[0]):
        full[place] = full_set(kinds[place], squares[place], boards)


@kernel
def moves_of(places: Any, kinds: Array, squares: Array, out: Array) -> int:
    """All tries of a placement in any of its images, with where they lead, into `out: MOVE[MOST_MOVES]`.

    `kinds: u1[M]` and `squares: i8[M]` are changed and put back; the number of tries is returned.
    """
    boards = np.zeros(CHECK_TYPES, np.uint64)
    count = list_moves(kinds, squares, boards, out)
    after, becomes = squares.copy(), kinds.copy()
    for i in range(count):
        for man in range(squares.shape[0]):
            moves = squares[man] == out[i].start
            after[man] = out[i].end if moves else squares[man]
            becomes[man] = out[i].promotion if moves and out[i].promotion else kinds[man]
        key = stage_key(places.stages, becomes, after)
        out[i].place, out[i].turn = places.number[key], places.turn[key]
    return count


@kernel
def _list_all(places: Any, first: Array, out: Array, count_only: bool) -> None:
    """Count the tries of every placement into `first: i8[P + 1]`, or write them to `out`."""
    found = np.zeros(MOST_MOVES, MOVE)
    kinds, squares = places.kinds[0].copy(), places.squares[0].copy()
    for place in range(places.full.shape[0]):
        copy_to(kinds, places.kinds[place])
        copy_to(squares, places.squares[place])
        count = moves_of(places, kinds, squares, found)
        if count_only:
            first[place + 1] = first[place] + count
        else:
            copy_to(out[first[place] :], found[:count])


def list_placements(ending: Ending) -> Placements:
    """Number the placements of an ending and, behind them, of those that its promotions lead to."""
    stages = np.stack([stage.kinds for stage in ending.stages])
    keys, counts = 64**ending.size, list[int]()
    number, turn = np.full((len(stages), keys), -1, np.int32), np.zeros((len(stages), keys), np.uint8)
    found = np.zeros((len(stages), keys, ending.size), np.int64)
    for i, kinds in enumerate(stages):
        counts.append(_number_all(kinds, sum(counts), number[i], turn[i], found[i]))
    squares = np.concatenate([found[i, :count] for i, count in enumerate(counts)])
    kinds, full = np.repeat(stages, counts, axis=0), np.zeros(len(squares), np.uint64)
    _fill_full(kinds, squares, full)
    return Placements(counts[0], stages, kinds, squares, full, number.ravel(), turn.ravel())


def all_moves(places: Placements) -> tuple[npt.NDArray[np.int64], Array]:
    """The tries of all placements: MOVE[T], and i8[P + 1], where those of each begin."""
    first = np.zeros(len(places.full) + 1, np.int64)
    _list_all(places, first, np.zeros(0, MOVE), True)
    moves = np.zeros(first[-1], MOVE)
    _list_all(places, first, moves, False)
    return first, moves
