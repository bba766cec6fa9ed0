"""The terms `darkboard`: the components of Darkboard's evaluation after each try, and what is certain of it.

They rest on a metaposition alone: no chances but those that Darkboard assumes.
"""

from dataclasses import replace
from typing import Any

import numba
import numpy as np
from numba import types

from ks_baselines.darkboard.components import entropy
from ks_baselines.darkboard.constants import DEFAULT, MoreConstants
from ks_baselines.darkboard.evaluation import COMPONENTS, PARTS, THREATS
from ks_baselines.darkboard.moves import A_PAWN, A_PIECE
from ks_baselines.darkboard.search import Work, list_root, new_work, search_of
from ks_env.belief.encoders import check_followed, compile_signature
from ks_env.belief.location.answers import way_of
from ks_env.belief.metaposition.follow import follow, opening
from ks_env.belief.metaposition.layout import METAPOSITION, Metaposition, certain, possible
from ks_env.belief.terms.interface import TRIES_TYPES, Term, Tries
from ks_env.belief.terms.placements import (
    PLACEMENTS,
    Placements,
    key_after,
    note_placement,
    placement_key,
    times_stood,
)
from ks_env.belief.terms.raw import list_sorted
from ks_env.core.bits import ZERO, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import RULES, Rules
from ks_env.core.memory import scratch_for_tries, uncounted
from ks_env.core.record import Array, Record, dtype_of, f4, field, i8
from ks_env.core.tables import ANY, BETWEEN, KING, PAWN, TRY_FROM, TRY_TO
from ks_env.games.kriegspiel.layout import VIEW, View
from ks_env.games.kriegspiel.tries import OBLIGED
from ks_env.games.opening import Opening

FLAGS = tuple(
    Term(*pair)
    for pair in (
        ("any", 'the question "any?"; all else is 0'),
        ("way free", "the squares that have to be empty certainly are: 1 or 0"),
        ("certain", "the target certainly holds a man: 1 or 0"),
        ("captures a pawn", "as Darkboard assumes: 1 or 0"),
        ("captures a piece", "as Darkboard assumes: 1 or 0"),
        ("repeats", "how often the own men stood so since the last known capture or pawn move, of 3"),
        ("resets the clock", "bound on the fifty-move clock that it sets to 0, of 100"),
    )
)
ASKS, WAY_FREE, CERTAIN, TAKES_PAWN, TAKES_PIECE, REPEATS, RESETS = range(7)
TRY_TERMS = FLAGS + tuple(
    Term(COMPONENTS[i], "in pawns, less its mean over the tries; of 3, at most 4 in size") for i in PARTS
)
STATE_TERMS = tuple(
    Term(*pair)
    for pair in (
        ("own pawns", "of 8"),
        ("own knights", "of 2"),
        ("own bishops", "of 2"),
        ("own rooks", "of 2"),
        ("own queens", "of 2"),
        ("their pawns", "at most so many, of 8"),
        ("their men", "of 16"),
        ("lead in men", "own men less theirs, of 8"),
        ("clock", "bound on the fifty-move clock, of 100 half-moves"),
        ("moves", "full moves played, of 100"),
        ("refusals", "of this turn, of 10"),
        ("a man was lost", "in the opponent's last turn: 1 or 0"),
        ("in check", "1 or 0"),
        ("pawn tries", "some were announced: 1 or 0"),
        ("squares of their king", "that are possible, of 64"),
        ("squares of their men", "on which some man may stand, of 64"),
        ("entropy", "Darkboard's, of 20"),
        ("foremost pawn", "its rank, of 7"),
        ("gave check", "by the last move: 1 or 0"),
        ("tries", "number of them, of 60"),
        ("castling rights", "king side 1, queen side 2, of 3"),
        ("repeats", "how often the own men stood so, of 3"),
        ("owes a capture", 'after "any?": 1 or 0'),
    )
)
NONE, ONE = f4(0), f4(1)
SCALE, MOST = 3.0, 4.0  # of components: pawns, and the size that they are cut to
prepare_root = search_of(THREATS).prepare_root
CONSTANTS = replace(DEFAULT, best_moves=0.0, killers=0.0)  # nothing is looked into


class DarkboardMemory(Record):
    """What is remembered of a game."""

    known: Metaposition = field(METAPOSITION)
    past: Placements = field(PLACEMENTS)


DARKBOARD_MEMORY = dtype_of(DarkboardMemory)


@kernel
def weigh_tries(
    work: Work, m: Metaposition, view: View, tries: Array, n: int, bias: Array, c: MoreConstants
) -> None:
    """Write the components of n tries, not "any?", to `work.parts`; the tries to `work.moves[0]`, packed."""
    list_root(work, m, view, tries, n)
    prepare_root(work, m, n, bias, c)


@kernel
def describe_state(
    memory: DarkboardMemory, view: View, work: Work, c: MoreConstants, n: int, out: Array
) -> None:
    """Write the terms of a state with n tries to `out: f4[len(STATE_TERMS)]`."""
    known = memory.known
    own = f4(popcount(known.own[0]))
    for kind in range(PAWN, KING):
        out[kind - 1] = f4(popcount(known.own[kind])) / f4(8 if kind == PAWN else 2)
    out[5], out[6] = f4(min(known.most[PAWN], known.most[0])) / f4(8), f4(known.most[0]) / f4(16)
    out[7] = (own - f4(known.most[0])) / f4(8)
    out[8] = min(ONE, f4(view.fifty) / f4(100))
    out[9] = min(f4(2), f4(view.moves) / f4(100))
    out[10] = min(ONE, f4(view.refusals) / f4(10))
    out[11], out[12], out[13] = f4(view.lost >= 0), f4(view.checks > 0), f4(view.tries > 0)
    out[14] = f4(popcount(known.ghosts[KING])) / f4(64)
    out[15] = f4(popcount(possible(known))) / f4(64)
    out[16] = min(f4(2), f4(entropy(known, work.boards[7:12], c)) / f4(20))
    foremost, men = 0, known.own[PAWN]
    while men != ZERO:
        foremost = max(foremost, lowest(men) >> 3)
        men = without_lowest(men)
    out[17] = f4(foremost) / f4(7)
    out[18] = f4(view.gave > 0)
    out[19] = min(f4(2), f4(n) / f4(60))
    out[20] = f4(view.rights) / f4(3)
    out[21] = min(ONE, f4(times_stood(memory.past, view, placement_key(view))) / f4(3))
    out[22] = f4(view.asked == OBLIGED)


@kernel
def way_certainly_free(known: Metaposition, kind: int, start: int, end: int) -> bool:
    """Whether the squares that have to be empty certainly are; for castling, those up to the rook."""
    way = way_of(known, start, end)
    if kind == KING and abs(end - start) == 2:
        way = BETWEEN[start, end + 1 if end > start else end - 2]
    return way & possible(known) == ZERO


@kernel
def describe_flags(
    memory: DarkboardMemory, view: View, key: np.uint64, action: int, captured: int, out: Array
) -> None:
    """Write the terms WAY_FREE to RESETS of a try that is assumed to capture `captured`."""
    known = memory.known
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    kind = i8(view.men[start])
    out[WAY_FREE] = f4(way_certainly_free(known, kind, start, end))
    out[CERTAIN] = f4(has(certain(known), end))
    out[TAKES_PAWN], out[TAKES_PIECE] = f4(captured == A_PAWN), f4(captured == A_PIECE)
    out[REPEATS] = min(ONE, f4(times_stood(memory.past, view, key_after(key, view, action))) / f4(3))
    resets = kind == PAWN or captured != 0
    out[RESETS] = min(ONE, f4(view.fifty) / f4(100)) if resets else NONE


@kernel
def describe_parts(work: Work, n: int, out: Array) -> None:
    """Write the components of n tries, less their means, to `out: f4[n, len(TRY_TERMS)]`."""
    first = RESETS + 1
    for j in range(PARTS.shape[0]):
        part, mean = PARTS[j], 0.0
        for i in range(n):
            mean += work.parts[i, part] / n
        for i in range(n):
            out[i, first + j] = f4(max(-MOST, min(MOST, (work.parts[i, part] - mean) / SCALE)))


@kernel
def describe(
    views: Array,
    memory: Array,
    rules: Rules,
    level: int,
    c: MoreConstants,
    work: Work,
    bias: Array,
    offsets: Array,
    actions: Array,
    terms: Array,
    state: Array,
) -> int:
    """`DarkboardTerms.describe`; the first row whose memory lost its view's track, or -1."""
    views, memory, work, bias = uncounted(views), uncounted(memory), uncounted(work), uncounted(bias)
    actions, terms, state = uncounted(actions), uncounted(terms), uncounted(state)
    found, total = scratch_for_tries(), 0
    for i in range(views.shape[0]):
        view, record = views[i], memory[i]
        if not follow(record.known, view, rules):
            return i
        note_placement(record.past, view, i8(record.known.stamp))
        n = list_sorted(view, rules, level, found)
        describe_state(record, view, work, c, n, state[i])
        moves = n - 1 if n > 0 and found[n - 1] == ANY else n
        key = placement_key(view)
        if moves > 0:
            weigh_tries(work, record.known, view, found, moves, bias, c)
        for j in range(n):
            out = terms[total + j]
            actions[total + j] = found[j]
            for term in range(out.shape[0]):
                out[term] = NONE
            if j < moves:
                describe_flags(record, view, key, i8(found[j]), i8(work.captured[0, j]), out)
            else:
                out[ASKS] = ONE
        describe_parts(work, moves, terms[total : total + moves])
        total += n
        offsets[i + 1] = total
    return -1


class DarkboardTerms:
    """The terms `darkboard`, a `ks_env.belief.terms.Terms`."""

    tries: tuple[Term, ...] = TRY_TERMS
    states: tuple[Term, ...] = STATE_TERMS
    memory: np.dtype[Any] = DARKBOARD_MEMORY

    def __init__(self) -> None:
        self._constants = CONSTANTS.record()[0]
        compile_signature(
            "the terms darkboard",
            describe,
            types.Array(numba.from_dtype(VIEW), 1, "C"),
            types.Array(numba.from_dtype(DARKBOARD_MEMORY), 1, "C"),
            numba.from_dtype(RULES),
            types.int64,
            numba.typeof(self._constants),
            numba.typeof(new_work()),
            types.float64[::1],
            *TRIES_TYPES,
        )

    def begin(self, opening_: Opening) -> Any:
        """The union of the placements that the seat deems possible, and no earlier turn."""
        record = np.zeros((), DARKBOARD_MEMORY)
        record["known"] = opening(list(opening_.fens), opening_.colour)
        return record[()]

    def describe(self, views: Array, memory: Array, rules: Any, level: int, out: Tries) -> None:
        """Bring the memory up to date, and describe the tries.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        work = new_work()
        bias = np.zeros(work.parts.shape[0])
        check_followed("memory", describe(views, memory, rules, level, self._constants, work, bias, *out))
