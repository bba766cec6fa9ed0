"""What a worker is doing, in memory that outlives it: who thinks, and the tries so far."""

import ctypes
from multiprocessing.sharedctypes import RawArray
from typing import Any

import numpy as np

NOBODY = -1
MOST_ACTIONS = 65_536  # kept of a game; who makes more tries than that has his first ones kept

PAGE = np.dtype(
    [
        ("calls", "i8"),  # player calls begun; a call that does not end leaves it where it is
        ("seat", "i1"),  # whose player is called: 0 White, 1 Black, -1 nobody
        ("preparing", "u1"),  # it is made or told of the game, not asked for a try
        ("answered", "i4"),  # tries answered in this game
        ("seconds", "f8", (2,)),  # spent by each seat, up to the last call that ended
        ("slowest", "f8", (2,)),  # each seat's longest turn so far
        ("nodes", "i8", (2,)),  # each seat's count of work, -1 none
        ("actions", "<i2", (MOST_ACTIONS,)),
    ],
    align=True,
)


def make_memory() -> Any:
    """Shared memory for one page; it can be handed to a process when that is started."""
    return RawArray(ctypes.c_char, PAGE.itemsize)


class Notebook:
    """One page over some memory.

    Args:
        memory: what `make_memory` gave; None for a page that is not shared.
    """

    def __init__(self, memory: Any = None) -> None:
        buffer = bytearray(PAGE.itemsize) if memory is None else memory
        whole = np.frombuffer(buffer, PAGE, count=1)
        self._calls = whole["calls"]
        self._seat = whole["seat"]
        self._preparing = whole["preparing"]
        self._answered = whole["answered"]
        self.seconds = whole["seconds"][0]
        self.slowest = whole["slowest"][0]
        self.nodes = whole["nodes"][0]
        self._actions = whole["actions"][0]

    def new_game(self) -> None:
        """Forget the last game."""
        self._seat[0] = NOBODY
        self._answered[0] = 0
        self.seconds[:] = 0
        self.slowest[:] = 0
        self.nodes[:] = -1

    def enter(self, seat: int, *, preparing: bool) -> None:
        """A call of this seat's player begins."""
        self._calls[0] += 1
        self._preparing[0] = preparing
        self._seat[0] = seat

    def leave(self) -> None:
        """It has come back."""
        self._seat[0] = NOBODY

    def answer(self, action: int) -> None:
        """A try was answered."""
        count = self._answered[0]
        if count < MOST_ACTIONS:
            self._actions[count] = action
            self._answered[0] = count + 1

    @property
    def calls(self) -> int:
        """Player calls begun so far."""
        return int(self._calls[0])

    @property
    def thinking(self) -> int:
        """The seat whose player has been called and has not come back, or -1."""
        return int(self._seat[0])

    @property
    def preparing(self) -> bool:
        """Whether that player is getting ready for the game."""
        return bool(self._preparing[0])

    def actions(self) -> bytes:
        """The tries answered so far, little-endian int16 each."""
        return bytes(self._actions[: int(self._answered[0])])
