"""The terms `full` beside what the player `advantage-search` works out for its networks."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from ks_baselines.mcts.advantage_search.constants import DEFAULT
from ks_baselines.mcts.advantage_search.player import AdvantageSearchPlayer
from ks_baselines.mcts.advantage_search.terms import STANDING, STATE_TERMS, TRY_TERMS
from ks_baselines.mcts.player import Settings

from ks_env.core.ruleset import RULESETS
from ks_env.core.tables import ANY
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from tests.belief.terms.seat import SeatTries, preset

LOOPS = TRY_TERMS.index("loops and hurry")
SAME = [i for i in range(STANDING) if i != LOOPS]  # the player adds noise to loops, and so to what compares


@pytest.mark.parametrize("ruleset", ["icc", "berkeley-any"])
def test_they_are_what_the_networks_are_told(ruleset: str) -> None:
    rules, rng = RULESETS[ruleset], np.random.default_rng(8)
    player = AdvantageSearchPlayer("advantage-search", DEFAULT, Settings(nodes=30), networks=())
    game, seat = Game(rules), chess.WHITE
    opening = kriegspiel.opening(seat, rules)
    player.begin(opening)
    described, compared = SeatTries(preset("full"), opening), 0
    for _ in range(90):
        if game.to_play is None:
            break
        if game.to_play == seat:
            view = game.view(seat)
            tries, n = described.tries(view, rules), player.look(view)
            if n > 1 + (player.tries[n - 1] == ANY):
                player.think(view, n)
                n -= int(player.tries[n - 1] == ANY)
                order = np.argsort(player.tries[:n])
                wanted = player.advice.terms[:n][order]
                assert (tries.actions[:n] == player.tries[:n][order]).all()
                assert np.allclose(tries.terms[:n, SAME], wanted[:, SAME], atol=1e-5)
                assert np.allclose(tries.terms[:n, STANDING], wanted[:, STANDING], atol=0.05)
                assert np.allclose(tries.state[0, : len(STATE_TERMS)], player.advice.state, atol=1e-5)
                compared += 1
        game.ask(int(rng.choice(np.flatnonzero(game.mask(game.to_play)))))
    assert compared > 20
