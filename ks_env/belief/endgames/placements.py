"""All placements of an ending's men up to symmetry, numbered, with all their tries."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ks_env.belief.endgames.ending import Ending
from ks_env.belief.endgames.geometry import (
    CHECK_TYPES,
    MOST_MOVES,
    MOVE,
    SYMMETRIES,
    copy_to,
    full_set,
    key_of,
    list_moves,
    turned_square,
)
from ks_env.core.bits import has
from ks_env.core.jit import kernel
from ks_env.core.tables import BISHOP, DARK

Array = np.ndarray[Any, Any]


class Placements(NamedTuple):
    """The placements of one ending.

    Attributes:
        kinds: u1[M], the king first.
        squares: i8[P, M] of the men, in the order of `kinds`.
        full: u8[P], where the bare king can stand.
        number: i4[64 ** M] by `key_of`: the placement that stands for it, -1 where there is none.
        turn: u1[64 ** M] by `key_of`: the symmetry that turns it to the one that stands for it.
    """

    kinds: npt.NDArray[np.uint8]
    squares: npt.NDArray[np.int64]
    full: npt.NDArray[np.uint64]
    number: npt.NDArray[np.int32]
    turn: npt.NDArray[np.uint8]


@kernel
def _unpack(key: int, squares: Array) -> None:
    """The squares of a key, the inverse of `key_of`."""
    for i in range(squares.shape[0] - 1, -1, -1):
        squares[i] = key & 63
        key >>= 6


@kernel
def _possible(kinds: Array, squares: Array) -> bool:
    """Whether the men stand on different squares, and two bishops on different colours."""
    for i in range(squares.shape[0]):
        for j in range(i):
            if squares[i] == squares[j]:
                return False
            if kinds[i] == BISHOP and kinds[j] == BISHOP and has(DARK, squares[i]) == has(DARK, squares[j]):
                return False
    return True


@kernel
def _number_all(kinds: Array, number: Array, turn: Array, squares: Array) -> int:
    """Number the placements by the least key among each one's images; how many there are."""
    here, image = np.zeros(kinds.shape[0], np.int64), np.zeros(kinds.shape[0], np.int64)
    count = 0
    for key in range(number.shape[0]):
        _unpack(key, here)
        if not _possible(kinds, here) or key_of(kinds, here) != key:
            continue
        least, by = key, 0
        for symmetry in range(1, SYMMETRIES):
            for i in range(here.shape[0]):
                image[i] = turned_square(here[i], symmetry)
            other = key_of(kinds, image)
            if other < least:
                least, by = other, symmetry
        if least == key:
            number[key] = count
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
        full[place] = full_set(kinds, squares[place], boards)


@kernel
def moves_of(places: Any, squares: Array, out: Array) -> int:
    """All tries of a placement in any of its images, with where they lead, into `out: MOVE[MOST_MOVES]`.

    `squares: i8[M]` is changed and put back; the number of tries is returned.
    """
    boards = np.zeros(CHECK_TYPES, np.uint64)
    count = list_moves(places.kinds, squares, boards, out)
    after = squares.copy()
    for i in range(count):
        for man in range(squares.shape[0]):
            after[man] = out[i].end if squares[man] == out[i].start else squares[man]
        key = key_of(places.kinds, after)
        out[i].place, out[i].turn = places.number[key], places.turn[key]
    return count


@kernel
def _list_all(places: Any, first: Array, out: Array, count_only: bool) -> None:
    """Count the tries of every placement into `first: i8[P + 1]`, or write them to `out`."""
    found = np.zeros(MOST_MOVES, MOVE)
    squares = np.zeros(places.kinds.shape[0], np.int64)
    for place in range(places.full.shape[0]):
        copy_to(squares, places.squares[place])
        count = moves_of(places, squares, found)
        if count_only:
            first[place + 1] = first[place] + count
        else:
            copy_to(out[first[place] :], found[:count])


def list_placements(ending: Ending) -> Placements:
    """Number the placements of an ending."""
    kinds = ending.kinds
    number = np.full(64**ending.size, -1, np.int32)
    turn = np.zeros(64**ending.size, np.uint8)
    squares = np.zeros((64**ending.size // 4, ending.size), np.int64)
    squares = squares[: _number_all(kinds, number, turn, squares)].copy()
    full = np.zeros(len(squares), np.uint64)
    _fill_full(kinds, squares, full)
    return Placements(kinds, squares, full, number, turn)


def all_moves(places: Placements) -> tuple[npt.NDArray[np.int64], Array]:
    """The tries of all placements: MOVE[T], and i8[P + 1], where those of each begin."""
    first = np.zeros(len(places.full) + 1, np.int64)
    _list_all(places, first, np.zeros(0, MOVE), True)
    moves = np.zeros(first[-1], MOVE)
    _list_all(places, first, moves, False)
    return first, moves
