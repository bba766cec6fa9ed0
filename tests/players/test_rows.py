"""Single players as rows of a batch, in threads where they are compiled."""

from __future__ import annotations

import threading
import time
from typing import Any, cast

import chess
import numpy as np
import pytest

from ks_env.core.ruleset import ICC, RULESETS
from ks_env.envs.solo import GameEnv
from ks_env.games import kriegspiel
from ks_env.games.invisible import INVISIBLE_CHESS
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players.protocol import BatchPlayer, Player, listener
from ks_env.players.rows import PlayerRows
from tests.envs.play import FENS, Rows, Scribe, draw
from tests.players.made import counted_announcements


class Slow(Scribe):
    """Says in which thread it was asked."""

    compiled = True
    threads: set[int] = set()  # noqa: RUF012
    most = 0
    inside = 0
    lock = threading.Lock()

    def choose(self, view: np.void) -> int:
        with Slow.lock:
            Slow.threads.add(threading.get_ident())
            Slow.inside += 1
            Slow.most = max(Slow.most, Slow.inside)
        time.sleep(0.02)
        with Slow.lock:
            Slow.inside -= 1
        return super().choose(view)


class SlowInPython(Slow):
    compiled = False


@pytest.mark.parametrize(("factory", "at_once"), [(Slow, 3), (SlowInPython, 1)])
def test_compiled_players_think_in_threads(factory: type[Slow], at_once: int) -> None:
    Slow.threads, Slow.most = set(), 0
    rows = PlayerRows(factory, KRIEGSPIEL, threads=3)
    views = np.stack([Game().view(chess.WHITE)] * 6)
    for row in range(6):
        rows.begin_row(row, Opening.of(Game(ICC, FENS[0], hidden_start=True), chess.WHITE, row, FENS[:1]))
    chosen = rows.choose_rows(np.arange(6), views)
    assert chosen.shape == (6,)
    assert len(Slow.threads) == at_once
    assert (Slow.most > 1) == (at_once > 1)


def test_rows_are_players_of_their_own() -> None:
    made: list[Scribe] = []

    def factory() -> Scribe:
        made.append(Scribe("random"))
        return made[-1]

    rows = PlayerRows(factory, KRIEGSPIEL)
    assert rows.name == "scribe of random"
    for row, seed in ((0, 1), (5, 2), (0, 3)):
        rows.begin_row(row, kriegspiel.opening(row == 0, RULESETS["rand"], FENS[0], seed))
    begun = [scribe for scribe in made if scribe.begun]
    assert [(scribe.begun, scribe.colour, scribe.start) for scribe in begun] == [
        (2, True, FENS[0]),
        (1, False, FENS[0]),
    ]
    said = Game().heard(chess.WHITE)[0]
    rows.hear_row(5, said)
    assert [scribe.heard for scribe in begun] == [[], [said]]


def test_every_row_is_told_of_a_hidden_start() -> None:
    made: list[Scribe] = []

    def factory() -> Scribe:
        made.append(Scribe("random"))
        return made[-1]

    rows = PlayerRows(factory, KRIEGSPIEL)
    rows.begin_row(3, Opening.of(Game(ICC, FENS[0], hidden_start=True), chess.BLACK, 7, FENS[:2]))
    assert (made[-1].colour, made[-1].start, made[-1].begun) == (chess.BLACK, None, 1)
    assert made[-1].placements == tuple(FENS[:2])
    rows.begin_row(3, kriegspiel.opening(chess.WHITE, ICC, FENS[0], 7))
    assert (made[-1].colour, made[-1].start, made[-1].begun) == (chess.WHITE, FENS[0], 2)
    assert made[-1].placements == (FENS[0],)


class Deaf:
    """Has what every player has, and nothing else."""

    name = "deaf"

    def begin(self, opening: Opening) -> None:
        pass

    def choose(self, view: np.void) -> int:
        return int(np.flatnonzero(view["own"])[0])


def test_rows_listen_where_their_players_do() -> None:
    assert isinstance(Deaf(), Player)
    assert listener(PlayerRows(Deaf, KRIEGSPIEL), "hear_row") is None
    assert isinstance(PlayerRows(Deaf, KRIEGSPIEL), BatchPlayer)
    assert listener(PlayerRows(Scribe, KRIEGSPIEL), "hear_row") is not None


def test_rows_of_what_is_no_player() -> None:
    with pytest.raises(ValueError, match=r"player 'dict': what it gives, a builtins\.dict, is not a Player"):
        PlayerRows(cast(Any, dict), KRIEGSPIEL)


def test_the_class_of_a_batch_player_is_no_opponent() -> None:
    with pytest.raises(ValueError, match=r"player 'Rows': .* lacks .*; give a BatchPlayer itself"):
        GameEnv(cast(Any, Rows))


def test_rows_of_players_that_do_not_play_the_game() -> None:
    with pytest.raises(ValueError, match="the player 'deaf' does not play InvisibleChess; expected one of"):
        PlayerRows(Deaf, INVISIBLE_CHESS)


@pytest.mark.parametrize(("factory", "listens"), [(Deaf, False), (Scribe, True)])
def test_announcements_are_made_for_listeners_alone(
    factory: type[Deaf] | type[Scribe], listens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = counted_announcements(monkeypatch)
    players: list[Deaf | Scribe] = []

    def noted() -> Deaf | Scribe:
        players.append(factory())
        return players[-1]

    env, rng = GameEnv(noted), np.random.default_rng(1)
    _, info = env.reset(seed=1)
    for _ in range(20):
        info = env.step(draw(info["action_mask"][None], rng)[0])[-1]
    assert len(made) == sum(len(getattr(player, "heard", [])) for player in players)
    assert (len(made) > 20) == listens
