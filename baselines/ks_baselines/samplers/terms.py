"""The terms `judged`: those of `raw`, and what full-information chess says of each try on sampled boards.

The boards are those of a particle filter (`ks_env.belief.particles`). Some are drawn by their weights and
judged by our own search, as the samplers do after Ciancarini and Favini (2010, §4.2), see
`ks_baselines.samplers.values`. The terms `judged-deep` are the same with more and deeper work.
"""

from typing import Any, NamedTuple

import chess
import numpy as np

from ks_baselines.advisors.chess.search import Scoring, new_scoring
from ks_baselines.samplers.values import (
    LARGEST,
    MATED,
    NOT_LEGAL,
    Weighing,
    judge_boards,
    new_weighing,
    weigh_boards,
)
from ks_env.belief.encoders import check_followed
from ks_env.belief.particles.boards import board_of, shared_board
from ks_env.belief.particles.encoder import size_of
from ks_env.belief.particles.follow import Care, Following, begin_particles, follow_particles
from ks_env.belief.particles.layout import Population, make_work, particles_dtype, population_of
from ks_env.belief.particles.models import make_model
from ks_env.belief.particles.population import draw_rows
from ks_env.belief.terms.interface import Term, Tries, room_for
from ks_env.belief.terms.raw import RAW_MEMORY, RawTerms
from ks_env.core.jit import compile_once, kernel
from ks_env.core.layout import TRUTH
from ks_env.core.record import Array, f4, f8, i8
from ks_env.core.ruleset import ICC
from ks_env.core.tables import ANY
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.layout import VIEW, View
from ks_env.games.opening import Opening

ROOM, BOARDS, DEPTH, MODEL = 128, 16, 1, "uniform"
DEEP_ROOM, DEEP_DEPTH, DEEP_MODEL = 512, 2, "profile"
NEAR = 10  # centipawns within which a try is as good as the best on a board

TRY_TERMS = (
    Term("judged: loss", "its mean value less the best one's, of 25 centipawns, at least -3"),
    Term("judged: large loss", "the same, of 300 centipawns"),
    Term("judged: legal", "share of the boards on which it is legal"),
    Term("judged: best", f"share on which no other is better by more than {NEAR} centipawns"),
    Term("judged: spread", "standard deviation of its values where it is legal, of 500, at most 1"),
    Term(
        "judged: mates",
        f"share on which it mates, as the search sees, or leads by {LARGEST} centipawns",
    ),
    Term("judged: worst", "its worst value where it is legal less its mean there, of 900, at least -1"),
)
STATE_TERMS = (
    Term("judged: value", "mean value of the best try, of 1,000 centipawns, at most 1 in size"),
    Term("judged: spread", "standard deviation of its values, of 500 centipawns, at most 1"),
    Term("boards", "the effective sample size over the room; 1 while it is exact"),
    Term("boards fit", "they explain what was heard last: 1 or 0"),
)


def memory_dtype(room: int) -> np.dtype[Any]:
    """What is remembered of a game: what `raw` remembers, and a population of at most so many boards."""
    return np.dtype([("raw", RAW_MEMORY), ("boards", particles_dtype(room))], align=True)


class Work(NamedTuple):
    """Memory in which boards are judged."""

    scoring: Scoring
    shared: Array  # TRUTH[1]: what all boards have in common
    boards: Array  # TRUTH[B]
    rows: Array  # i4[B]: which boards of the population these are
    times: Array  # i8[B]: how often each was drawn
    values: Array  # i4[B, MOST_TRIES]: of each try on each board
    tops: Array  # i4[B]: of the best try on each board
    weighing: Weighing


def new_work(boards: int) -> Work:
    """Memory for one thread that judges so many boards."""
    return Work(
        new_scoring(),
        np.zeros(1, TRUTH),
        np.zeros(boards, TRUTH),
        np.zeros(boards, np.int32),
        np.zeros(boards, np.int64),
        np.zeros((boards, MOST_TRIES), np.int32),
        np.zeros(boards, np.int32),
        new_weighing(boards, MOST_TRIES),
    )


@kernel
def describe_values(
    values: Array, times: Array, total: int, sums: Array, tops: Array, out: Array, state: Array
) -> None:
    """Write TRY_TERMS of tries, and the first two of STATE_TERMS.

    Args:
        values: i4[B, K], see `judge_boards`.
        times: i8[B], how often each board counts.
        total: their sum.
        sums: i8[K], what each try is worth on all boards.
        tops: i4[B], overwritten: the value of the best try on each board.
        out: f4[K, 7].
        state: f4[2].
    """
    best = sums.argmax()
    for b in range(values.shape[0]):
        tops[b] = values[b].max()
    for k in range(values.shape[1]):
        n, near, mates, mean, squares, worst = 0, 0, 0, 0.0, 0.0, MATED
        for b in range(values.shape[0]):
            value = i8(values[b, k])
            if value == NOT_LEGAL:
                continue
            n += times[b]
            near += times[b] * (value >= tops[b] - NEAR)
            mates += times[b] * (value >= LARGEST)
            mean += f8(times[b]) * value
            squares += f8(times[b]) * value * value
            worst = min(worst, value)
        loss = f8(sums[k] - sums[best]) / total
        spread = 0.0
        if n > 0:
            mean /= n
            spread = np.sqrt(max(0.0, squares / n - mean * mean))
            out[k, 6] = f4(max(-1.0, (worst - mean) / 900))
        out[k, 0] = f4(max(-3.0, loss / 25))
        out[k, 1] = f4(max(-3.0, loss / 300))
        out[k, 2] = f4(n / total)
        out[k, 3] = f4(near / total)
        out[k, 4] = f4(min(1.0, spread / 500))
        out[k, 5] = f4(mates / total)
    state[0] = f4(max(-1.0, min(1.0, f8(sums[best]) / total / 1000)))
    state[1] = out[best, 4]


@kernel
def describe(
    population: Population,
    count: int,
    random: Array,
    view: View,
    tries: Array,
    depth: int,
    work: Work,
    out: Array,
    state: Array,
) -> None:
    """Draw boards, judge them and write the terms.

    Args:
        population: boards that fit the view, of which the first `count` are meant.
        random: u8[1], state of the random numbers.
        view: VIEW, the seat's turn.
        tries: i2[K], other than "any?".
        depth: plies of the search, the try included; captures are looked into below.
        work: overwritten.
        out: f4[K, 7], see `describe_values`.
        state: f4[2].
    """
    n, found = tries.shape[0], draw_rows(population.weight, count, random, work.rows, work.times)
    shared_board(view.men, i8(view.rights), 0, work.shared[0])
    for b in range(found):
        i = i8(work.rows[b])
        board_of(population, i, i8(population.ep[i]), work.shared[0], work.boards, b)
    values = work.values[:found, :n]
    judge_boards(work.boards[:found], tries, depth, work.scoring, values)
    times = work.times[:found]
    total = weigh_boards(values, times, work.weighing)
    if total > 0:
        describe_values(values, times, total, work.weighing.sums[:n], work.tops, out, state)


class JudgedTerms(RawTerms):
    """The terms `judged`, a `ks_env.belief.terms.Terms`.

    Args:
        room: for so many boards of the particle filter.
        boards: drawn and judged at each try.
        depth: plies of the search, the try included; captures are looked into below.
        model: of the opponent, `ks_env.belief.particles.models.make_model`.

    Raises:
        ValueError: there is no such model.
    """

    tries: tuple[Term, ...] = (*RawTerms.tries, *TRY_TERMS)
    states: tuple[Term, ...] = (*RawTerms.states, *STATE_TERMS)

    def __init__(
        self, room: int = ROOM, boards: int = BOARDS, depth: int = DEPTH, model: str = MODEL
    ) -> None:
        super().__init__()
        self.memory = memory_dtype(room)
        self._room, self._boards, self._depth = room, boards, depth
        self._model, self._care = make_model(model), Care()
        compile_once("the terms judged", self._describe_a_little)

    def begin(self, opening: Opening) -> Any:
        """All placements that the seat deems possible, equally probable, and no earlier turn."""
        record = np.zeros(1, self.memory)
        record["raw"] = super().begin(opening)
        begin_particles(record[0]["boards"], opening)
        return record[0]

    def describe(self, views: Array, memory: Array, rules: Any, level: int, out: Tries) -> None:
        """Bring the memory up to date, and describe the tries.

        Raises:
            ValueError: a memory is of another game, or was not followed in each of its seat's turns.
        """
        raw = np.ascontiguousarray(memory["raw"])
        super().describe(views, raw, rules, level, out)
        memory["raw"] = raw
        following = Following(rules, self._model, self._care, make_work(self._room))
        work = new_work(self._boards)
        terms, states = len(RawTerms.tries), len(RawTerms.states)
        for i in range(len(views)):
            record = memory[i]["boards"]
            check_followed("memory", -1 if follow_particles(record, views[i], following) else i)
            first, last = out.offsets[i : i + 2]
            state = out.state[i, states:]
            state[:2], state[2], state[3] = 0, size_of(record), record["consistent"]
            if last > first and out.actions[last - 1] == ANY:
                last -= 1
            if last > first:
                describe(
                    population_of(record),
                    int(record["count"]),
                    record["random"].copy(),  # asked again, the same boards are drawn
                    views[i],
                    out.actions[first:last],
                    self._depth,
                    work,
                    out.terms[first:last, terms:],
                    state,
                )

    def _describe_a_little(self) -> None:
        """Call every kernel once."""
        game, memory, out = Game(ICC), np.zeros(1, self.memory), room_for(self, 1)
        memory[0] = self.begin(kriegspiel.opening(chess.WHITE))
        for moves in ((), ("e2e4", "d7d5"), ("e4d5", "d8d5")):
            for move in moves:
                game.ask(move)
            views = np.array([game.view(chess.WHITE)], VIEW)
            self.describe(views, memory, ICC.record()[0], INFORMED, out)


def deep_judged_terms() -> JudgedTerms:
    """The terms `judged-deep`."""
    return JudgedTerms(DEEP_ROOM, BOARDS, DEEP_DEPTH, DEEP_MODEL)
