"""What tries are worth: every board judged by chess, and the mean over boards.

A try that is legal on a board is worth there what a full-information search says, in centipawns for the seat;
a mate after n plies is ±(3,000 - n) and nothing else beyond ±2,500, so that one board of hundreds does not
decide alone. A try that is illegal costs nothing, and another one follows: on the boards that would refuse
it, it is worth what the best other try is worth on average there, and where that is refused as well, the mean
of the legal ones. The paper (Ciancarini and Favini 2010, §4.2) says only that the move with "the highest
average score in each sample" is chosen. Sums are whole numbers, so that they are the same on every machine.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ks_baselines.advisors.chess.search import MATE, Scoring, new_scoring, score_tries
from ks_baselines.uci import UNPLAYABLE, UciScores
from ks_env.core.actions import move_to_action
from ks_env.core.jit import kernel
from ks_env.core.record import Array, i8
from ks_env.core.start import to_board
from ks_env.players.threads import Threads

NOT_LEGAL = -(1 << 30)
LARGEST, MATED = 2_500, 3_000
PART = 16  # boards that one process is given at a time


@kernel
def bounded(score: int) -> int:
    """A search's score as it goes into means."""
    size = abs(score)
    size = MATED - (MATE - size) if size > MATE - 500 else min(size, LARGEST)
    return size if score > 0 else -size


@kernel
def judge_boards(truths: Array, tries: Array, depth: int, scoring: Scoring, out: Array) -> None:
    """The value of each try on each board by our own search.

    Args:
        truths: TRUTH[B], in the seat's own frame, the seat to move.
        tries: i2[K].
        depth: plies, the try included; captures are looked into below.
        scoring: overwritten.
        out: i4[B, K], filled; NOT_LEGAL where the board refuses the try.
    """
    for b in range(truths.shape[0]):
        for i in range(tries.shape[0]):
            scoring.by_try[tries[i]] = NOT_LEGAL
        score_tries(scoring, truths[b], depth)
        for i in range(tries.shape[0]):
            score = i8(scoring.by_try[tries[i]])
            out[b, i] = score if score == NOT_LEGAL else bounded(score)


class Judge(ABC):
    """Values tries on boards, several boards at once.

    Args:
        processes: how many boards are looked at at once.
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._threads = Threads(processes)

    def judge(self, truths: Array, tries: Array, until: float | None = None) -> Array:
        """i4[B, K]: what each of `tries: i2[K]` is worth on each board, NOT_LEGAL where it is refused.

        Args:
            truths: TRUTH[B], in the seat's own frame, the seat to move.
            tries: i2[K].
            until: no board is begun after this moment of `time.perf_counter`, but the first ones; then B is
                the number of those that were judged.
        """
        out = np.full((len(truths), len(tries)), NOT_LEGAL, np.int32)
        parts = _parts(len(truths), 1 if until is not None else PART)
        calls = [self._caller(i, truths, tries, out, parts, until) for i in range(self.processes)]
        done = calls[0]() if len(calls) == 1 else max(self._threads.map(lambda call: call(), calls))
        return out[:done]

    def _caller(
        self, i: int, truths: Array, tries: Array, out: Array, parts: Iterator[slice], until: float | None
    ) -> Callable[[], int]:
        def work() -> int:
            done = 0
            for part in parts:
                self.judge_part(i, truths[part], tries, out[part])
                done = part.stop
                if until is not None and time.perf_counter() >= until:
                    break
            return done

        return work

    @abstractmethod
    def judge_part(self, process: int, truths: Array, tries: Array, out: Array) -> None:
        """Fill `out: i4[B, K]` of some boards; called at once for different processes."""


def _parts(boards: int, size: int) -> Iterator[slice]:
    """The boards in parts; threads share the iterator, which is a list's and hands out each part once."""
    return iter([slice(at, min(boards, at + size)) for at in range(0, boards, size)])


class OwnJudge(Judge):
    """Our own fixed-depth search; a process is a thread.

    Args:
        depth: plies, the try included; captures are looked into below.
        processes: see `Judge`.
    """

    def __init__(self, depth: int, processes: int) -> None:
        super().__init__(processes)
        self.depth = depth
        self._scorings = [new_scoring() for _ in range(processes)]

    def judge_part(self, process: int, truths: Array, tries: Array, out: Array) -> None:
        """See `Judge`."""
        judge_boards(truths, tries, self.depth, self._scorings[process], out)


class UciJudge(Judge):
    """A UCI engine, one process for each board that is looked at at once.

    Args:
        command: of the engine.
        depth: plies; None for no limit.
        nodes: positions a board; None for no limit.
        processes: see `Judge`.

    Raises:
        UciError: the engine is not installed or cannot be started.
    """

    def __init__(self, command: str, depth: int | None, nodes: int | None, processes: int) -> None:
        super().__init__(processes)
        self._engines = [UciScores(command, depth, nodes) for _ in range(processes)]

    def judge_part(self, process: int, truths: Array, tries: Array, out: Array) -> None:
        """See `Judge`.

        Raises:
            UciError: the engine died twice on a position.
        """
        columns = {int(action): i for i, action in enumerate(tries)}
        for truth, row in zip(truths, out, strict=True):
            board = to_board(truth)
            board.halfmove_clock = 0  # what the seat cannot know
            if board.status() & UNPLAYABLE:
                continue
            for move, score in self._engines[process].scores(board).items():
                column = columns.get(move_to_action(move, board.turn))
                if column is not None:
                    row[column] = bounded(score)


class Weighing(NamedTuple):
    """Memory in which boards are weighed.

    Attributes:
        filled: i8[B, K], values with the mean of a board's legal tries for those that it refuses.
        after: i8[K], what follows a refused try.
        sums: i8[K], what each try is worth, over all boards.
        legal: i8[K], on how many boards it is legal.
    """

    filled: Array
    after: Array
    sums: Array
    legal: Array


def new_weighing(boards: int, tries: int) -> Weighing:
    """Memory for so many boards and tries."""
    return Weighing(np.zeros((boards, tries), np.int64), *np.zeros((3, tries), np.int64))


@kernel
def weigh_boards(values: Array, times: Array, out: Weighing) -> int:
    """What each try is worth over all boards, see above, and on how many of them it is legal.

    Args:
        values: i4[B, K], see `Judge.judge`.
        times: i8[B], how often each board counts; set to 0 where it refuses all tries.
        out: of at least so many boards and tries, overwritten.

    Returns:
        How many boards count.
    """
    boards, n = values.shape
    sums, legal, after = out.sums, out.legal, out.after
    total = 0
    sums[:n] = 0
    legal[:n] = 0
    for b in range(boards):
        known, worth = 0, 0
        for k in range(n):
            if values[b, k] != NOT_LEGAL:
                known += 1
                worth += i8(values[b, k])
        if known == 0:
            times[b] = 0
            continue
        total += i8(times[b])
        for k in range(n):
            if values[b, k] != NOT_LEGAL:
                out.filled[b, k] = times[b] * values[b, k]
                sums[k] += out.filled[b, k]
                legal[k] += times[b]
            else:
                out.filled[b, k] = times[b] * (worth // known)
    for k in range(n):
        if legal[k] == total or n == 1:
            continue
        after[:n] = 0
        for b in range(boards):
            if times[b] > 0 and values[b, k] == NOT_LEGAL:
                for other in range(n):
                    after[other] += out.filled[b, other]
        after[k] = np.iinfo(np.int64).min
        sums[k] += after[:n].max()
    return total


def weigh(values: Array) -> tuple[Array, Array]:
    """As `weigh_boards`, with each board counted once.

    Args:
        values: i4[B, K], see `Judge.judge`.

    Returns:
        Sums over boards, i8[K], and numbers of boards, i8[K].
    """
    weighing = new_weighing(*values.shape)
    weigh_boards(values, np.ones(len(values), np.int64), weighing)
    return weighing.sums, weighing.legal
