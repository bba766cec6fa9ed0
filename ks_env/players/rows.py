"""Many single players as one batch player, stepped in threads where they are compiled."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.core.ruleset import Ruleset
from ks_env.games.by_game import KRIEGSPIEL
from ks_env.players.games import check_plays
from ks_env.players.protocol import AnyPlayer, View, begin_game


class PlayerRows:
    """One player a row, made when the row first begins.

    Args:
        factory: makes a player.
        threads: how many rows may think at once, if the players are compiled.
        game: what they are to play.

    Raises:
        ValueError: the player does not play that game.
    """

    def __init__(self, factory: Callable[[], AnyPlayer], threads: int = 1, game: str = KRIEGSPIEL) -> None:
        self._factory = factory
        self._players: dict[int, Any] = {}
        first = factory()
        check_plays(first, game)
        self.name = first.name
        self._pool = ThreadPoolExecutor(threads) if threads > 1 and first.compiled else None

    def _player(self, row: int) -> Any:
        if row not in self._players:
            self._players[row] = self._factory()
        return self._players[row]

    def begin_row(self, row: int, colour: bool, ruleset: Ruleset, start_fen: str | None, seed: int) -> None:
        """A new game in this row."""
        self._player(row).begin(colour, ruleset, start_fen, seed)

    def begin_row_hidden(
        self, row: int, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int
    ) -> None:
        """A new game in this row from one of the declared positions, if the player can use them."""
        begin_game(self._player(row), colour, ruleset, fens, seed, hidden=True)

    def begin_row_invisible(self, row: int, colour: bool, ruleset: Ruleset, start: View, seed: int) -> None:
        """A new game of invisible chess in this row."""
        self._player(row).begin_invisible(colour, ruleset, start, seed)

    def choose_rows(self, rows: npt.NDArray[np.int64], views: np.ndarray[Any, Any]) -> npt.NDArray[np.int64]:
        """The next try in each of the rows."""
        players = [self._player(int(row)) for row in rows]
        if self._pool is not None and len(players) > 1:
            chosen = list(
                self._pool.map(lambda pair: pair[0].choose(pair[1]), zip(players, views, strict=True))
            )
        else:
            chosen = [player.choose(view) for player, view in zip(players, views, strict=True)]
        return np.array(chosen, np.int64)

    def hear_row(self, row: int, announcement: Any) -> None:
        """What the referee said in this row."""
        self._player(row).hear(announcement)
