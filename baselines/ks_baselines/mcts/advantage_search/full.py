"""The terms `full`: what the networks of `advantage-search` are told, with repetition and the clock.

Chances of the location map, Darkboard's components, an attack on the opponent's king, what has been heard of
the squares lately, and how a try stands among the others by rules of thumb.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from ks_baselines.darkboard.constants import MoreConstants
from ks_baselines.darkboard.hard_rules import FORBIDDEN
from ks_baselines.darkboard.search import Work, clock_bias, new_work
from ks_baselines.darkboard.terms import CONSTANTS, weigh_tries
from ks_baselines.mcts.advantage_search.constants import DEFAULT, LEAD_SCALE, LOSSES, AdvantageConstants
from ks_baselines.mcts.advantage_search.search import prepare
from ks_baselines.mcts.advantage_search.terms import (
    FIRST_PART,
    NEARNESS,
    PRESSURE,
    STANDING,
    STATE_TERMS,
    TRY_TERMS,
    attack,
    describe_state,
    describe_tries,
)
from ks_baselines.mcts.tree import Tree, new_tree
from ks_env.belief.encoders import check_followed, compile_signature
from ks_env.belief.location.layout import RATES, Location
from ks_env.belief.metaposition.layout import METAPOSITION
from ks_env.belief.profile import shipped_drifts
from ks_env.belief.terms.interface import TRIES_TYPES, Term, Tries
from ks_env.belief.terms.placements import key_after, placement_key, times_stood
from ks_env.belief.terms.raw import (
    RAW_MEMORY,
    RawMemory,
    RawTerms,
    follow,
    list_sorted,
    refuse_the_impossible,
)
from ks_env.belief.terms.state import lead_of
from ks_env.core.jit import kernel
from ks_env.core.layout import RULES, Rules
from ks_env.core.memory import scratch_for_tries, uncounted
from ks_env.core.record import Array, f4, i8
from ks_env.core.tables import ANY, PAWN, TRY_FROM
from ks_env.core.tries import MOST_TRIES
from ks_env.games.kriegspiel.layout import VIEW, View
from ks_env.games.kriegspiel.tries import OBLIGED

LEGAL = TRY_TERMS.index("legal")
MEANING = "as the networks are told, see `ks_baselines.mcts.advantage_search.terms`"
REPEATS, RESETS, ASKS = range(len(TRY_TERMS), len(TRY_TERMS) + 3)
STOOD, OWES = range(len(STATE_TERMS), len(STATE_TERMS) + 2)
NONE, ONE = f4(0), f4(1)


@kernel
def bias_tries(
    memory: RawMemory, view: View, work: Work, tries: Array, n: int, d: MoreConstants, out: Array
) -> None:
    """What Darkboard adds to n tries against loops, and to pawns as the clock runs, to `out: f8[N]`."""
    key = placement_key(view)
    for i in range(n):
        times = times_stood(memory.past, view, key_after(key, view, i8(tries[i])))
        out[i] = -d.repetition * times - (FORBIDDEN if times >= 2 else 0.0)
    clock_bias(view, work.moves[0], n, d, out)


@kernel
def fear_left(place: Location, view: View, c: AdvantageConstants) -> float:
    """The share of the fear of losses that is left as the fifty-move clock runs, see `Advice`."""
    ahead = 1.0 / (1.0 + np.exp((c.lead - lead_of(place)) / LEAD_SCALE))
    clock = min(1.0, view.fifty / 100.0)
    return 1.0 - min(1.0, max(0.0, clock * (c.calm + (c.bold - c.calm) * ahead)))


@kernel
def value_tries(
    work: Work, attack: Array, bias: Array, n: int, fear: float, c: AdvantageConstants, out: Array
) -> None:
    """What the rules of thumb add to n tries, to `out: f4[N]`."""
    for i in range(n):
        worth = c.loops * bias[i] + c.pressure * attack[i, PRESSURE] + c.nearness * attack[i, NEARNESS]
        for part in range(work.parts.shape[1]):
            worth += work.parts[i, part] * c.parts[part]
        out[i] = worth + (fear - 1.0) * work.parts[i, LOSSES] * c.parts[LOSSES]


@kernel
def describe_repeats(memory: RawMemory, view: View, action: int, takes: float, out: Array) -> None:
    """Write the terms REPEATS and RESETS of a try that captures with chance `takes`."""
    key = key_after(placement_key(view), view, action)
    out[REPEATS] = min(ONE, f4(times_stood(memory.past, view, key)) / f4(3))
    clock = min(ONE, f4(view.fifty) / f4(100))
    out[RESETS] = clock if view.men[TRY_FROM[action]] == PAWN else clock * min(ONE, takes)


@kernel
def describe(
    views: Array,
    memory: Array,
    rules: Rules,
    level: int,
    rates: Array,
    drifts: Array,
    d: MoreConstants,
    constants: Array,
    work: Work,
    tree: Tree,
    later: Array,
    attacks: Array,
    bias: Array,
    values: Array,
    offsets: Array,
    actions: Array,
    terms: Array,
    state: Array,
) -> int:
    """`FullTerms.describe`; the first row whose memory lost its view's track, or -1."""
    views, memory = uncounted(views), uncounted(memory)
    later, constants = uncounted(later), uncounted(constants)
    actions, terms, state = uncounted(actions), uncounted(terms), uncounted(state)
    work, tree = uncounted(work), uncounted(tree)
    attacks, bias, values = uncounted(attacks), uncounted(bias), uncounted(values)
    c, root = constants[0], tree.nodes[0]
    fear, by = c.fear, work.boards[:7]
    found, total = scratch_for_tries(), 0
    for i in range(views.shape[0]):
        view, record = views[i], memory[i]
        if not follow(record, view, rules, rates, drifts, tree.scratch):
            return i
        n = list_sorted(view, rules, level, found)
        moves = n - 1 if n > 0 and found[n - 1] == ANY else n
        root.place = record.place
        tree.used[2] = tree.used[3] = -1
        prepare(tree, 0, c)
        describe_state(tree, view, moves, state[i])
        state[i, STOOD] = min(ONE, f4(times_stood(record.past, view, placement_key(view))) / f4(3))
        state[i, OWES] = f4(view.asked == OBLIGED)
        for j in range(n):
            actions[total + j] = found[j]
            terms[total + j, ASKS] = NONE
        if moves > 0:
            out = terms[total : total + moves]
            weigh_tries(work, record.place.known, view, found, moves, bias, d)
            bias_tries(record, view, work, found, moves, d, bias)
            attack(record.place, later, work.moves[0], moves, by, attacks)
            share = fear_left(record.place, view, c)
            value_tries(work, attacks, bias, moves, share, c, values)
            c.fear = fear * share
            describe_tries(tree, view, work.moves[0], moves, work.parts, attacks, bias, c, values, out)
            for j in range(moves):
                describe_repeats(record, view, i8(found[j]), out[j, 1] + out[j, 2], out[j])
        if moves < n:
            out = terms[total + moves : total + n]
            for term in range(terms.shape[1]):
                out[0, term] = NONE
            out[0, ASKS] = ONE
        refuse_the_impossible(view, rules, level, found, n, LEGAL, terms[total : total + n])
        total += n
        offsets[i + 1] = total
    return -1


class FullTerms(RawTerms):
    """The terms `full`, a `ks_env.belief.terms.Terms`; its memory is that of `raw`."""

    tries: tuple[Term, ...] = (
        *(Term(name, MEANING) for name in TRY_TERMS[:FIRST_PART]),
        *(Term(f"Darkboard's {name}", MEANING) for name in TRY_TERMS[FIRST_PART:STANDING]),
        *(Term(name, MEANING) for name in TRY_TERMS[STANDING:]),
        Term("repeats", "how often the own men stood so since the last known capture or pawn move, of 3"),
        Term("resets the clock", "bound on the fifty-move clock that it sets to 0, of 100"),
        Term("any", 'the question "any?"; all else is 0'),
    )
    states: tuple[Term, ...] = (
        *(Term(name, MEANING) for name in STATE_TERMS),
        Term("repeats", "how often the own men stood so, of 3"),
        Term("owes a capture", 'after "any?": 1 or 0'),
    )

    def __init__(self) -> None:
        self._darkboard = CONSTANTS.record()[0]
        self._constants = DEFAULT.record()
        compile_signature(
            "the terms full",
            describe,
            types.Array(numba.from_dtype(VIEW), 1, "C"),
            types.Array(numba.from_dtype(RAW_MEMORY), 1, "C"),
            numba.from_dtype(RULES),
            types.int64,
            types.float32[::1],
            types.Array(types.float32, 4, "C", readonly=True),
            numba.typeof(self._darkboard),
            *(numba.typeof(each) for each in self._room()),
            *TRIES_TYPES,
        )

    def _room(self) -> tuple[Any, ...]:
        """The arguments of `describe` from `constants` to `values`, made anew for each call."""
        return (
            self._constants.copy(),
            new_work(),
            new_tree(1, 1),
            np.zeros(1, METAPOSITION),
            np.zeros((MOST_TRIES, 2), np.float32),
            np.zeros(MOST_TRIES),
            np.zeros(MOST_TRIES, np.float32),
        )

    def describe(self, views: Array, memory: Array, rules: Any, level: int, out: Tries) -> None:
        """Bring the memory up to date, and describe the tries.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        drifts = shipped_drifts()
        arguments = (views, memory, rules, level, RATES, drifts, self._darkboard, *self._room(), *out)
        check_followed("memory", describe(*arguments))
