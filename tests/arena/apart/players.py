"""Players that look for what they may not see, in whatever process they are made."""

import gc
import inspect
from typing import Any

from ks_env.games.under_way import GameUnderWay
from tests.arena.players import Wrapped


class Peeps(Wrapped):
    """Raises what it has found of a referee: on the stack, or among all objects."""

    def choose(self, view: Any) -> int:
        for frame in inspect.stack():
            for value in frame.frame.f_locals.values():
                if hasattr(value, "truth"):
                    raise RuntimeError("found the referee on the stack")
        if any(isinstance(found, GameUnderWay) for found in gc.get_objects()):
            raise RuntimeError("found the game among all objects")
        return super().choose(view)


at_home = False  # set by a test in its own process


class Marked(Wrapped):
    """Raises in the process of the test that set the mark."""

    def choose(self, view: Any) -> int:
        if at_home:
            raise RuntimeError("plays in the process that holds the game")
        return super().choose(view)


class Keeps(Wrapped):
    """Chooses by what it was told last, which it has to hear."""

    def begin(self, opening: Any) -> None:
        super().begin(opening)
        self.heard = 0
        self.nodes = 0

    def hear(self, announcement: Any) -> None:
        self.heard += len(announcement.text()) + (announcement.action or 0)

    def choose(self, view: Any) -> int:
        self.nodes += 1
        for _ in range(self.heard % 3):
            self.inner.choose(view)
        return super().choose(view)
