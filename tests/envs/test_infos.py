"""Infos, observations and masks of the environments on pairs of hidden states with one history."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest

from ks_env.envs.aec import AGENTS, raw_env
from ks_env.envs.sb3 import GameVecEnv
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games.kriegspiel.game import Game
from tests.envs.play import ALL, same
from tests.leaks import pairs


def put(env: Any, game: Game, seat: int) -> None:
    """Let row 0 stand where the game stands, with the learner on the seat."""
    engine = env.engine
    random = engine.batch.games[0]["truth"]["random"].copy()
    engine.batch.games[0] = game.row()
    engine.batch.games[0]["truth"]["random"] = random
    engine.batch.seats[0] = seat
    engine._observe()


@pytest.mark.parametrize("ruleset", ALL)
def test_a_masked_out_try_shows_the_same_in_both(ruleset: str) -> None:
    """One hopeless try of the seat in each state of a pair: all that is returned is alike."""
    compared = 0
    for first, second, colour in pairs(24, ruleset, seed=11):
        if first.to_play != colour or first.reason:
            continue
        seat = 0 if colour == chess.WHITE else 1
        hopeless = int(np.flatnonzero(first.mask(colour, "own-board") == 0)[0])
        seen: list[list[Any]] = []
        for game in (first, second):
            solo = GameEnv(ruleset=first.ruleset)
            vector = GameVectorEnv(1, ruleset=first.ruleset)
            both = SelfPlayVectorEnv(1, ruleset=first.ruleset)
            aec = raw_env(ruleset=first.ruleset)
            sb3 = GameVecEnv(1, ruleset=first.ruleset)
            for env in (solo, vector, both, aec):
                env.reset(seed=0)
                put(env, game, seat)
            sb3.reset()
            put(sb3, game, seat)
            aec._select()
            result: list[Any] = [aec.last(), solo.step(hopeless)]
            result += [vector.step(np.array([hopeless])), both.step(np.array([hopeless]))]
            result.append(sb3.step(np.array([hopeless])))
            aec.step(hopeless)
            result += [aec.observe(AGENTS[seat]), aec.infos[AGENTS[seat]], aec.rewards]
            seen.append(result)
        assert same(seen[0], seen[1])
        compared += 1
    assert compared >= 3
