"""Players that do what a player should not, and some that count their work."""

import asyncio
import os
import random
import subprocess
import time
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ks_env.core.ruleset import Ruleset
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.players.protocol import Player
from ks_env.players.registry import make_player


class Wrapped:
    """A random player in which a test changes one thing."""

    name = "wrapped"
    compiled = False

    def __init__(self) -> None:
        self.inner: Player = make_player("random")
        self.turn = 0

    def begin(self, colour: bool, ruleset: Ruleset, start_fen: str | None, seed: int) -> None:
        self.turn = 0
        self.inner.begin(kriegspiel.opening(colour, ruleset, start_fen, seed))

    def choose(self, view: np.void) -> int:
        self.turn += 1
        return self.inner.choose(view)

    def hear(self, announcement: Announcement) -> None:
        pass


class Counting(Wrapped):
    """Says that it looked at ten positions for every try."""

    nodes = 0

    def choose(self, view: np.void) -> int:
        self.nodes += 10
        return super().choose(view)


class Raises(Wrapped):
    def __init__(self, where: str = "choose") -> None:
        self.where = where
        if where == "make" and os.environ.get("KS_TEST_MAKE_RAISES"):
            raise RuntimeError("cannot be made")
        super().__init__()

    def begin(self, *game: Any) -> None:
        if self.where == "begin":
            raise RuntimeError("cannot\nbegin")
        super().begin(*game)

    def choose(self, view: np.void) -> int:
        if self.where == "choose" and self.turn == 3:
            raise KeyError("lost")
        if self.where == "exit" and self.turn == 3:
            raise SystemExit(1)
        return super().choose(view)

    def hear(self, announcement: Announcement) -> None:
        if self.where == "hear" and self.turn == 3:
            raise ValueError("did not listen")
        if self.where == "end" and announcement.reason:
            raise ValueError("is a sore loser")


class Chooses(Wrapped):
    """Chooses `action` on its third turn."""

    def __init__(self, action: object) -> None:
        super().__init__()
        self.action = action

    def choose(self, view: np.void) -> Any:
        usual = super().choose(view)
        return usual if self.turn <= 2 else self.action


class Slow(Wrapped):
    """Comes back, but late."""

    def __init__(self, seconds: float = 0.3) -> None:
        super().__init__()
        self.seconds = seconds

    def choose(self, view: np.void) -> int:
        time.sleep(self.seconds if self.turn == 2 else 0)
        return super().choose(view)


class Hangs(Wrapped):
    """Never comes back from its third turn, or from being told of the game."""

    def __init__(self, where: str = "choose") -> None:
        super().__init__()
        self.where = where

    def begin(self, *game: Any) -> None:
        super().begin(*game)
        while self.where == "begin":
            time.sleep(60)

    def choose(self, view: np.void) -> int:
        while self.turn == 2:
            time.sleep(60)
        return super().choose(view)


class Dies(Wrapped):
    """Brings its process down: always on its third turn, or once if it is given a file to remember it by."""

    def __init__(self, once: str = "") -> None:
        super().__init__()
        self.once = once

    def choose(self, view: np.void) -> int:
        if self.turn == 2 and not (self.once and os.path.exists(self.once)):
            if self.once:
                open(self.once, "w").close()
            os.kill(os.getpid(), 9)
        return super().choose(view)


class Shared(Wrapped):
    """Draws from the generators that all share, and keeps what it drew across games if it can."""

    def choose(self, view: np.void) -> int:
        for _ in range(random.randrange(3)):
            self.inner.choose(view)
        return super().choose(view)


class Listens(Wrapped):
    """Keeps what it is told, and itself."""

    made: ClassVar[list["Listens"]] = []

    def begin(self, colour: bool, ruleset: Ruleset, start_fen: str | None, seed: int) -> None:
        super().begin(kriegspiel.opening(colour, ruleset, start_fen, seed))
        self.colour, self.start, self.seed = colour, start_fen, seed
        self.heard: list[Announcement] = []
        self.placements: tuple[str, ...] = ()
        Listens.made.append(self)

    def hear(self, announcement: Announcement) -> None:
        self.heard.append(announcement)


class Places(Listens):
    """Makes use of declared placements."""

    def begin_hidden(self, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int) -> None:
        self.begin(kriegspiel.hidden_opening(colour, ruleset, [], seed))
        self.placements = tuple(fens)


class Baffles(Wrapped):
    """Fails where a failure is looked at, not where it is looked for."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how

    def choose(self, view: np.void) -> Any:
        usual = super().choose(view)
        if self.turn <= 2:
            return usual
        if self.how == "base":
            raise asyncio.CancelledError("not an Exception")
        if self.how == "interrupt":
            raise KeyboardInterrupt
        if self.how == "words":
            raise Wordless
        if self.how == "surrogate":
            raise OSError("bad name a\udcff.bin")
        return Numberless()


class Wordless(Exception):  # noqa: N818
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Numberless:
    def __index__(self) -> int:
        raise ArithmeticError("no number")


class Miscounts(Wrapped):
    """Its count of nodes raises, or is no count."""

    def __init__(self, how: str = "raise") -> None:
        super().__init__()
        self.how = how

    @property
    def nodes(self) -> object:
        if self.how == "raise":
            raise RuntimeError("cannot count")
        return {"huge": 2**70, "negative": -5, "text": "many"}[self.how]


class LateOnce(Wrapped):
    """Late on its third turn unless there is a file, which it then makes."""

    def __init__(self, once: str) -> None:
        super().__init__()
        self.once = once

    def choose(self, view: np.void) -> int:
        if self.turn == 2 and not os.path.exists(self.once):
            open(self.once, "w").close()
            time.sleep(0.4)
        return super().choose(view)


class WalksThroughASet(Wrapped):
    """Asks for its try as often as the first word of a set is long."""

    def choose(self, view: np.void) -> int:
        first = next(iter({"a", "bb", "ccc", "dddd", "eeeee", "ffffff"}))
        for _ in range(len(first)):
            super().choose(view)
        return super().choose(view)


class StartsAProcess(Wrapped):
    """Starts a process, leaves its number in a file, and never comes back."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file

    def choose(self, view: np.void) -> int:
        process = subprocess.Popen(["sleep", "777"])
        with open(self.file, "w") as file:
            file.write(str(process.pid))
        time.sleep(777)
        return 0


class Repeats(Wrapped):
    """Tries a castling that it never has, for ever."""

    def choose(self, view: np.void) -> int:
        return 0 if self.turn else super().choose(view)
