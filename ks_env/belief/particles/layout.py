"""The data of a particle filter: boards with weights, and what their seat had been told by then.

A *board* is the opponent's men by kind, in the seat's frame (the seat's pawns move up); the seat's own men
are in its view. Beside each board stands the one before the opponent's last move, its *origin*, and that
move: a board can then be changed into another that explains the same announcements.
"""

from typing import Any, NamedTuple

import numpy as np

from ks_env.core.layout import TRUTH
from ks_env.core.record import Array, Record, dtype_of, field
from ks_env.games.kriegspiel.layout import VIEW, View

MOST_BOARDS = 1 << 17
MOST_MOVES = 256  # no position has as many legal tries
KINDS = 7  # boards by kind; entry 0 unused, as in TRUTH
NO_MOVE = -1


class Particles(Record):
    """A population of boards."""

    known: View = field(VIEW)  # the view that the population was last brought up to
    men: Array = field("u8", ("boards", KINDS))  # the opponent's men by kind
    origin: Array = field("u8", ("boards", KINDS))  # the same before the opponent's last move
    weight: Array = field("f8", ("boards",))  # they add up to 1
    random: Array = field("u8", (1,))  # state of the random numbers
    moved: Array = field("i2", ("boards",))  # the opponent's last try, in its own frame; NO_MOVE: no origin
    rights: Array = field("u1", ("boards",))  # the opponent's castling rights: 4 king side, 8 queen side
    origin_rights: Array = field("u1", ("boards",))
    ep: Array = field("i1", ("boards",))  # target of an en passant capture that the seat may make; -1
    mine: Array = field("u1", (64,))  # kinds of own men when the origins stood
    mine_rights: int = field("u1")  # own castling rights then
    count: int = field("i4")  # how many boards
    resampled: int = field("i4")  # how often boards were drawn by their weights
    dry: int = field("i4")  # how often all boards were contradicted
    exact: int = field("u1")  # no board was ever left out
    consistent: int = field("u1")  # the boards fit the last observation
    begun: int = field("u1")


def particles_dtype(boards: int) -> np.dtype[Any]:
    """The record of a population of at most so many boards.

    Raises:
        ValueError: the number is not from 1 to 131,072.
    """
    if not 1 <= boards <= MOST_BOARDS:
        raise ValueError(f"{boards} boards; expected 1 to {MOST_BOARDS}")
    return dtype_of(Particles, boards=boards)


class Population(NamedTuple):
    """The boards of a record as arrays, so that kernels serve every number of boards."""

    men: Array  # u8[N, KINDS]
    rights: Array  # u1[N]
    ep: Array  # i1[N]
    origin: Array  # u8[N, KINDS]
    origin_rights: Array  # u1[N]
    moved: Array  # i2[N]
    weight: Array  # f8[N]


def population_of(record: Any) -> Population:
    """The arrays of a record, not copies."""
    return Population(*(record[name] for name in Population._fields))


def make_population(boards: int) -> Population:
    """Room for so many boards."""
    return population_of(np.zeros(1, particles_dtype(boards))[0])


class Moves(NamedTuple):
    """Boards with the opponent to move, and his legal tries on each."""

    boards: Array  # TRUTH[N], in the seat's frame: the opponent is seat 1
    tries: Array  # i2[N, MOST_MOVES], numbered as the opponent does
    number: Array  # i4[N]: how many tries
    chance: Array  # f4[N, MOST_MOVES]: of each try; after `mark_fitting` 0 where it does not fit
    fit: Array  # f8[N]: the chance that the move was one that fits what was heard


class Work(NamedTuple):
    """Memory in which a population is brought up to date; one for each thread."""

    kept: Population  # a copy of the population, or of boards picked from it
    moves: Moves  # of boards at hand
    others: Moves  # of boards proposed in their place
    truths: Array  # TRUTH[3]: what all boards share, and two at hand
    keys: Array  # u8[N]: of the boards gathered
    slots: Array  # i4[S]: hash table of them, S a power of two above 2 N; -1 free
    ratio: Array  # f8[N]: of the chances to propose the way back and the way there
    rows: Array  # i4[N]: of the boards that are picked


def _make_moves(boards: int) -> Moves:
    return Moves(
        boards=np.zeros(boards, TRUTH),
        tries=np.empty((boards, MOST_MOVES), np.int16),
        number=np.zeros(boards, np.int32),
        chance=np.empty((boards, MOST_MOVES), np.float32),
        fit=np.zeros(boards, np.float64),
    )


def make_work(boards: int) -> Work:
    """Working memory for populations of at most so many boards."""
    slots = 16
    while slots < 2 * boards:
        slots *= 2
    return Work(
        kept=make_population(boards),
        moves=_make_moves(boards),
        others=_make_moves(boards),
        truths=np.zeros(3, TRUTH),
        keys=np.zeros(boards, np.uint64),
        slots=np.full(slots, -1, np.int32),
        ratio=np.zeros(boards, np.float64),
        rows=np.zeros(boards, np.int32),
    )
