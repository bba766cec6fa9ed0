"""Lists of tries: what the lists of all games are made with."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, random_below, without_lowest
from ks_env.core.choosing import clear_where, mark_chosen, put_chosen
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, SeatView
from ks_env.core.memory import MOST_TRIES as MOST_TRIES
from ks_env.core.memory import scratch_for_tries
from ks_env.core.record import i8, u8
from ks_env.core.tables import (
    ANY,
    BETWEEN,
    CASTLED_KINGS,
    CORNERS,
    FIRST_TRY,
    KING,
    KING_HOME,
    KING_MOVES,
    KING_SIDE,
    KNIGHT,
    PAWN,
    PAWN_ATTACKS,
    PAWN_TRIES,
    QUEEN_SIDE,
    RANK_8,
    REACHES,
    TRIES,
    TRY_FROM,
    TRY_INDEX,
    TRY_KIND,
    TRY_TO,
    UNDER_INDEX,
)

OWN_BOARD, INFORMED = 0, 1
KING_SIDE_WAY, QUEEN_SIDE_WAY = (BETWEEN[KING_HOME, corner] for corner in CORNERS[:2])  # up to the rook
CASTLING = tuple(int(TRY_INDEX[KING_HOME, end]) for end in CASTLED_KINGS[:2])
MOST_PADDED = 256  # nine queens and all other men have fewer tries


@kernel
def refused(view: SeatView, action: int) -> bool:
    """Whether the try was refused this turn."""
    return has(view.refused[action >> 6], action & 63)


@kernel
def number_of(start: int, end: int, under: int) -> int:
    """The number of a move in the seat's frame; `under` is the kind of an under-promotion, else 0."""
    if under != 0:
        return i8(UNDER_INDEX[start & 7, (end & 7) - (start & 7) + 1]) + under - KNIGHT
    return i8(TRY_INDEX[start, end])


@kernel
def open_castling(view: SeatView, occupied: np.uint64) -> int:
    """Castling to which the seat has the right and no known man is in the way, as bits.

    The right implies that king and rook stand at home; Black's board is mirrored by rank only.
    """
    sides = i8(view.rights)
    if occupied & KING_SIDE_WAY != ZERO:
        sides &= QUEEN_SIDE
    return sides & KING_SIDE if occupied & QUEEN_SIDE_WAY != ZERO else sides


@kernel
def king_may(view: SeatView, occupied: np.uint64, start: int, end: int) -> bool:
    """Whether the king's step or castling is pseudo-legal over the men that are known."""
    if has(KING_MOVES[start], end):
        return True
    sides = open_castling(view, occupied) if start == KING_HOME else 0
    return (end == 6 and sides & KING_SIDE != 0) or (end == 2 and sides & QUEEN_SIDE != 0)


def nonsense_kernel(known: Callable[..., np.uint64], prey: Callable[..., np.uint64]) -> Callable[..., bool]:
    """A kernel that tells of a view and a try whether it is nonsense: not on the own board, or refused.

    Args:
        known: of a view: the men of both sides that certainly stand.
        prey: of a view: squares on which a pawn may capture.
    """

    @kernel
    def on_own_board(view: Any, action: int) -> bool:
        """Whether the try is in the own-board mask, without listing it."""
        if action < 0 or action >= ANY:
            return False
        start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
        kind = i8(view.men[start])
        if kind == 0 or has(view.own, end):
            return False
        occupied = known(view)
        if kind == PAWN:
            if end - start == 8:
                return not has(occupied, end)
            if end - start == 16:
                return start < 16 and not has(occupied, start + 8) and not has(occupied, end)
            return has(PAWN_ATTACKS[0, start], end) and has(prey(view), end)
        if TRY_KIND[action] != 0:
            return False
        if kind == KING:
            return king_may(view, occupied, start, end)
        return has(man_attacks(kind, start, occupied), end)

    @kernel
    def is_nonsense(view: Any, action: int) -> bool:
        """Hopeless for what the seat has been told, or refused already this turn."""
        return not on_own_board(view, action) or refused(view, action)

    return is_nonsense


@kernel
def add_targets(out: np.ndarray, n: int, start: int, targets: np.uint64) -> int:
    """Append the moves of a man to the targets, a pawn's left out; the new number of tries."""
    return put_chosen(TRY_INDEX, start, targets, out, n)


@kernel
def add_pawn_moves(out: np.ndarray, n: int, targets: np.uint64, step: int) -> int:
    """Moves of pawns that land on the targets, having come `step` squares up the board."""
    n = put_chosen(PAWN_TRIES, step, targets & ~RANK_8, out, n)
    targets &= RANK_8
    while targets != ZERO:
        end = lowest(targets)
        targets = without_lowest(targets)
        out[n] = TRY_INDEX[end - step, end]
        n += 1
        first = UNDER_INDEX[(end - step) & 7, (end & 7) - ((end - step) & 7) + 1]
        for kind in range(3):
            out[n] = first + kind
            n += 1
    return n


@kernel
def add_all_pawn_moves(
    out: np.ndarray, n: int, west: np.uint64, east: np.uint64, one: np.uint64, two: np.uint64
) -> int:
    """Moves of pawns: where they land capturing to the west and east, going on one square, and two."""
    n = add_pawn_moves(out, n, west, 7)
    n = add_pawn_moves(out, n, east, 9)
    n = add_pawn_moves(out, n, one, 8)
    return add_pawn_moves(out, n, two, 16)


@kernel
def add_try(out: np.ndarray, n: int, action: int) -> int:
    """Append a single try."""
    out[n] = action
    return n + 1


@kernel
def add_castling(out: np.ndarray, n: int, sides: int) -> int:
    """Append castling to these sides, see `open_castling`."""
    if sides & KING_SIDE:
        n = add_try(out, n, CASTLING[0])
    return add_try(out, n, CASTLING[1]) if sides & QUEEN_SIDE else n


@kernel
def without_refused(view: SeatView, out: np.ndarray, n: int) -> int:
    """Drop what was refused this turn from the first n tries; how many are left."""
    kept = 0
    for i in range(n):
        action = out[i]
        out[kept] = action
        kept += 1 - refused(view, action)
    return kept


@kernel
def mark_targets(mask: np.ndarray, n: int, start: int, targets: np.uint64) -> int:
    """As `add_targets`, in a mask; n is given back."""
    mark_chosen(TRY_INDEX, FIRST_TRY, REACHES, start, targets, mask)
    return n


@kernel
def mark_all_pawn_moves(
    mask: np.ndarray, n: int, west: np.uint64, east: np.uint64, one: np.uint64, two: np.uint64
) -> int:
    """As `add_all_pawn_moves`, in a mask; n is given back."""
    pawns = (west >> u8(7)) | (east >> u8(9)) | (one >> u8(8)) | (two >> u8(16))
    while pawns != ZERO:
        start = lowest(pawns)
        pawns = without_lowest(pawns)
        targets = (west & bit(start + 7)) | (east & bit((start + 9) & 63)) | (one & bit(start + 8))
        mark_targets(mask, n, start, targets | (two & bit((start + 16) & 63)))
    for targets, step in ((west & RANK_8, 7), (east & RANK_8, 9), (one & RANK_8, 8)):
        left = targets
        while left != ZERO:
            end = lowest(left)
            left = without_lowest(left)
            first = i8(UNDER_INDEX[(end - step) & 7, (end & 7) - ((end - step) & 7) + 1])
            for kind in range(3):
                mask[first + kind] = 1
    return n


@kernel
def mark_try(mask: np.ndarray, n: int, action: int) -> int:
    """As `add_try`, in a mask; n is given back."""
    mask[action] = 1
    return n


@kernel
def unmark_refused(view: SeatView, mask: np.ndarray, n: int) -> int:
    """As `without_refused`, in a mask; n is given back."""
    clear_where(view.refused, mask)
    return n


class Adding(NamedTuple):
    """What the tries of a game are put down with, so that its rules are written once.

    Attributes:
        targets: (out, n, start, targets): of a man that is no pawn.
        pawns: (out, n, west, east, one, two): of all pawns.
        one: (out, n, action): a single one.
        drop_refused: (view, out, n): without those that were refused.
    """

    targets: Callable[..., int]
    pawns: Callable[..., int]
    one: Callable[..., int]
    drop_refused: Callable[..., int]


TO_LIST = Adding(add_targets, add_all_pawn_moves, add_try, without_refused)
TO_MASK = Adding(mark_targets, mark_all_pawn_moves, mark_try, unmark_refused)


@kernel
def clear_mask(mask: np.ndarray) -> None:
    """No try: `mask: i1[ACTIONS]` becomes 0."""
    for i in range(TRIES):
        mask[i] = 0


def mask_of_list(list_tries: Callable[..., int]) -> Callable[..., None]:
    """A kernel that marks, in an empty mask, the tries of a game that are listed; see `GameKernels`."""

    @kernel
    def mark_tries(view: Any, rules: Rules, level: int, mask: np.ndarray) -> None:
        scratch = scratch_for_tries()
        for i in range(list_tries(view, rules, level, scratch)):
            mask[u8(scratch[i])] = 1

    return mark_tries


@kernel
def draw_try(scratch: np.ndarray, n: int, random: np.ndarray, stream: int) -> int:
    """One of the first n tries, but "any?" (which is listed last) only when there is no other."""
    if n > 1 and scratch[n - 1] == ANY:
        n -= 1
    return i8(scratch[random_below(random, stream, n)])


@kernel
def keep_landing(tries: np.ndarray, n: int, board: np.uint64) -> int:
    """Move those of the first n tries that land on the board to the front, in their order; how many."""
    kept = 0
    for i in range(n):
        if tries[i] != ANY and has(board, i8(TRY_TO[tries[i]])):
            tries[kept] = tries[i]
            kept += 1
    return kept


MaskLevel = Literal["informed", "own-board"]
LEVELS: dict[str, int] = {"informed": INFORMED, "own-board": OWN_BOARD}


def mask_level(name: str) -> int:
    """The number of a mask level for the kernels.

    Raises:
        ValueError: no such level.
    """
    if name not in LEVELS:
        raise ValueError(f"unknown mask {name!r}; expected one of {', '.join(LEVELS)}")
    return LEVELS[name]
