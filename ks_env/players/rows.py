"""Many single players as one batch player, stepped in threads where they are compiled."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.core.actions import ACTIONS
from ks_env.core.rows import rows_of
from ks_env.games.definition import GameDefinition
from ks_env.games.opening import Opening
from ks_env.players.protocol import Player, listener
from ks_env.players.registry import check_player, check_plays
from ks_env.players.threads import Threads

NONSENSE = -1  # for numbers of any size that are no tries


def try_number(answer: Any) -> int:
    """What a player chose, as a number; one outside the action space is nonsense to the referee.

    Raises:
        ValueError: it is no integer.
    """
    try:
        return operator.index(answer)
    except TypeError:
        raise ValueError(f"chose {answer!r}; expected the number of a try") from None


class PlayerRows:
    """One player a row, made when the row first begins.

    Args:
        factory: makes a player.
        game: what they are to play.
        threads: how many rows may think at once, if the players are compiled.

    Raises:
        ValueError: what the factory gives is no player, or one that does not play that game.
    """

    def __init__(self, factory: Callable[[], Player], game: GameDefinition, threads: int = 1) -> None:
        self._factory = factory
        self._players: dict[int, Any] = {}
        first = check_player(factory(), getattr(factory, "__qualname__", repr(factory)))
        check_plays(first, game)
        self.name = first.name
        compiled = getattr(first, "compiled", False)
        self._pool = Threads(threads) if threads > 1 and compiled else None
        if listener(first) is not None:
            self.hear_row = self._hear_row

    def begin_row(self, row: int, opening: Opening) -> None:
        """A new game in this row."""
        if row not in self._players:
            self._players[row] = self._factory()
        self._players[row].begin(opening)

    def choose_rows(self, rows: npt.NDArray[np.int64], views: np.ndarray[Any, Any]) -> npt.NDArray[np.int64]:
        """The next try in each of the rows; a player is handed its own view alone."""
        players = [self._players[int(row)] for row in rows]
        own = [rows_of(views, i) for i in range(len(views))]
        if self._pool is not None and len(players) > 1:
            chosen = self._pool.map(lambda player, view: player.choose(view), players, own)
        else:
            chosen = [player.choose(view) for player, view in zip(players, own, strict=True)]
        try:
            numbers = [try_number(answer) for answer in chosen]
        except ValueError as error:
            raise ValueError(f"player {self.name!r} {error}") from None
        return np.array([each if 0 <= each < ACTIONS else NONSENSE for each in numbers], np.int64)

    def _hear_row(self, row: int, announcement: Any) -> None:
        self._players[row].hear(announcement)
