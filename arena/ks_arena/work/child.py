"""A child process with a pipe to it, and a process group of its own: what it starts ends with it."""

import atexit
import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any


class Child:
    """A process that runs `target(connection, *arguments)`; interrupts at the keyboard do not reach it."""

    def __init__(self, target: Callable[..., None], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection: Connection[Any, Any]
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_run, args=(target, theirs, *arguments), daemon=True)
        self.process.start()
        theirs.close()
        atexit.register(self.kill)  # or else multiprocessing ends it alone, without what it has started

    def kill(self) -> None:
        """Kill it and what it has started, from any thread."""
        assert self.process.pid is not None, "it has been started"
        _kill_group(self.process.pid)  # others may still be in it after it has exited
        self.process.kill()

    def end(self) -> None:
        """Kill it, wait for its end and close the pipe."""
        self.kill()
        self.process.join()
        self.connection.close()
        atexit.unregister(self.kill)


def _run(target: Callable[..., None], connection: "Connection[Any, Any]", *arguments: Any) -> None:
    if hasattr(os, "setsid"):
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        with contextlib.suppress(EOFError, BrokenPipeError):
            target(connection, *arguments)
    except BaseException:
        traceback.print_exc()
    finally:
        _end()


def _end_with_parent() -> None:
    """End this process and what it has started when its parent has ended, even while a player thinks."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        _end()


def _end() -> None:
    """End this process and what it has started."""
    _kill_group(os.getpid())
    os._exit(1)


def _kill_group(leader: int) -> None:
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):  # there is no such group, or not yet
            os.killpg(leader, signal.SIGKILL)
