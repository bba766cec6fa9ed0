"""How the own men stood in earlier turns: what a seat can know of repetition."""

import numpy as np

from ks_env.core.bits import ZERO, bit
from ks_env.core.jit import kernel
from ks_env.core.layout import SeatView
from ks_env.core.record import Array, Record, dtype_of, field, i8, u2
from ks_env.core.tables import MAN_KEYS, PAWN, QUEEN, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.kriegspiel.layout import View

PAST = 50  # turns that are remembered; the fifty-move rule ends the game after so many


class Placements(Record):
    """Keys of the own men's placements at the beginning of own turns."""

    keys: Array = field("u8", (PAST,))  # that of turn t at t % PAST
    turns: int = field("u2")  # own turns noted
    noted: int = field("u2")  # 1 + half-moves told at the last of them


PLACEMENTS = dtype_of(Placements)


@kernel
def placement_key(view: View) -> np.uint64:
    """A key of where the own men stand."""
    key = ZERO
    for square in range(64):
        if view.men[square] != 0:
            key ^= MAN_KEYS[view.men[square], square]
    return key


@kernel
def kind_after(view: SeatView, action: int) -> int:
    """Kind of the man that makes a try, once it has: what it is promoted to."""
    kind = i8(view.men[TRY_FROM[action]])
    if kind != PAWN or TRY_TO[action] < 56:
        return kind
    return i8(TRY_KIND[action]) if TRY_KIND[action] != 0 else QUEEN


@kernel
def key_after(key: np.uint64, view: View, action: int) -> np.uint64:
    """The key after a try, the rook's part of castling left out."""
    start, end = TRY_FROM[action], TRY_TO[action]
    return key ^ MAN_KEYS[view.men[start], start] ^ MAN_KEYS[kind_after(view, action), end]


@kernel
def note_placement(past: Placements, view: View, stamp: int) -> None:
    """Remember the placement of a turn, once, `stamp` being the number of half-moves told."""
    if view.turn != 0 and i8(past.noted) != stamp + 1:
        past.noted = u2(stamp + 1)
        past.keys[i8(past.turns) % PAST] = placement_key(view)
        past.turns += u2(1)


@kernel
def turns_back(past: Placements, view: View) -> int:
    """How many turns have been noted since the last irreversible move that is known."""
    return min(i8(past.turns), PAST, i8(view.fifty) // 2 + 1)


@kernel
def seen_keys(past: Placements, view: View) -> np.uint64:
    """The last six bits of the keys of those turns: bit b for bits that read b."""
    found = ZERO
    for back in range(turns_back(past, view)):
        found |= bit(i8(past.keys[(i8(past.turns) - 1 - back) % PAST] & np.uint64(63)))
    return found


@kernel
def times_stood(past: Placements, view: View, key: np.uint64) -> int:
    """In how many turns since the last irreversible move that is known the own men stood so."""
    count, turns = 0, i8(past.turns)
    for back in range(turns_back(past, view)):
        count += i8(past.keys[(turns - 1 - back) % PAST] == key)
    return count
