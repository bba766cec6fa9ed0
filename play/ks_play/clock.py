"""Clocks of a game, and the pace of engines.

A seat's time runs while it is to move, however often it is refused.
"""

from asyncio import sleep
from time import monotonic
from typing import Any

import chess
from pydantic import BaseModel, ConfigDict, Field

from ks_env.games.record import seat_index

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
        self._stop(now())
        self._running = seat

    def end_turn(self, seat: bool, at: float) -> None:
        """A turn of the seat was over at that time (`now`): its clock stands, and its increment is added."""
        self._stop(at)
        self._left[seat_index(seat)] += self._increment

    def _stop(self, at: float) -> None:
        if self._running is not None:
            self._left[seat_index(self._running)] -= at - self._since
        self._running, self._since = None, at

    def left(self, seat: bool) -> float:
        """Seconds that a seat has left; below 0 once they are used up."""
        spent = now() - self._since if seat == self._running else 0.0
        return self._left[seat_index(seat)] - spent

    def milliseconds(self) -> tuple[int, int]:
        """What White and Black have left."""
        return round(1000 * self.left(chess.WHITE)), round(1000 * self.left(chess.BLACK))

    def values(self) -> dict[str, Any]:
        """What both seats are shown: milliseconds left, and whose clock runs, which is who is to move.

        They are whole tenths of a second: finer ones might tell how often the disk was written to.
        """
        runs = None if self._running is None else chess.COLOR_NAMES[self._running]
        return {"left": [round(each, -2) for each in self.milliseconds()], "runs": runs}


class Pace:
    """When the opponent hears of an engine's turn: at multiples of a beat after it began.

    What he does not hear must not delay what he does, or he could count the refusals.

    Args:
        beat: seconds; 0 for no waiting.
    """

    def __init__(self, beat: float) -> None:
        self._beat, self._began = beat, now()

    async def wait(self) -> None:
        """Until the next beat."""
        if self._beat:
            await sleep(self._beat - (now() - self._began) % self._beat)
