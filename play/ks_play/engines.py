"""Engines in processes of their own: one that hangs or dies forfeits its game, and harms no other."""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ks_arena.work.child import Child

from ks_play.worker import Asked, Begin, Forget, Heard, Think, work

STARTING = 120.0  # seconds that a process may take to begin
PREPARING = 120.0  # seconds that a player may take to be made, to load a model or to compile
Events = list[Heard | Asked]


class EngineError(Exception):
    """An engine has lost its game by what it did; the words say what."""


class ClosedError(RuntimeError):
    """The server ends; the engine has done nothing wrong."""


class Process:
    """One worker process, restarted when it has died. Its one thread asks it one thing at a time.

    Args:
        target: what it runs; it sends `("ready", 0)`, and then an answer to each message.
    """

    def __init__(self, target: Callable[[Any], None] = work) -> None:
        self._target = target
        self._child: Child | None = None
        self.thread = ThreadPoolExecutor(1, "engine")
        self.known: set[int] = set()  # players that live in the process
        self.games = 0
        self._closed = False

    def start(self) -> None:
        """Begin the process, unless it is there.

        Raises:
            EngineError: it does not come.
            ClosedError: the server ends.
        """
        if self._child is not None and self._child.process.is_alive():
            return
        self.stop()
        self._child = child = Child(self._target)  # kept, so that another thread may end it
        try:
            if self._closed or not child.connection.poll(STARTING):
                raise EOFError
            child.connection.recv()
        except (EOFError, OSError) as error:
            self.stop()
            if self._closed:
                raise ClosedError from error
            raise EngineError("its process did not start") from error

    def stop(self) -> None:
        """End the process and what it has started, whatever they are doing."""
        child, self._child = self._child, None
        self.known.clear()
        if child is not None:
            child.end()

    def close(self) -> None:
        """End the process for good."""
        self._closed = True
        self.thread.shutdown(wait=False, cancel_futures=True)
        self.stop()

    def think(
        self, key: int, begin: Callable[[], Begin], events: Callable[[bool], Events], limit: float
    ) -> int:
        """Let a player choose; see `Engines.choose`."""
        self.start()
        fresh = key not in self.known
        told = events(fresh)
        patience = limit * sum(isinstance(event, Asked) for event in told) + PREPARING * fresh
        kind, value = self.ask(Think(key, begin() if fresh else None, told), patience)
        if kind == "fault":
            self.known.discard(key)
            raise EngineError(str(value))
        self.known.add(key)
        return int(value)

    def ask(self, message: Any, patience: float) -> tuple[str, Any]:
        """What a process that has started answers in so many seconds.

        Raises:
            EngineError: it hangs, or has died.
            ClosedError: the server ends.
        """
        assert self._child is not None, "a process that has started"
        connection = self._child.connection
        try:
            connection.send(message)
            if not connection.poll(patience):
                self.stop()
                raise EngineError(f"did not answer in {patience:.3g} seconds")
            kind, value = connection.recv()
            return kind, value
        except (EOFError, OSError) as error:
            if self._closed:
                raise ClosedError from error
            self.stop()
            raise EngineError("its process died") from error

    def forget(self, key: int) -> None:
        """Drop a player."""
        if key in self.known and self._child is not None:
            self.known.discard(key)
            with contextlib.suppress(OSError):
                self._child.connection.send(Forget(key))


class Engines:
    """All worker processes.

    Args:
        processes: how many.
        limit: seconds that an engine may think about one try.
    """

    def __init__(self, processes: int, limit: float) -> None:
        self.limit = limit
        self._processes = [Process() for _ in range(processes)]
        self._homes: dict[int, Process] = {}

    def start(self) -> None:
        """Begin all processes."""
        for process in self._processes:
            process.thread.submit(process.start).result()

    async def choose(self, key: int, begin: Callable[[], Begin], events: Callable[[bool], Events]) -> int:
        """The next try of the engine of a game.

        Args:
            key: of the game.
            begin: makes what a new player is told.
            events: (fresh): what the seat was told since the last call, from the start if `fresh`; the last
                one asks for the try.

        Raises:
            EngineError: it raised, hung or died.
        """
        home = self._homes.get(key)
        if home is None:
            home = self._homes[key] = min(self._processes, key=lambda process: process.games)
            home.games += 1
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(home.thread, home.think, key, begin, events, self.limit)

    def forget(self, key: int) -> None:
        """Drop the engine of a game."""
        home = self._homes.pop(key, None)
        if home is not None:
            home.games -= 1
            home.thread.submit(home.forget, key)

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.close()
