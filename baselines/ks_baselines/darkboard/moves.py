"""The moves of a metaposition, and what the referee is assumed to say to them (§3.1).

See Ciancarini and Favini (2007, §3.2, `generate`).

Below the root they are the pseudo-legal moves over the own men and over squares that are certainly occupied,
which end a slide. Pawns capture nothing there, since pawn tries are never predicted (Ciancarini and Favini
2007, §3.1), and become queens. A move is packed as `start | end << 6 | kind << 12 | under << 16`.

"Every move is always assumed to be legal" needs no code: whatever is generated is made. The rules of the
opponent's turn need no code of their own beyond `simulate_meta`, which makes it silent: it captures nothing
("the opponent never captures any pieces"), gives no check ("never threatens the allied King") and leaves no
pawn tries ("pawn tries for the artificial player are never generated"), so that below the root no pawn
captures are generated.
"""

import numpy as np

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.tables import (
    BETWEEN,
    BEYOND,
    KING,
    KING_MOVES,
    KING_SIDE,
    KNIGHT,
    PAWN,
    PAWN_ATTACKS,
    QUEEN_SIDE,
    RANK_3,
    TRY_INDEX,
)
from ks_env.core.tries import number_of, refused
from ks_env.games.kriegspiel.layout import View

MOST_MOVES = 512


@kernel
def pack(start: int, end: int, kind: int, under: int) -> int:
    """A move as one number."""
    return start | end << 6 | kind << 12 | under << 16


@kernel
def start_of(move: int) -> int:
    """The square it leaves."""
    return move & 63


@kernel
def end_of(move: int) -> int:
    """The square it reaches."""
    return move >> 6 & 63


@kernel
def kind_of(move: int) -> int:
    """Kind of the man that moves."""
    return move >> 12 & 15


@kernel
def under_of(move: int) -> int:
    """Kind of an under-promotion, else 0."""
    return move >> 16


def action_of(move: int) -> int:
    """The number of the try that a packed move stands for."""
    return int(number_of(start_of(move), end_of(move), under_of(move)))


@kernel
def _add(out: np.ndarray, n: int, start: int, kind: int, targets: np.uint64) -> int:
    while targets != ZERO:
        out[n] = pack(start, lowest(targets), kind, 0)
        n += 1
        targets = without_lowest(targets)
    return n


@kernel
def _add_pushes(out: np.ndarray, n: int, targets: np.uint64, step: int) -> int:
    while targets != ZERO:
        end = lowest(targets)
        targets = without_lowest(targets)
        out[n] = pack(end - step, end, PAWN, 0)
        n += 1
    return n


@kernel
def _add_pawns(m: Metaposition, out: np.ndarray, n: int) -> int:
    free = m.ghosts[0] & ~m.own[0]
    one = (m.own[PAWN] << np.uint64(8)) & free
    two = ((one & RANK_3) << np.uint64(8)) & free
    return _add_pushes(out, _add_pushes(out, n, one, 8), two, 16)


@kernel
def _add_king(m: Metaposition, out: np.ndarray, n: int) -> int:
    king = lowest(m.own[KING])
    n = _add(out, n, king, KING, KING_MOVES[king] & ~m.own[0])
    free = m.ghosts[0] & ~m.own[0]
    if m.rights & KING_SIDE and BETWEEN[king, king + 3] & ~free == ZERO:
        out[n] = pack(king, king + 2, KING, 0)
        n += 1
    if m.rights & QUEEN_SIDE and BETWEEN[king, king - 4] & ~free == ZERO:
        out[n] = pack(king, king - 2, KING, 0)
        n += 1
    return n


@kernel
def generate(m: Metaposition, out: np.ndarray) -> int:
    """Write the moves to `out: i4[MOST_MOVES]`; how many."""
    n = _add_pawns(m, out, 0)
    occupied = ~m.ghosts[0]
    for kind in range(KNIGHT, KING):
        men = m.own[kind]
        while men != ZERO:
            start = lowest(men)
            men = without_lowest(men)
            n = _add(out, n, start, kind, man_attacks(kind, start, occupied) & ~m.own[0])
    return _add_king(m, out, n)


NOTHING, A_PAWN, A_PIECE = 0, 1, 2  # what a simulated move captures


@kernel
def is_pawn_try(kind: int, start: int, end: int) -> bool:
    """A pawn's diagonal move captures by its own nature."""
    return kind == PAWN and (start ^ end) & 7 != 0


@kernel
def lands_on_a_man(m: Metaposition, kind: int, end: int) -> bool:
    """A man other than a pawn that lands where the pseudo-piece Empty is not set captures."""
    return kind != PAWN and not has(m.ghosts[0] | m.own[0], end)


@kernel
def shorter_than_refused(view: View, kind: int, start: int, end: int) -> bool:
    """A slide one square shorter than one that was refused this turn is considered a capture."""
    if view.refusals == 0 or view.refused_from[start] == 0:
        return False
    if kind == KNIGHT or kind == KING or kind == PAWN:
        return False
    beyond = BEYOND[start, end]
    step = (end - start) // max(abs((end >> 3) - (start >> 3)), abs((end & 7) - (start & 7)))
    return beyond != ZERO and refused(view, TRY_INDEX[start, end + step])


@kernel
def captured_kind(m: Metaposition, end: int) -> int:
    """The captured man is a pawn, unless pawns are impossible on that square."""
    return A_PAWN if has(m.ghosts[PAWN], end) else A_PIECE


@kernel
def gives_pawn_try(m: Metaposition, end: int) -> bool:
    """The opponent gets a pawn try if the man that just moved may be the target of a pawn's capture."""
    return PAWN_ATTACKS[0, end] & m.ghosts[PAWN] != ZERO


@kernel
def predicted_capture(m: Metaposition, kind: int, start: int, end: int) -> int:
    """What an own move captures, as far as the metaposition tells: NOTHING, A_PAWN or A_PIECE."""
    if is_pawn_try(kind, start, end) or lands_on_a_man(m, kind, end):
        return captured_kind(m, end)
    return NOTHING
