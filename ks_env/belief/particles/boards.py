"""Boards as rows of a population and as TRUTH records: written out, packed, turned to the referee's frame."""

import numpy as np

from ks_env.belief.particles.layout import KINDS, Moves, Population
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.position import clear_board, play, put, refresh
from ks_env.core.record import i1, i8, u1
from ks_env.core.tables import (
    BOTH_SIDES,
    CORNERS,
    KING,
    KING_HOME,
    RIGHTS_KEYS,
    RIGHTS_LOST,
    ROOK,
    SIDE_KEY,
    TRY_FROM,
    TRY_KIND,
    TRY_TO,
)
from ks_env.games.kriegspiel.layout import View


@kernel
def shared_board(men: np.ndarray, rights: int, side: int, truth: Truth) -> None:
    """What all boards have in common: own men `men: u1[64]` by kind, own castling rights, who is to move."""
    clear_board(truth)
    for square in range(64):
        if men[square] != 0:
            put(truth, square, i8(men[square]), 0)
    truth.rights = u1(rights)
    truth.side = u1(side)
    if side != 0:
        truth.key ^= SIDE_KEY


@kernel
def whole_board(shared: Truth, men: np.ndarray, rights: int, ep: int, truth: Truth) -> None:
    """A board, on top of what all share; `refresh` is left to the caller.

    Args:
        shared: see `shared_board`.
        men: u8[KINDS], the opponent's, on squares that are free.
        rights: the opponent's castling rights.
        ep: target of an en passant capture, usable or not; -1.
        truth: overwritten.
    """
    for kind in range(1, KINDS):
        left = men[kind]
        while left != ZERO:
            put(truth, lowest(left), kind, 1)
            left = without_lowest(left)
    truth.rights = u1(i8(shared.rights) | rights)
    truth.key ^= RIGHTS_KEYS[i8(truth.rights)]
    truth.ep = i1(ep)


@kernel
def board_of(population: Population, i: int, ep: int, shared: Truth, out: np.ndarray, at: int) -> None:
    """Write board i of a population, on top of what all share, to `out[at]`, a TRUTH, refreshed.

    Args:
        ep: target of an en passant capture, usable or not; -1.
        shared: see `shared_board`; not in `out[at]`.
    """
    out[at] = shared
    whole_board(shared, population.men[i], i8(population.rights[i]), ep, out[at])
    refresh(out[at])


@kernel
def rights_at_home(truth: Truth, rights: int) -> int:
    """Those of the opponent's castling rights, as Black's, whose king and rook stand at home."""
    if truth.men[KING_HOME ^ 56] != (KING | 8):
        return 0
    for corner in CORNERS[2:]:
        if truth.men[corner] != (ROOK | 8):
            rights &= ~RIGHTS_LOST[corner]
    return rights


@kernel
def add_their_rights(truth: Truth, rights: int) -> None:
    """Castling that the opponent may still have (king side 1, queen side 2), where its men are at home."""
    truth.rights = u1(i8(truth.rights) | rights_at_home(truth, rights << 2))
    truth.key ^= RIGHTS_KEYS[i8(truth.rights)]


@kernel
def pack(truth: Truth, men: np.ndarray) -> None:
    """The opponent's men by kind, into `men: u8[KINDS]`."""
    for kind in range(KINDS):
        men[kind] = truth.kinds[kind] & truth.seats[1]


@kernel
def passed_square(view: View) -> int:
    """The square that an own pawn has just passed over by a double step; -1."""
    return i8(view.stepped) - 8 if view.stepped >= 0 else -1


@kernel
def after_own_move(men: np.ndarray, rights: int, view: View, truths: np.ndarray, out: np.ndarray) -> int:
    """Own men after the own accepted move `view.last`, into `out: u1[64]`; own castling rights then.

    Args:
        men: u1[64], own men before it.
        rights: own castling rights before it.
        view: VIEW after it.
        truths: TRUTH[at least 1], overwritten.
        out: see above; it may be `men`.
    """
    truth = truths[0]
    shared_board(men, rights, 0, truth)
    action = i8(view.last)
    play(truth, i8(TRY_FROM[action]), i8(TRY_TO[action]), i8(TRY_KIND[action]))
    for square in range(64):
        out[square] = truth.men[square]
    return i8(truth.rights)


@kernel
def lay_out(
    population: Population,
    count: int,
    origins: bool,
    shared: Truth,
    ep: int,
    moves: Moves,
) -> None:
    """Write the first boards of a population, or their origins, to `moves.boards`, refreshed.

    Args:
        origins: the origins instead of the boards.
        shared: what all have in common.
        ep: target of an en passant capture on all of them; -1.
        moves: `boards` are overwritten.
    """
    for i in range(count):
        if not origins:
            board_of(population, i, ep, shared, moves.boards, i)
            continue
        truth = moves.boards[i]
        moves.boards[i] = shared
        whole_board(shared, population.origin[i], i8(population.origin_rights[i]), ep, truth)
        refresh(truth)


@kernel
def turn_round(source: Truth, out: Truth) -> None:
    """A board seen by the other seat: ranks mirrored, colours changed; `refresh` is left to the caller.

    Args:
        source: not `out`.
        out: overwritten, an empty board before (`clear_board`).
    """
    for square in range(64):
        man = i8(source.men[square])
        if man != 0:
            put(out, square ^ 56, man & 7, 1 - (man >> 3))
    rights = i8(source.rights)
    out.rights = u1(((rights & BOTH_SIDES) << 2) | (rights >> 2))
    out.key ^= RIGHTS_KEYS[i8(out.rights)]
    out.side = u1(1 - i8(source.side))
    if out.side != 0:
        out.key ^= SIDE_KEY
    out.ep = i1(i8(source.ep) ^ 56) if source.ep >= 0 else i1(-1)


@kernel
def to_referee(
    population: Population, rows: np.ndarray, view: View, truths: np.ndarray, out: np.ndarray
) -> None:
    """Write boards as the referee would have them.

    Args:
        rows: i8[M], which of them.
        view: VIEW that they fit.
        truths: TRUTH[at least 2], overwritten.
        out: TRUTH[M], overwritten.
    """
    passed = -1 if view.turn else passed_square(view)
    shared_board(view.men, i8(view.rights), 0 if view.turn else 1, truths[0])
    truth = truths[1]
    for k in range(rows.shape[0]):
        i = rows[k]
        truths[1] = truths[0]
        ep = i8(population.ep[i]) if view.turn else passed
        whole_board(truths[0], population.men[i], i8(population.rights[i]), ep, truth)
        if view.seat == 0:
            out[k] = truths[1]
        else:
            clear_board(out[k])
            turn_round(truth, out[k])
        out[k].move_number = view.moves
        refresh(out[k])
