"""An interrupt at the keyboard, taken at a moment of our choice."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def held_interrupts() -> Iterator[Callable[[], None]]:
    """Hold an interrupt back until the function that this gives is called, which then raises it.

    Raised anywhere, KeyboardInterrupt can leave one of the thread pool's locks held for ever, for which its
    threads and then the process would wait. A second interrupt is not held back. In another thread than the
    main one, which gets none, this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    asked = False

    def note(number: int, frame: Any) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    def check() -> None:
        if asked:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)
