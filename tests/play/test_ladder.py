"""Levels by their measured strength, and the rating of a person."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from ks_play.ladder import Scored, ladder, rating_of
from starlette.testclient import TestClient

from ks_env.players.registry import make_player
from tests.play.serving import begin, page, serving


def test_every_level_can_be_played() -> None:
    found = ladder().levels
    assert [level.rating for level in found] == sorted(level.rating for level in found)
    for level in found:
        assert level.low < level.rating < level.high
        make_player(level.player)


def test_a_rating_goes_with_the_scores() -> None:
    on = ladder()
    none = rating_of([], on)
    assert none["rating"] == 1000
    assert none["high"] - none["low"] > 1000
    top, best = on.levels[-1].rating, on.levels[-1].player
    even = [Scored(best, white, points) for white in (True, False) for points in (-1, 0, 1)] * 20
    found = rating_of(even, on)
    assert found["low"] < top < found["high"]
    assert abs(found["rating"] - top) < 20
    assert found["high"] - found["low"] < 200
    assert found["games"] == 120
    won, lost = (rating_of([Scored("capture", True, points)] * 3, on) for points in (1, -1))
    assert lost["high"] < 1000 < won["rating"]
    # with White a draw is worth less than with Black, by White's advantage
    assert (
        rating_of([Scored(best, True, 0)] * 50, on)["rating"]
        < rating_of([Scored(best, False, 0)] * 50, on)["rating"]
    )


def resigned(client: TestClient, *, help: bool = False, **wish: Any) -> None:
    token = begin(client, **{"opponent": "random", "colour": "white"} | wish)["seat"]
    with page(client, token) as seat:
        seat.until("told")
        if help:
            seat.send(type="believe", on=True)
            seat.until("belief")
        seat.send(type="resign")
        seat.until_over()


def test_games_against_levels_without_help_count(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        resigned(client)
        first = client.get("/rating").json()
        assert first["games"] == 1
        assert first["rating"] < 1000
        resigned(client, help=True)
        resigned(client, ruleset="rand")
        resigned(client, options={"fifty_moves": False})
        resigned(client, start="7k/5Q2/8/8/8/8/8/K5R1 w - - 0 1")
        resigned(client, opponent="mcts-c:nodes=5")
        resigned(client, game="DarkChess")
        assert client.get("/rating").json() == first
    with sqlite3.connect(tmp_path / "games.sqlite") as db:
        assert db.execute("SELECT player, white, points FROM scores").fetchall() == [("random", 1, -1)]


def test_a_server_for_others_rates_nobody(tmp_path: Path) -> None:
    from ks_play.app import make_app
    from ks_play.engines import Engines
    from ks_play.store import Store

    app = make_app(Store(tmp_path / "games.sqlite"), Engines(1, 1.0), strangers=True)
    with TestClient(app, base_url="http://localhost") as client:
        assert client.get("/rating").json() is None
