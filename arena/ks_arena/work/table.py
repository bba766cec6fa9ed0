"""A table at which games are played: a separate process, which may hang or die without harm to the study."""

import os
import signal
from collections import Counter
from collections.abc import Callable
from math import inf
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

import numpy as np

from ks_arena.apart.player import PREPARING
from ks_arena.match.notebook import NOBODY, Notebook, make_memory
from ks_arena.match.play import play_game, result_of_broken
from ks_arena.match.result import GameResult
from ks_arena.match.seat import LATE, ForfeitError
from ks_arena.sections import ConfigError
from ks_arena.study.schedule import GameJob
from ks_arena.work.child import Child

LOOK = 0.2  # seconds between two looks at a player that thinks
GRACE = 2.0  # seconds; a player that does come back by itself is told from one that does not
STANDSTILL = 2.0  # seconds; a look this late means that this process was paused, and so were the players


class TableClosedError(RuntimeError):
    """The table was closed in the middle of a game."""


class _BrokenError(Exception):
    """The game has stopped without a result.

    Attributes:
        hung: for how many seconds a player has not come back; None if the process has died.
        calls: calls of players when that was seen.
    """

    def __init__(self, hung: float | None = None, calls: int = 0) -> None:
        super().__init__()
        self.hung = hung
        self.calls = calls


class Table:
    """One worker process, replaced when it dies.

    A player that does not come back within its limit is stopped by force and forfeits. A game whose process
    has died is played again from its start, which by its seeds is the same game; after `deaths` such ends
    with one player thinking, that player forfeits.
    """

    def __init__(self) -> None:
        self._memory = make_memory()
        self._notebook = Notebook(self._memory)
        self._child: Child | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The worker's process number; None before the first game."""
        return None if self._child is None else self._child.process.pid

    def play(self, job: GameJob) -> GameResult:
        """Play a game, as often as it takes for a result.

        Raises:
            TableClosedError: `close` was called meanwhile.
            ConfigError: the game cannot be played here, or workers die before any player is called.
        """
        deaths: Counter[int] = Counter()
        while True:
            begun = monotonic()
            try:
                result = self._play_once(job)
            except _BrokenError as broken:
                self._stop()
                fault = self._fault(job, broken, deaths)
                if fault is not None:
                    return result_of_broken(job, self._notebook, monotonic() - begun, fault)
            else:
                if result is not None:
                    return result

    def _fault(self, job: GameJob, broken: _BrokenError, deaths: Counter[int]) -> ForfeitError | None:
        """The forfeit that decides a game that broke off; None to play it again."""
        seat = self._notebook.thinking
        if broken.hung is not None:
            if seat == NOBODY or self._notebook.calls != broken.calls:
                return None  # the player has come back at the last moment
            return ForfeitError(seat, self._note_hanging(seat, broken.hung))
        deaths[seat] += 1
        if deaths[seat] < job.deaths:
            return None
        if seat == NOBODY:
            raise ConfigError(
                f"{job.labels[0]} v {job.labels[1]}, pair {job.pair}: {job.deaths} worker processes died"
                " outside the players' code"
            )
        return ForfeitError(seat, f"brought down {job.deaths} worker processes")

    def _note_hanging(self, seat: int, seconds: float) -> str:
        """Add a call that never ended to the player's time; the fault in words."""
        self._notebook.seconds[seat] += seconds
        if self._notebook.preparing:
            return f"was not ready for the game in {seconds:.3g} s"
        self._notebook.slowest[seat] = max(self._notebook.slowest[seat], seconds)
        return f"did not come back in {seconds:.3g} s"

    def _play_once(self, job: GameJob) -> GameResult | None:
        """The result; None where it depends on the machine having stood still."""
        worker = self._worker()
        self._notebook.new_game()
        looked = since = monotonic()
        calls, stood_still = self._notebook.calls, False
        try:
            worker.connection.send(job)
            done: list[Any] = []
            while not done:
                done = wait([worker.connection, worker.process.sentinel], LOOK)
                before, looked = looked, monotonic()
                if looked - before > LOOK + STANDSTILL:
                    stood_still, since = True, looked
                if self._notebook.calls != calls or self._notebook.thinking == NOBODY:
                    calls, since = self._notebook.calls, looked
                elif not done and looked - since > self._patience(job):
                    raise _BrokenError(looked - since, calls)
            result: GameResult | ConfigError = worker.connection.recv()
        except (EOFError, OSError) as error:  # the worker is gone
            raise _BrokenError from error
        if isinstance(result, ConfigError):
            raise result
        late = result.fault is not None and result.fault.startswith(LATE)
        return None if stood_still and late else result

    def _patience(self, job: GameJob) -> float:
        """For how many seconds a player may not come back."""
        if job.seconds_a_move is None:
            return inf
        return max(PREPARING, job.seconds_a_move) if self._notebook.preparing else job.seconds_a_move + GRACE

    def _worker(self) -> Child:
        self._check_open()
        if self._child is None or not self._child.process.is_alive():
            self._stop()
            # A player that walks through a set of text has to meet it in the same order everywhere.
            os.environ.setdefault("PYTHONHASHSEED", "0")
            self._child = Child(_work, self._memory)
            self._check_open()  # it may have been closed before there was a process to end
        return self._child

    def _check_open(self) -> None:
        if self._closed:
            self._stop()
            raise TableClosedError("the table is closed")

    def _stop(self) -> None:
        """End the worker and what it has started, whatever they are doing."""
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def close(self) -> None:
        """End the worker for good, from any thread; a game in play ends in `TableClosedError`."""
        self._closed = True
        child = self._child
        if child is not None and child.process.is_alive():
            child.kill()

    def clear(self) -> None:
        """After `close`, and with no game in play: give back what the worker held."""
        self._stop()


def _work(connection: "Connection[Any, Any]", memory: Any) -> None:
    """The worker process: play each game that it is sent."""
    notebook = Notebook(memory)
    restore = surroundings()
    while True:
        job = connection.recv()
        restore()
        connection.send(_outcome(job, notebook))


def _outcome(job: GameJob, notebook: Notebook) -> GameResult | ConfigError:
    try:
        return play_game(job, notebook)
    except ConfigError as error:
        return error


def surroundings() -> Callable[[], None]:
    """A function that gives the process back what an earlier game's player may have changed."""
    folder, errors = os.getcwd(), np.geterr()

    def restore() -> None:
        os.chdir(folder)
        np.seterr(**errors)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    return restore
