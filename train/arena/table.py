"""A table at which games are played: a process of its own that may hang or die without harm to the study."""

import contextlib
import multiprocessing
import os
import signal
import threading
from math import inf
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any

from train.arena.notebook import NOBODY, Notebook, make_memory
from train.arena.play import ForfeitError, play_game, result_of_broken, warm_up
from train.arena.result import GameResult
from train.arena.schedule import GameJob

LOOK = 0.2  # seconds between two looks at a player that thinks
GRACE = 2.0  # seconds; a player that does come back by itself is told from one that does not
PREPARING = 300.0  # seconds that a player may take to get ready, to load a model or to compile


class TableClosedError(RuntimeError):
    """The table was closed in the middle of a game."""


class _BrokenError(Exception):
    """The game has stopped without a result.

    Attributes:
        hung: for how many seconds the player has not come back; None if the process has died.
    """

    def __init__(self, hung: float | None = None) -> None:
        super().__init__()
        self.hung = hung


class Table:
    """One worker process, replaced when it dies.

    A player that does not come back within its limit is stopped by force and forfeits. A game whose process
    has died is played again from its start, which by its seeds is the same game; after `deaths` such ends
    with one player thinking, that player forfeits.
    """

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._memory = make_memory()
        self._notebook = Notebook(self._memory)
        self._process: BaseProcess | None = None
        self._connection: Connection[Any, Any] | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The worker's process number; None before the first game."""
        return None if self._process is None else self._process.pid

    def play(self, job: GameJob) -> GameResult:
        """Play a game, as often as it takes for a result.

        Raises:
            TableClosedError: `close` was called meanwhile.
            RuntimeError: workers die before any player is called.
        """
        deaths: list[int] = []
        begun = monotonic()
        while True:
            try:
                return self._play_once(job)
            except _BrokenError as broken:
                self._stop()
                thinking = self._notebook.thinking
                if broken.hung is not None and thinking != NOBODY:  # or it has come back at the last moment
                    return self._forfeit(job, begun, thinking, self._note_hanging(thinking, broken.hung))
                deaths.append(thinking)
                if deaths.count(thinking) >= job.deaths:
                    if thinking == NOBODY:
                        raise RuntimeError(
                            f"{len(deaths)} worker processes died before a player was called"
                        ) from None
                    return self._forfeit(job, begun, thinking, f"brought down {job.deaths} worker processes")

    def _note_hanging(self, seat: int, seconds: float) -> str:
        """Add a call that never ended to the player's time; the fault in words."""
        self._notebook.seconds[seat] += seconds
        if self._notebook.preparing:
            return f"was not ready for the game in {seconds:.3g} s"
        self._notebook.slowest[seat] = max(self._notebook.slowest[seat], seconds)
        return f"did not come back in {seconds:.3g} s"

    def _forfeit(self, job: GameJob, begun: float, seat: int, fault: str) -> GameResult:
        return result_of_broken(job, self._notebook, monotonic() - begun, ForfeitError(seat, fault))

    def _play_once(self, job: GameJob) -> GameResult:
        connection, process = self._worker()
        self._notebook.new_game()
        calls, since = self._notebook.calls, monotonic()
        try:
            connection.send(job)
            while not wait([connection, process.sentinel], LOOK):
                now = monotonic()
                if self._notebook.calls != calls or self._notebook.thinking == NOBODY:
                    calls, since = self._notebook.calls, now
                elif now - since > self._patience(job):
                    raise _BrokenError(hung=now - since)
            result: GameResult = connection.recv()
        except (EOFError, OSError) as error:  # the worker is gone
            raise _BrokenError from error
        return result

    def _patience(self, job: GameJob) -> float:
        """For how many seconds a player may not come back."""
        if job.seconds_a_move is None:
            return inf
        return max(PREPARING, job.seconds_a_move) if self._notebook.preparing else job.seconds_a_move + GRACE

    def _worker(self) -> tuple["Connection[Any, Any]", BaseProcess]:
        self._check_open()
        if self._process is None or self._connection is None or not self._process.is_alive():
            self._stop()
            ours, theirs = self._context.Pipe()
            process = self._context.Process(target=_work, args=(theirs, self._memory), daemon=True)
            process.start()
            theirs.close()
            self._process, self._connection = process, ours
            self._check_open()  # it may have been closed before there was a process to end
        return self._connection, self._process

    def _check_open(self) -> None:
        if self._closed:
            self._stop()
            raise TableClosedError("the table is closed")

    def _stop(self) -> None:
        """End the worker, whatever it is doing."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is not None:
            process.kill()
            process.join()
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """End the worker for good, from any thread; a game in play ends in `TableClosedError`."""
        self._closed = True
        process = self._process
        if process is not None and process.is_alive():
            process.kill()


def _work(connection: "Connection[Any, Any]", memory: Any) -> None:
    """What the worker process does: play what it is sent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the parent, which ends us
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    notebook = Notebook(memory)
    warm_up()
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            connection.send(play_game(connection.recv(), notebook))


def _leave_with_parent() -> None:
    """End this process when its parent is gone, even in the middle of a player's thought."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
