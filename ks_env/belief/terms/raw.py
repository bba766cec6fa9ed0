"""The terms `raw`: what a seat can work out of each try by the rules and its location map, nothing weighed.

Chances rest on the location map (`ks_env.belief.location`). Men count by the usual 1, 3, 3, 5, 9. A "danger"
is the chance that the opponent can capture on a square: its expected number of men that control it, 1 at
most. What all tries of a state share, and the terms of the state, are in `ks_env.belief.terms.state`.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from ks_env.belief.encoders import check_followed, compile_signature
from ks_env.belief.location.answers import (
    chance_free,
    chance_free_of_others,
    pawn_control,
    way_of,
)
from ks_env.belief.location.follow import follow_map, open_map
from ks_env.belief.location.layout import KINGS, LOCATION, PAWNS, PIECES, RATES, Location
from ks_env.belief.metaposition.boards import king_squares
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.profile import shipped_drifts
from ks_env.belief.terms.interface import TRIES_TYPES, Term, Tries
from ks_env.belief.terms.placements import (
    PLACEMENTS,
    Placements,
    key_after,
    kind_after,
    note_placement,
    times_stood,
)
from ks_env.belief.terms.state import (
    LEAST,
    NONE,
    ONE,
    STATE_TERMS,
    WORK,
    WORTH,
    Work,
    describe_state,
    look,
    loss_of,
    losses,
    steps_to_king,
    way_free,
)
from ks_env.core.attacks import attacks_of, man_attacks
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import RULES, Rules
from ks_env.core.memory import scratch_for_tries, uncounted
from ks_env.core.record import Array, Record, dtype_of, f4, field, i8
from ks_env.core.tables import (
    ANY,
    BETWEEN,
    KING,
    LINES,
    PAWN,
    ROOK_FROM,
    ROOK_TO,
    TRY_FROM,
    TRY_TO,
)
from ks_env.core.tries import INFORMED
from ks_env.games.kriegspiel.layout import VIEW, View
from ks_env.games.kriegspiel.tries import list_tries
from ks_env.games.opening import Opening

TRY_TERMS = tuple(
    Term(*pair)
    for pair in (
        ("any", 'the question "any?"; all else is 0'),
        ("accepted", "chance that the referee accepts it"),
        ("captures a pawn", "chance, if it is accepted"),
        ("captures a piece", "chance, if it is accepted"),
        ("check", "chance that it gives check, if it is accepted"),
        ("mate", "chance that the opponent's king is attacked and has no flight square"),
        ("stalemate", "chance that it is not attacked and has none, and no other man can move"),
        ("flights", "expected flight squares of the opponent's king, of 8"),
        ("danger before", "chance that the man can be captured where it stands"),
        ("danger after", "chance that it can be captured where it goes"),
        ("pawns against it", "expected pawns of the opponent that control the target"),
        ("protection before", "own men that protect the man, of 3"),
        ("protection after", "own men that protect it on the target, of 3"),
        ("loss before", "expected loss of the man where it stands, of 3 pawns"),
        ("loss after", "expected loss of the man where it goes, of 3 pawns"),
        ("left hanging", "expected loss of all men but the king after it, of 3 pawns"),
        ("pawn's way", "of a pawn: chance that no pawn is ahead on its file, by its rank squared"),
        ("pawn's rank", "of a pawn: the rank it goes to, of 7"),
        ("promotion", "pawns gained by promotion, of 8"),
        ("repeats", "how often the own men stood so since the last known capture or pawn move, of 3"),
        ("resets the clock", "bound on the fifty-move clock that it sets to 0, of 100"),
        ("age", "opponent turns since the target was known, of 30"),
        ("nearer", "king's steps by which it brings the man nearer to the opponent's king, of 3"),
        ("steps to their king", "king's steps from the target to the opponent's king, of 7"),
        ("centre", "steps of the target from the four central squares, of 3"),
        ("a pawn moves", "1 or 0"),
        ("a knight moves", "1 or 0"),
        ("a bishop moves", "1 or 0"),
        ("a rook moves", "1 or 0"),
        ("a queen moves", "1 or 0"),
        ("the king moves", "1 or 0"),
        ("certain", "the target certainly holds a man"),
        ("takes back", "the target is where a man was just lost"),
        ("control", "squares more that own men control after it, of 16"),
        ("castles", "1 or 0"),
        ("moved before", "the man moved last"),
    )
)
(
    ASKS,
    ACCEPTED,
    TAKES_PAWN,
    TAKES_PIECE,
    CHECK,
    MATE,
    STALEMATE,
    FLIGHTS,
    DANGER_BEFORE,
    DANGER_AFTER,
    PAWNS_AGAINST,
    GUARDS_BEFORE,
    GUARDS_AFTER,
    LOSS_BEFORE,
    LOSS_AFTER,
    HANGING,
    WAY,
    RANK,
    PROMOTION,
    REPEATS,
    RESETS,
    AGE,
    NEARER,
    STEPS,
    CENTRE,
) = range(25)
KIND = 24  # plus the man's kind: 25 to 30
CERTAIN, TAKES_BACK, CONTROL, CASTLES, MOVED_BEFORE = range(31, 36)

CENTRE_STEPS = np.array(
    [max(abs(2 * (s & 7) - 7), abs(2 * (s >> 3) - 7)) // 2 for s in range(64)], np.float32
)  # f4[64], 0 to 3


class RawMemory(Record):
    """What is remembered of a game."""

    place: Location = field(LOCATION)
    past: Placements = field(PLACEMENTS)


RAW_MEMORY = dtype_of(RawMemory)


@kernel
def follow(memory: RawMemory, view: View, rules: Rules, rates: Array, drifts: Array, scratch: Array) -> bool:
    """Bring the memory up to date with the view; False if it has lost its track."""
    if not follow_map(memory.place, view, rules, rates, drifts, scratch):
        return False
    note_placement(memory.past, view, i8(memory.place.known.stamp))
    return True


@kernel
def list_sorted(view: View, rules: Rules, level: int, out: Array) -> int:
    """Write the tries of a seat to `out: i2[MOST_TRIES]`, growing; how many, 0 for one that waits."""
    n = list_tries(view, rules, level, out) if view.turn != 0 and view.over == 0 else 0
    for i in range(1, n):
        action, j = out[i], i
        while j > 0 and out[j - 1] > action:
            out[j] = out[j - 1]
            j -= 1
        out[j] = action
    return n


@kernel
def refuse_the_impossible(
    view: View, rules: Rules, level: int, tries: Array, n: int, term: int, out: Array
) -> None:
    """Set a term of the tries that the mask `informed` leaves out to 0: they are certainly refused.

    Args:
        level: number of the mask that the tries are of.
        tries: i2[N], growing.
        term: the chance that a try is accepted.
        out: f4[N, K].
    """
    if level == INFORMED:
        return
    sensible, place = scratch_for_tries(), 0
    m = list_sorted(view, rules, INFORMED, sensible)
    for i in range(n):
        while place < m and sensible[place] < tries[i]:
            place += 1
        if place == m or sensible[place] != tries[i]:
            out[i, term] = NONE


@kernel
def chance_accepted(known: Metaposition, maps: Array, work: Work, kind: int, start: int, end: int) -> float:
    """The chance that the way is free and the own king safe, after Ciancarini and Favini (2010, §5.2)."""
    if kind == KING:
        safe = ONE - min(ONE, work.control[0, end])
        if abs(end - start) == 2:
            safe *= ONE - min(ONE, work.control[0, ROOK_TO[end]])
            safe *= chance_free(work.empty, BETWEEN[start, ROOK_FROM[end]])
        return safe
    stays = ONE
    if work.line[start] >= 0 and not has(LINES[lowest(known.own[KING]), work.line[start]], end):
        stays -= work.pin[start]
    if kind == PAWN and (start ^ end) & 7 != 0:
        return min(ONE, maps[PAWNS, end] + maps[PIECES, end]) * stays
    return chance_free(work.empty, way_of(known, start, end)) * stays


@kernel
def control_after(work: Work, start: int, end: int, becomes: int) -> tuple[np.uint64, np.uint64, np.uint64]:
    """What own men control after a move: the moved man, sliders that it uncovers, and all of them."""
    occupied = (work.occupied & ~bit(start)) | bit(end)
    moved = attacks_of(becomes, end, occupied)
    mover = work.number[start]
    uncovered, rest = ZERO, work.beside[mover]
    ends = bit(start) | bit(end)
    for i in range(work.sliders[0], work.sliders[1]):
        seen = work.seen[i]
        if i == mover:
            continue
        if seen & ends != ZERO:
            now = man_attacks(work.man_kind[i], work.man_at[i], occupied)
            uncovered |= now & ~seen
            seen = now
        rest |= seen
    return moved, uncovered, moved | rest


@kernel
def others_stuck(place: Location, own: np.uint64, end: int, taken: float) -> float:
    """Chance that no man of the opponent but its king can move.

    Args:
        place: LOCATION before the move.
        own: own men after it.
        end: where it went.
        taken: chance that it captured a piece.
    """
    stuck = min(ONE, max(NONE, ONE - place.left[PIECES] + taken))
    if stuck == NONE or place.left[PAWNS] <= LEAST:
        return stuck
    free = NONE
    for square in range(8, 64):
        ahead = square - 8
        if square != end and not has(own, ahead):
            others = place.maps[KINGS, ahead] + place.maps[PAWNS, ahead]
            free += place.maps[PAWNS, square] * max(NONE, ONE - others)
    return stuck * max(NONE, ONE - free)


@kernel
def describe_king_hunt(
    place: Location,
    work: Work,
    start: int,
    end: int,
    seen: tuple[np.uint64, np.uint64, np.uint64],
    out: Array,
) -> None:
    """The terms CHECK to FLIGHTS, of a move after which own men control what `control_after` says.

    A square that another man of the opponent holds counts as a flight.
    """
    moved, uncovered, control = seen
    own = (place.known.own[0] & ~bit(start)) | bit(end)
    kings = work.their_king & ~bit(end)
    check, mate, stalemate, flights = NONE, NONE, NONE, NONE
    for i in range(work.kings):
        if work.king_at[i] != end:
            flights += work.king_chance[i] * f4(popcount(work.around[i] & ~control))
    stuck = kings & ~king_squares(~control)
    left = kings & (moved | uncovered | stuck)
    while left != ZERO:
        square = lowest(left)
        left = without_lowest(left)
        chance, attacked = place.maps[KINGS, square], NONE
        if has(moved, square):
            attacked = chance_free_of_others(place.maps, own, BETWEEN[end, square])
        elif has(uncovered, square):
            attacked = ONE
        check += chance * attacked
        if has(stuck, square):
            mate += chance * attacked
            if attacked == NONE and not has(control, square):
                stalemate += chance
    out[CHECK], out[MATE], out[FLIGHTS] = check, mate, flights / f4(8)
    if stalemate > NONE:
        stalemate *= others_stuck(place, own, end, out[TAKES_PIECE])
    out[STALEMATE] = stalemate


@kernel
def describe_try(memory: RawMemory, view: View, work: Work, action: int, out: Array) -> None:
    """Write the terms of a try to `out: f4[len(TRY_TERMS)]`."""
    for term in range(out.shape[0]):
        out[term] = NONE
    if action == ANY:
        out[ASKS] = ONE
        return
    place = memory.place
    known, maps = place.known, place.maps
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    kind = i8(view.men[start])
    becomes = kind_after(view, action)
    seen = control_after(work, start, end, becomes)
    out[ACCEPTED] = chance_accepted(known, maps, work, kind, start, end)
    straight = kind == PAWN and (start ^ end) & 7 == 0
    if not straight:
        pawn, piece = maps[PAWNS, end], maps[PIECES, end]
        if kind == PAWN and pawn + piece > NONE:  # it is accepted only if it captures
            pawn, piece = pawn / (pawn + piece), piece / (pawn + piece)
        out[TAKES_PAWN], out[TAKES_PIECE] = pawn, piece
    describe_king_hunt(place, work, start, end, seen, out)
    describe_safety(work, maps, kind, becomes, start, end, seen, out)
    if kind == PAWN:
        rank = end >> 3
        out[WAY] = way_free(maps, end) * f4(rank * rank) / f4(49)
        out[RANK] = f4(rank) / f4(7)
        out[PROMOTION] = (WORTH[becomes] - ONE) / f4(8)
    key = key_after(work.key, view, action)
    if has(work.stood, i8(key & np.uint64(63))):  # else no earlier placement has this key
        out[REPEATS] = min(ONE, f4(times_stood(memory.past, view, key)) / f4(3))
    clock = min(ONE, f4(view.fifty) / f4(100))
    out[RESETS] = clock if kind == PAWN else clock * min(ONE, out[TAKES_PAWN] + out[TAKES_PIECE])
    out[AGE] = f4(min(30, i8(view.age[end]))) / f4(30)
    steps = steps_to_king(work, end)
    out[NEARER] = (steps_to_king(work, start) - steps) / f4(3)
    out[STEPS] = steps / f4(7)
    out[CENTRE] = CENTRE_STEPS[end] / f4(3)
    out[KIND + kind] = ONE
    out[CERTAIN] = f4(has(work.certain, end))
    out[TAKES_BACK] = f4(end == view.lost)
    out[CONTROL] = f4(popcount(seen[2]) - work.seen_by_all) / f4(16)
    out[CASTLES] = f4(kind == KING and abs(end - start) == 2)
    out[MOVED_BEFORE] = f4(view.last >= 0 and start == i8(TRY_TO[view.last]))


@kernel
def describe_safety(
    work: Work,
    maps: Array,
    kind: int,
    becomes: int,
    start: int,
    end: int,
    seen: tuple[np.uint64, np.uint64, np.uint64],
    out: Array,
) -> None:
    """The terms DANGER_BEFORE to HANGING."""
    before = work.guards[start]
    after = work.guards[end]
    if has(work.seen[work.number[start]], end):
        after -= 1
    out[DANGER_BEFORE] = min(ONE, work.control[0, start])
    out[DANGER_AFTER] = min(ONE, work.control[0, end])
    out[PAWNS_AGAINST] = pawn_control(maps, end)
    out[GUARDS_BEFORE] = f4(min(3, before)) / f4(3)
    out[GUARDS_AFTER] = f4(min(3, after)) / f4(3)
    out[LOSS_BEFORE] = loss_of(work, maps, kind, start, before) / f4(3)
    lost = loss_of(work, maps, becomes, end, after)
    out[LOSS_AFTER] = lost / f4(3)
    out[HANGING] = (lost + losses(work, work.number[start], seen[2])) / f4(3)


@kernel
def describe(
    views: Array,
    memory: Array,
    rules: Rules,
    level: int,
    rates: Array,
    drifts: Array,
    scratch: Array,
    works: Array,
    offsets: Array,
    actions: Array,
    terms: Array,
    state: Array,
) -> int:
    """`RawTerms.describe`; the first row whose memory lost its view's track, or -1."""
    views, memory = uncounted(views), uncounted(memory)
    actions, terms, state = uncounted(actions), uncounted(terms), uncounted(state)
    found, work, total = scratch_for_tries(), works[0], 0
    for i in range(views.shape[0]):
        view, record = views[i], memory[i]
        if not follow(record, view, rules, rates, drifts, scratch):
            return i
        n = list_sorted(view, rules, level, found)
        look(record.place, record.past, view, work)
        describe_state(record.place, record.past, view, work, n, state[i])
        for j in range(n):
            actions[total + j] = found[j]
            describe_try(record, view, work, i8(found[j]), terms[total + j])
        refuse_the_impossible(view, rules, level, found, n, ACCEPTED, terms[total : total + n])
        total += n
        offsets[i + 1] = total
    return -1


class RawTerms:
    """The terms `raw`, a `ks_env.belief.terms.Terms`."""

    tries: tuple[Term, ...] = TRY_TERMS
    states: tuple[Term, ...] = STATE_TERMS
    memory: np.dtype[Any] = RAW_MEMORY

    def __init__(self) -> None:
        compile_signature(
            "the terms raw",
            describe,
            types.Array(numba.from_dtype(VIEW), 1, "C"),
            types.Array(numba.from_dtype(RAW_MEMORY), 1, "C"),
            numba.from_dtype(RULES),
            types.int64,
            types.float32[::1],
            types.Array(types.float32, 4, "C", readonly=True),
            types.float32[:, ::1],
            types.Array(numba.from_dtype(WORK), 1, "C"),
            *TRIES_TYPES,
        )

    def begin(self, opening: Opening) -> Any:
        """All placements that the seat deems possible, equally probable, and no earlier turn."""
        record = np.zeros((), RAW_MEMORY)
        record["place"] = open_map(opening.fens, opening.colour)
        return record[()]

    def describe(self, views: Array, memory: Array, rules: Any, level: int, out: Tries) -> None:
        """Bring the memory up to date, and describe the tries.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        scratch = np.empty((4, 64), np.float32)
        lost = describe(
            views, memory, rules, level, RATES, shipped_drifts(), scratch, np.zeros(1, WORK), *out
        )
        check_followed("memory", lost)
