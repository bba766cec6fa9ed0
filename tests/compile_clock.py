"""A test's time limit stands still while Numba compiles, which takes minutes on a busy machine."""

from __future__ import annotations

import signal
from time import monotonic

from numba.core import event

KIND = "numba:compile"
LONGEST = 900.0  # seconds that a kernel may take; then the compiler hangs, and the limit strikes


class CompileClock(event.Listener):  # type: ignore[misc]  # Numba is seen as Any
    """Stops the timer of pytest-timeout from the start of a compilation to its end.

    A kernel is compiled while the one that calls it is, so starts and ends are counted. All of them hold the
    compiler's lock, whatever thread they are in.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.left = 0.0  # seconds on the timer when the compilation began
        self.begun = 0.0

    def on_start(self, event: event.Event) -> None:
        """A kernel begins to be compiled."""
        self.depth += 1
        if self.depth == 1:
            self.left, self.begun = signal.getitimer(signal.ITIMER_REAL)[0], monotonic()
            if self.left:
                signal.setitimer(signal.ITIMER_REAL, self.left + LONGEST)

    def on_end(self, event: event.Event) -> None:
        """It is compiled, or cannot be."""
        self.depth -= 1
        if self.depth == 0 and self.left and monotonic() - self.begun < LONGEST:
            signal.setitimer(signal.ITIMER_REAL, self.left)


def install() -> None:
    """Listen to the compiler from now on; nothing is done where the timer is no signal."""
    if hasattr(signal, "setitimer"):
        event.register(KIND, CompileClock())
