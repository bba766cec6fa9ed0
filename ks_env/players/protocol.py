"""What a player is: told how a game begins, asked for tries, and told what it hears if it wants to know.

    class First:
        name = "first"  # it tries whatever comes first

        def begin(self, opening):
            self.opening = opening

        def choose(self, view):
            return int(self.opening.tries(view)[0])

A player is for Kriegspiel; one for other games names them in an attribute `games`, a collection of ids such
as `("Kriegspiel", "DarkChess")`. Other attributes that a player may have:

- `hear(announcement)`: what the referee said, answers to own tries and what is heard of the opponent's.
  Announcements are made only for players that have it.
- `compiled`: True where `choose` releases the GIL, so that games can be stepped in threads.
- `nodes`: the work done since `begin`, 0 then, in the player's own unit (nodes of a tree, simulated games,
  positions given to a network), so that players can be compared at equal budgets.
- `weighed()`: what the latest `choose` has compared its tries by, for data sets; see `WeighsTries`.
- `notes`: bytes with its notes on the game; the arena hands them on with the game's result.
"""

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ks_env.games.opening import Opening

View = Any  # a VIEW record, np.void: a copy, from which nothing else can be reached
Views = np.ndarray[Any, Any]


@runtime_checkable
class Player(Protocol):
    """One seat of one game at a time.

    Attributes:
        name: as shown in results.
    """

    name: str

    def begin(self, opening: Opening) -> None:
        """A new game."""

    def choose(self, view: View) -> int:
        """The next try, numbered as in `ks_env.core.actions`; `view` is a copy of the seat's VIEW."""


@runtime_checkable
class CountsWork(Player, Protocol):
    """A player that says how hard it has worked.

    Attributes:
        nodes: the work done since `begin`. It is read after every accepted move and at the end.
    """

    nodes: int


@runtime_checkable
class WeighsTries(Player, Protocol):
    """A player that says what it has compared its tries by."""

    def weighed(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]:
        """The tries that the latest `choose` has looked into, i2[K], and the value of each, f4[K].

        A greater value is better; what one unit is worth is up to the player. K is 0 where a rule
        decided, or only one try was left.
        """


@runtime_checkable
class BatchPlayer(Protocol):
    """Many games at once, by row; for players that choose faster together, such as networks.

    It may have a method `hear_row(row, announcement)`, as a `Player` may have `hear`.
    """

    name: str

    def begin_row(self, row: int, opening: Opening) -> None:
        """A new game in this row."""

    def choose_rows(self, rows: npt.NDArray[np.int64], views: Views) -> npt.NDArray[np.int64]:
        """The next try in each of the rows: i8[M]; `views` is VIEW[M], copies."""


def listener(player: Any, method: str = "hear") -> Any:
    """The method by which a player hears announcements, None if it does not listen."""
    return getattr(player, method, None)
