"""Clocks of a game. A seat's time runs while it is to move, however often it is refused."""

from time import monotonic
from typing import Any

import chess
from pydantic import BaseModel, ConfigDict, Field

now = monotonic  # seconds; the time while the server is down is not in them


class Control(BaseModel):
    """How much time each seat has.

    Attributes:
        minutes: at the start.
        increment: seconds added when a turn is over; a refused try adds nothing.
    """

    model_config = ConfigDict(extra="forbid")

    minutes: float = Field(gt=0, le=180)
    increment: int = Field(0, ge=0, le=180)


class Clock:
    """Both clocks of a game; at first they stand.

    Args:
        control: how much time there is.
        left: milliseconds of White and of Black, where the game goes on; None at its start.
    """

    def __init__(self, control: Control, left: tuple[int, int] | None) -> None:
        self._increment = control.increment
        self._left = [60 * control.minutes] * 2 if left is None else [each / 1000 for each in left]
        self._running: bool | None = None
        self._since = 0.0

    @property
    def running(self) -> bool | None:
        """Whose clock runs; None while both stand."""
        return self._running

    def run(self, seat: bool | None) -> None:
        """Let the clock of a seat run, or none."""
        if self._running is not None:
            self._left[_place(self._running)] = self.left(self._running)
        self._running, self._since = seat, now()

    def end_turn(self, seat: bool) -> None:
        """A turn of the seat is over: its increment is added."""
        self._left[_place(seat)] += self._increment

    def left(self, seat: bool) -> float:
        """Seconds that a seat has left; below 0 once they are used up."""
        spent = now() - self._since if seat == self._running else 0.0
        return self._left[_place(seat)] - spent

    def milliseconds(self) -> tuple[int, int]:
        """What White and Black have left."""
        return round(1000 * self.left(chess.WHITE)), round(1000 * self.left(chess.BLACK))

    def values(self) -> dict[str, Any]:
        """What both seats are shown: milliseconds left, and whose clock runs, which is who is to move."""
        runs = None if self._running is None else chess.COLOR_NAMES[self._running]
        return {"left": list(self.milliseconds()), "runs": runs}


def _place(seat: bool) -> int:
    return 0 if seat else 1
