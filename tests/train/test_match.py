"""Games between two players of the registry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ks_env.core.announcement import Kind
from ks_env.core.ruleset import Ruleset
from ks_env.players import registry
from tests.envs.play import FENS, Scribe
from train.config import Environment
from train.match import play_match, seat_seeds


class Listener(Scribe):
    """Keeps itself, and its first try."""

    made: list[Any] = []  # noqa: RUF012

    def begin(self, colour: bool, ruleset: Ruleset, start_fen: str | None, seed: int) -> None:
        super().begin(colour, ruleset, start_fen, seed)
        self.first: int | None = None
        self.seed = seed
        Listener.made.append(self)

    def choose(self, view: np.void) -> int:
        action = super().choose(view)
        self.first = action if self.first is None else self.first
        return action


def test_games_repeat_by_their_seed() -> None:
    runs = [play_match("capture", "random", 3, seed, Environment()) for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_both_see_the_same_game() -> None:
    for white, black in play_match("capture", "random", 6, 3, Environment()):
        assert white.result == -black.result
        assert white.reason == black.reason
        assert white.length > 0 < black.length


def test_unknown_names() -> None:
    with pytest.raises(ValueError, match="unknown player 'rando'"):
        play_match("rando", "random", 2, 1, Environment())


@pytest.mark.parametrize("ruleset", ["icc", "cincinnati"])
def test_both_players_hear_all_they_may(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "listener", Listener)
    Listener.made = []
    play_match("listener", "listener", 3, 1, Environment(ruleset=ruleset, start=tuple(FENS)))
    assert len(Listener.made) == 6
    refusals = 0
    for player in Listener.made:
        assert player.heard[0].kind is Kind.START
        assert player.start in FENS
        assert player.heard[-1].reason
        assert all((a.action is not None) == (a.by == player.colour) for a in player.heard[1:])
        refusals += sum(a.by != player.colour and a.kind is Kind.ILLEGAL for a in player.heard)
    assert (refusals > 0) == (ruleset != "icc")


def test_a_players_seed_does_not_tell_the_opponents() -> None:
    seeds = np.array([seat_seeds(seed, game) for seed in range(20) for game in range(20)])
    assert len(np.unique(seeds)) == seeds.size
    differences = np.diff(seeds, axis=1)
    assert len(np.unique(differences)) == len(seeds)
    assert abs(np.corrcoef(seeds.T)[0, 1]) < 0.2
    assert 0 <= seeds.min() <= seeds.max() < 2**32


def test_players_are_seeded_by_seat_and_told_no_start_that_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "listener", Listener)
    Listener.made = []
    starts = tuple(fen for fen in FENS if " w " in fen and fen.endswith("0 1"))
    play_match("listener", "listener", 2, 8, Environment(start=starts, hidden_start=True))
    assert {player.start for player in Listener.made} == {None}
    given = [(player.colour, player.seed) for player in Listener.made]
    expected = [pair for game in range(2) for pair in zip((True, False), seat_seeds(8, game), strict=True)]
    assert sorted(given) == sorted(expected)


def test_options_of_the_ruleset_count() -> None:
    env = Environment(ruleset_options={"max_plies": 6})
    for white, black in play_match("capture", "random", 3, 1, env):
        assert white.reason == black.reason == "plies"


def test_the_two_players_draw_from_streams_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one stream for both, Black's first try would mirror White's in every game."""
    monkeypatch.setitem(registry.BUILT_IN, "listener", lambda: Listener("random"))
    Listener.made = []
    play_match("listener", "listener", 20, 5, Environment())
    firsts: dict[bool, list[Any]] = {True: [], False: []}
    for player in Listener.made:
        firsts[player.colour].append(player.first)
    alike = sum(w == b for w, b in zip(firsts[True], firsts[False], strict=True))
    assert alike <= 6
