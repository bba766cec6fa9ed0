"""Rows handed to players have nothing of other records between their fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest

from ks_env.core.rows import gaps, rows_of
from ks_env.envs.solo import GameEnv
from ks_env.games.dark.game import DarkGame
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players.registry import make_player

GAMES: dict[str, Callable[[], Any]] = {
    "Kriegspiel": Game,
    "DarkChess": DarkGame,
    "InvisibleChess": lambda: InvisibleGame("B v B"),
}
REMNANT = 0xA5


def leave_remnants(size: int) -> None:
    """Fill freed memory of this size with a byte that is easily known again."""
    held = [np.full(size, REMNANT, np.uint8) for _ in range(500)]
    del held


def between(row: Any) -> bytes:
    """The bytes between the fields of a record."""
    return bytes(np.frombuffer(bytearray(row), np.uint8)[gaps(row.dtype)])


def test_the_gaps_are_what_no_field_takes() -> None:
    odd = np.dtype([("a", "u1"), ("b", "u8"), ("c", "u2", (3,))], align=True)
    assert gaps(odd).tolist() == [*range(1, 8), 22, 23]
    assert all(len(gaps(GAMES[game]().row()["views"].dtype)) > 0 for game in GAMES)


def test_a_copy_by_numpy_shows_remnants() -> None:
    """Why there is `rows_of`; the test of it would see them."""
    row = InvisibleGame("B v B").row()["views"][0]
    leave_remnants(row.dtype.itemsize)
    assert REMNANT in between(row.copy())


@pytest.mark.parametrize("index", [(0, 1), (np.array([0, 0, 0]), np.array([1, 0, 1])), (0, slice(2))])
def test_rows_are_copied_without_what_is_between_the_fields(index: Any) -> None:
    game = InvisibleGame("B v B")
    start = game._games.dtype.fields["views"][1]
    game._games.view(np.uint8)[start + gaps(game._games["views"].dtype)] = REMNANT
    views = game._games["views"]
    leave_remnants(views.dtype.itemsize)
    found = rows_of(views, index)
    assert found.dtype == views.dtype
    assert found.shape == views[index].shape
    for row, expected in zip(np.atleast_1d(found), np.atleast_1d(views[index]), strict=True):
        assert all(np.array_equal(row[name], expected[name]) for name in row.dtype.names)
        assert set(between(row)) == {0}
    found["seat"] = 7
    assert not (views["seat"] == 7).any()


@pytest.mark.parametrize("game", GAMES)
def test_a_view_shows_nothing_between_its_fields(game: str) -> None:
    under_way: Any = GAMES[game]()
    leave_remnants(under_way.row().dtype.itemsize)
    apart = under_way.copy()
    for colour in chess.COLORS:
        assert set(between(apart.view(colour))) == {0}
        leave_remnants(under_way.view(colour).dtype.itemsize)
        assert set(between(under_way.view(colour))) == {0}
        assert set(between(Opening.of(under_way, colour).view)) == {0}


class Noting:
    """Plays at random and keeps the gaps of every record it is handed."""

    name = "noting"
    games = tuple(GAMES)

    def __init__(self) -> None:
        self._random: Any = make_player("random")
        self.found: list[bytes] = []

    def begin(self, opening: Opening) -> None:
        self.found.append(between(opening.view))
        self._random.begin(opening)

    def choose(self, view: np.void) -> int:
        leave_remnants(view.dtype.itemsize)
        self.found.append(between(view))
        return int(self._random.choose(view))


@pytest.mark.parametrize("game", GAMES)
def test_an_opponent_in_an_environment_is_handed_nothing_else(game: str) -> None:
    player = Noting()
    options: dict[str, Any] = {"hidden": "B v B"} if game == "InvisibleChess" else {}
    env: Any = GameEnv(game=game, opponent=lambda: player, **options)
    for rows in (env.unwrapped.engine.batch.games, env.unwrapped.engine.batch.starts):
        start = rows.dtype.fields["views"][1]
        size = rows["views"].dtype.itemsize
        for seat in (0, 1):
            rows.view(np.uint8).reshape(len(rows), -1)[:, start + size * seat + gaps(rows["views"].dtype)] = (
                REMNANT
            )
    env.reset(seed=1)
    for step in range(30):
        mask = env.action_masks()
        _, _, terminated, truncated, _ = env.step(np.int64(np.flatnonzero(mask)[step % 7 % mask.sum()]))
        if terminated or truncated:
            break
    assert len(player.found) > 10
    assert set(b"".join(player.found)) == {0}
