"""Threads that step a batch together, without Python between the steps.

A step of a few hundred games takes less time than Python needs to hand work to a thread and to hear that it
is done. The helpers of a crew therefore stay inside a kernel: they look for rows to step, and go to sleep
when there have been none for a while, tens of microseconds.

Each thread has its own range of rows, so that these stay in its processor's cache. Ranges are taken in
blocks, and who is through takes blocks of the others: a helper that is asleep, or kept waiting by other
programs, costs its help and nothing else. Rows are independent of each other, so results do not depend on who
steps them.
"""

import os
import threading
import time
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ks_env.core.atomics import LINE, add, breathe, read, write
from ks_env.core.jit import kernel
from ks_env.core.memory import uncounted
from ks_env.core.record import Array

PATIENCE = 1000  # how often one looks for work before going to sleep
LEAST, MOST = 32, 64  # rows in a block
# Places in the shared numbers, each in a line of its own: then come each range's next row, and who is inside
FINISHED, LEAVE, NEXT = 0, LINE, 2 * LINE
NOTHING_LEFT = 1 << 60  # the next row of a range before the first step


@cache
def shared(step: Callable[..., None]) -> Callable[..., bool]:
    """A kernel (batch, buffers, actions, numbers, cuts, me, fresh), made of a step of rows; is it through?

    Args:
        step: (batch, buffers, actions, first, last).
    """

    @kernel
    def share(
        batch: Any, buffers: Any, actions: Array, numbers: Array, cuts: Array, me: int, fresh: bool
    ) -> bool:
        """Step rows until all are stepped (for thread 0, which begins a step if `fresh`) or none are left.

        Args:
            batch: see `ks_env.envs.batch.Batch`.
            buffers: see `ks_env.envs.batch.Buffers`.
            actions: i8[N].
            numbers: i8[n], shared by the threads.
            cuts: i8[T + 1]: the ranges.
            me: number of the thread; 0 is the one whose caller waits for the step.
            fresh: begin a step.
        """
        batch, buffers, actions = uncounted(batch), uncounted(buffers), uncounted(actions)
        threads = cuts.shape[0] - 1
        rows = cuts[threads]
        block = min(max(rows // (4 * threads), LEAST), MOST)
        if fresh:
            write(numbers, FINISHED, 0)
            for each in range(threads):
                write(numbers, NEXT + each * LINE, cuts[each])
        idle = 0
        while idle < PATIENCE:
            idle += 1
            for ahead in range(threads):
                each = me + ahead
                if each >= threads:
                    each -= threads
                last = cuts[each + 1]
                while read(numbers, NEXT + each * LINE) < last:
                    start = add(numbers, NEXT + each * LINE, block)
                    if start < last:
                        stop = min(start + block, last)
                        step(batch, buffers, actions, start, stop)
                        add(numbers, FINISHED, stop - start)
                        idle = 0
            if me == 0 and read(numbers, FINISHED) == rows:
                return True
            if me != 0 and read(numbers, LEAVE) != 0:
                break
            breathe()
        if me != 0:
            write(numbers, NEXT + (threads + me) * LINE, 0)
        return False

    return share


class _Shared:
    """What helpers know: nothing that keeps the crew itself alive."""

    def __init__(self, threads: int) -> None:
        self.numbers = np.zeros(NEXT + 2 * threads * LINE, np.int64)
        self.numbers[NEXT : NEXT + threads * LINE : LINE] = NOTHING_LEFT
        self.inside = self.numbers[NEXT + threads * LINE :: LINE]  # by thread: whether it is in the kernel
        self.gate = threading.Lock()
        self.called = [threading.Lock() for _ in range(threads)]
        for each in self.called:
            each.acquire()
        self.work: tuple[Any, ...] | None = None
        self.over = False
        self.process = os.getpid()

    def serve(self, me: int) -> None:
        """Help whenever called."""
        while not self.over:
            self.called[me].acquire()
            with self.gate:
                work = self.work
                if work is None:
                    continue
                self.inside[me] = 1
            try:
                work[0](*work[1:], me, False)
            finally:
                self.inside[me] = 0
            work = None  # what it works on lives no longer than it is needed

    def call(self) -> None:
        """Wake the helpers that are asleep."""
        for me in range(1, len(self.called)):
            if not self.inside[me] and self.called[me].locked():
                self.called[me].release()

    def send_out(self) -> None:
        """Let all helpers leave the kernel, and give them no more work."""
        with self.gate:
            self.work = None
            self.numbers[LEAVE] = 1
            while self.inside[1:].any():
                time.sleep(0)
            self.numbers[LEAVE] = 0

    def end(self) -> None:
        """Let all helpers go home; a forked process has none.

        It waits for nobody: the collector of garbage may call it in a helper.
        """
        if os.getpid() != self.process:
            return
        self.over, self.work = True, None
        self.numbers[LEAVE] = 1
        self.call()


class Crew:
    """The caller's thread and helpers, made when they are first needed.

    A forked process has none of its parent's threads: it makes its own, and so does whoever loads a copy.

    Args:
        threads: how many, the caller's included.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._made: tuple[int, _Shared] | None = None
        self._given: tuple[Any, ...] = ()
        self._cuts = np.zeros(0, np.int64)

    def __getstate__(self) -> dict[str, Any]:
        return {"threads": self.threads, "_made": None, "_given": (), "_cuts": np.zeros(0, np.int64)}

    def _helpers(self) -> _Shared:
        if self._made is not None and self._made[0] == os.getpid():
            return self._made[1]
        made = _Shared(self.threads)
        weakref.finalize(self, made.end)
        for me in range(1, self.threads):
            threading.Thread(target=made.serve, args=(me,), daemon=True).start()
        self._made, self._given = (os.getpid(), made), ()
        return made

    def step(self, share: Callable[..., bool], batch: Any, buffers: Any, actions: Array) -> None:
        """Step all rows.

        Args:
            share: made by `shared`.
            batch: the games.
            buffers: where the outputs go.
            actions: i8[N], the same array in every step.
        """
        made = self._helpers()
        given = (share, batch, buffers, actions)
        if len(given) != len(self._given) or any(a is not b for a, b in zip(given, self._given, strict=True)):
            made.send_out()
            self._cuts = np.linspace(0, len(actions), self.threads + 1).astype(np.int64)
            made.work, self._given = (*given, made.numbers, self._cuts), given
        made.call()
        fresh = True
        try:
            while not share(batch, buffers, actions, made.numbers, self._cuts, 0, fresh):
                fresh = False
                time.sleep(0)  # a helper has taken rows and waits for a processor
        except BaseException:  # interrupted: what a helper still steps must not count in the next step
            while not share(batch, buffers, actions, made.numbers, self._cuts, 0, False):
                time.sleep(0)
            raise
