"""Single players as rows of a batch, in threads where they are compiled."""

from __future__ import annotations

import threading
import time

import chess
import numpy as np
import pytest

from ks_env.core.ruleset import ICC, RULESETS
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players.protocol import TakesPlacements, TakesPlacementsByRow, begin_game
from ks_env.players.rows import PlayerRows
from tests.envs.play import FENS, PlacementScribe, Scribe


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
    rows = PlayerRows(factory, 3)
    views = np.stack([Game().view(chess.WHITE)] * 6)
    for row in range(6):
        rows.begin_row(row, kriegspiel.opening(chess.WHITE, ICC, None, row))
    chosen = rows.choose_rows(np.arange(6), views)
    assert chosen.shape == (6,)
    assert len(Slow.threads) == at_once
    assert (Slow.most > 1) == (at_once > 1)


def test_rows_are_players_of_their_own() -> None:
    made: list[Scribe] = []

    def factory() -> Scribe:
        made.append(Scribe("random"))
        return made[-1]

    rows = PlayerRows(factory)
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


@pytest.mark.parametrize("kind", [Scribe, PlacementScribe])
def test_a_hidden_start_goes_to_who_can_use_it(kind: type[Scribe]) -> None:
    made: list[Scribe] = []

    def factory() -> Scribe:
        made.append(kind("random"))
        return made[-1]

    rows = PlayerRows(factory)
    assert isinstance(rows, TakesPlacementsByRow)
    rows.begin_row_hidden(3, chess.BLACK, ICC, FENS[:2], 7)
    assert (made[-1].colour, made[-1].start, made[-1].begun) == (chess.BLACK, None, 1)
    assert isinstance(made[-1], TakesPlacements) == (kind is PlacementScribe)
    assert getattr(made[-1], "placements", None) == (tuple(FENS[:2]) if kind is PlacementScribe else None)
    begin_game(made[-1], chess.WHITE, ICC, FENS[:1], 7, hidden=False)
    assert (made[-1].colour, made[-1].start, made[-1].begun) == (chess.WHITE, FENS[0], 2)
