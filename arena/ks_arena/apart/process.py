"""One process of a player, spoken to in lines, with limits on time and length."""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic
from typing import Any

from ks_arena.apart.cage import Cage, caged, surroundings
from ks_arena.apart.wire import FaultError, packed, unpacked

CHUNK = 65_536


class Process:
    """A process in its cage.

    Args:
        command: program and arguments.
        cage: its limits.

    Raises:
        FaultError: it cannot be started.
    """

    def __init__(self, command: list[str], cage: Cage) -> None:
        self._cage = cage
        self._folder = Path(tempfile.mkdtemp(prefix="ks-player-")).resolve()
        self._rest = b""
        try:
            leash, held = os.pipe()
            self._leash = os.fdopen(held, "wb", buffering=0)
            try:
                self._process = subprocess.Popen(
                    caged(command, cage, self._folder),
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=leash,
                    cwd=self._folder,
                    env=surroundings(self._folder, [os.path.abspath(path) for path in sys.path]),
                    start_new_session=True,
                )
            except OSError:
                self._leash.close()
                raise
            finally:
                os.close(leash)
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise FaultError(f"cannot be started: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._waits_in, self._waits_out = select.poll(), select.poll()
        self._waits_in.register(self._in, select.POLLOUT)
        self._waits_out.register(self._out, select.POLLIN)

    def tell(self, message: dict[str, Any], patience: float) -> None:
        """Send a message that has no answer.

        Raises:
            FaultError: it has ended, or does not read within so many seconds.
        """
        begun, left = monotonic(), memoryview(packed(message))
        while left:
            try:
                left = left[os.write(self._in, left) :]
            except BlockingIOError:
                if not self._waits_in.poll(_milliseconds(begun, patience)):
                    raise FaultError(f"did not read for {patience:.3g} s") from None
            except OSError:
                raise self._ended() from None

    def ask(self, message: dict[str, Any], patience: float) -> dict[str, Any]:
        """Send a message and wait for its answer.

        Raises:
            FaultError: it has ended, does not answer within so many seconds, answers too much or something
                else than a JSON object, or had said something unasked.
        """
        if self._rest:  # what came later is taken for this answer, and leaves its own behind
            raise FaultError("spoke before it was asked")
        begun = monotonic()
        self.tell(message, patience)
        while b"\n" not in self._rest:
            if len(self._rest) > self._cage.answer:
                raise FaultError(f"answered more than {self._cage.answer} bytes")
            if not self._waits_out.poll(_milliseconds(begun, patience)):
                raise FaultError(f"did not come back in {patience:.3g} s")
            try:
                chunk = os.read(self._out, CHUNK)
            except BlockingIOError:
                continue
            if not chunk:
                raise self._ended()
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        if len(line) > self._cage.answer:
            raise FaultError(f"answered more than {self._cage.answer} bytes")
        return unpacked(line)

    def _ended(self) -> FaultError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.returncode
        how = "" if code is None else f" (status {code})"
        return FaultError(f"its process has ended{how}")

    def close(self) -> None:
        """End the process and what it has started, and throw its folder away."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._leash):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _milliseconds(begun: float, patience: float) -> float:
    """What is left of the patience, for poll."""
    return max(0.0, 1000 * (begun + min(patience, 1e6) - monotonic()))
