"""Single players as rows of a batch, in threads where they are compiled; series between named players."""

from __future__ import annotations

import threading
import time
from typing import Any

import chess
import numpy as np
import pytest

from ks_env.core.announcement import Kind
from ks_env.core.game import Game
from ks_env.core.ruleset import ICC, RULESETS, Ruleset
from ks_env.envs import match
from ks_env.envs.match import play_match
from ks_env.players import registry
from ks_env.players.rows import PlayerRows
from tests.envs.play import FENS, Scribe, same


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
        rows.begin_row(row, chess.WHITE, ICC, None, row)
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
        rows.begin_row(row, row == 0, RULESETS["rand"], FENS[0], seed)
    begun = [scribe for scribe in made if scribe.begun]
    assert [(scribe.begun, scribe.colour, scribe.start) for scribe in begun] == [
        (2, True, FENS[0]),
        (1, False, FENS[0]),
    ]
    said = Game().heard(chess.WHITE)[0]
    rows.hear_row(5, said)
    assert [scribe.heard for scribe in begun] == [[], [said]]


# -- series --------------------------------------------------------------------------------------------------


def test_a_series_is_half_with_each_colour() -> None:
    white, black = play_match("capture", "random", 6, 3, ruleset_options={"max_plies": 30})
    assert len(white) == len(black) == 3
    assert (white["end_seat"] == 0).all()
    assert (black["end_seat"] == 1).all()
    for results in (white, black):
        assert (results["end_reason"] > 0).all()
        assert (results["end_plies"] <= 30).all()
        assert (results["end_tries"] >= results["end_plies"] // 2).all()


def test_a_series_repeats_by_its_seed() -> None:
    runs = [play_match("capture", "random", 4, seed, ruleset_options={"max_plies": 40}) for seed in (1, 1, 2)]
    assert same(runs[0], runs[1])
    assert not same(runs[0], runs[2])


@pytest.mark.parametrize("games", [0, 1, 5, -2])
def test_a_series_cannot_be_halved(games: int) -> None:
    with pytest.raises(ValueError, match="expected an even number"):
        play_match("random", "random", games, 1)


def test_unknown_names() -> None:
    with pytest.raises(ValueError, match="unknown player 'rando'"):
        play_match("rando", "random", 2, 1)
    with pytest.raises(ValueError, match="unknown player 'captured'"):
        play_match("random", "captured", 2, 1)


class Listener(Scribe):
    """Keeps itself, and its first try, for the tests."""

    made: list[Any] = []  # noqa: RUF012

    def begin(self, colour: bool, ruleset: Ruleset, start_fen: str | None, seed: int) -> None:
        super().begin(colour, ruleset, start_fen, seed)
        self.first: int | None = None
        Listener.made.append(self)

    def choose(self, view: np.void) -> int:
        action = super().choose(view)
        self.first = action if self.first is None else self.first
        return action


@pytest.mark.parametrize("ruleset", ["icc", "cincinnati"])
def test_both_players_of_a_series_hear_all_they_may(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "listener", Listener)
    Listener.made = []
    play_match("listener", "listener", 4, 1, ruleset=ruleset, start=FENS, ruleset_options={"max_plies": 20})
    assert len(Listener.made) == 8
    refusals = 0
    for player in Listener.made:
        kinds = [a.kind for a in player.heard]
        assert kinds[0] is Kind.START
        assert player.start in FENS
        assert player.heard[-1].reason
        own = [a for a in player.heard[1:] if a.by == player.colour]
        assert all(a.action is not None for a in own)
        assert all(a.action is None for a in player.heard if a.by != player.colour)
        refusals += sum(a.by != player.colour and a.kind is Kind.ILLEGAL for a in player.heard)
    assert (refusals > 0) == (ruleset != "icc")


def test_the_two_players_draw_from_streams_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one stream for both, Black's first try would mirror White's in every game."""
    monkeypatch.setitem(registry.BUILT_IN, "listener", lambda: Listener("random"))
    Listener.made = []
    play_match("listener", "listener", 40, 5, ruleset_options={"max_plies": 2})
    pairs = {True: [], False: []}  # type: ignore[var-annotated]
    for player in Listener.made:
        pairs[player.colour].append(player.first)
    alike = sum(w == b for w, b in zip(pairs[True], pairs[False], strict=True))
    assert alike <= 8


def test_black_does_not_mirror_a_kernel_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "listener", lambda: Listener("random"))
    seen: list[bool] = []
    played = match._play_on

    def watch(engine: Any, mine: Any, colour: bool) -> None:
        played(engine, mine, colour)
        for row in range(engine.num_envs):
            log = engine.logs[row]
            firsts = {
                a.by: a.action for said in reversed(log[1:]) for a in said if a and a.action is not None
            }
            seen.append(firsts[chess.WHITE] == firsts[chess.BLACK])

    monkeypatch.setattr(match, "_play_on", watch)
    play_match("listener", "random", 60, 5, ruleset_options={"max_plies": 2})
    assert len(seen) == 60
    assert sum(seen) <= 12


def test_a_hidden_start_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "listener", Listener)
    Listener.made = []
    fens = ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/5k2/8/8/KR6 w - - 0 1"]
    play_match("listener", "listener", 2, 1, start=fens, hidden_start=True, ruleset_options={"max_plies": 6})
    assert [player.start for player in Listener.made] == [None] * 4
