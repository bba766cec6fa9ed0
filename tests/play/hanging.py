"""Players that do what no player may."""

from __future__ import annotations

import os
import time
from typing import Any


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


class Brooding(Hanging):
    def explain(self, view: Any, most: int) -> Any:
        time.sleep(600)
