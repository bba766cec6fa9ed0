"""Players that do what no player may, or what a test wants."""

from __future__ import annotations

import os
import time
from typing import Any

from ks_env.core.actions import text_to_action


class Hanging:
    name = "hanging"
    games = ("Kriegspiel",)

    def begin(self, opening: Any) -> None:
        pass

    def choose(self, view: Any) -> int:
        time.sleep(600)
        return 0


class Dying(Hanging):
    def choose(self, view: Any) -> int:
        os._exit(3)


class Raising(Hanging):
    def choose(self, view: Any) -> int:
        raise ValueError("no idea")


class Scripted(Hanging):
    """Makes these tries of White one after the other, such as `tries='e2d3 e1d1'`."""

    def __init__(self, tries: str) -> None:
        self._tries = iter(tries.split())

    def choose(self, view: Any) -> int:
        return text_to_action(next(self._tries), True)


class Brooding(Hanging):
    def explain(self, view: Any, most: int) -> Any:
        time.sleep(600)
