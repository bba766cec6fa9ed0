"""Threads that outlive neither a fork nor a copy."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class Threads:
    """So many threads, made when they are first needed.

    A forked process has none of its parent's threads, and would wait for them for ever: it makes its own, as
    does one in which a copy is loaded.

    Args:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._made: tuple[int, ThreadPoolExecutor] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"count": self.count, "_made": None}

    def map(self, call: Callable[..., Any], *arguments: Iterable[Any]) -> list[Any]:
        """What the calls give, made at once."""
        if self._made is None or self._made[0] != os.getpid():
            self._made = os.getpid(), ThreadPoolExecutor(self.count)
        return list(self._made[1].map(call, *arguments))
