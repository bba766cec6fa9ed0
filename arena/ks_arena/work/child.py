"""A child process with a pipe to it, and a process group of its own, so that `end` ends what it starts."""

import contextlib
import multiprocessing
import os
import signal
import threading
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

    def kill(self) -> None:
        """Kill it and what it has started, from any thread."""
        if self.process.pid is not None and hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if os.getpgid(self.process.pid) == self.process.pid:  # it leads its group by now
                    os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()

    def end(self) -> None:
        """Kill it, wait for its end and close the pipe."""
        self.kill()
        self.process.join()
        self.connection.close()


def _run(target: Callable[..., None], connection: "Connection[Any, Any]", *arguments: Any) -> None:
    if hasattr(os, "setsid"):
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError):
        target(connection, *arguments)


def _end_with_parent() -> None:
    """End this process and what it has started when its parent has ended, even while a player thinks."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)
