"""Two games that a seat cannot tell apart show it the same bytes, whatever its opponent does unseen."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest

from ks_env.envs.aec import raw_env
from tests.games.dark.twins import dark_twins
from tests.starts import LISTED

STARTS = (chess.STARTING_FEN, LISTED[5], LISTED[19], LISTED[25])


@pytest.mark.parametrize("fen", STARTS)
def test_a_seat_is_shown_the_same(fen: str) -> None:
    pairs = [dark_twins(seed, fen) for seed in range(4)]
    assert sum(pair.comparisons for pair in pairs) > 10
    assert sum(pair.differences["placement"] for pair in pairs) > 4
    assert sum(pair.differences["what the other sees"] for pair in pairs) > 4


def test_an_environment_shows_the_same() -> None:
    for seed in range(2):
        pair = dark_twins(seed, chess.STARTING_FEN)
        agent = "white" if pair.seat else "black"
        told = []
        for asked in pair.asked:
            env = raw_env(game="DarkChess", render_mode="svg", viewpoint=agent, encoder=None)
            env.reset(seed=1)
            said = []
            for action in asked:
                if env.agent_selection == agent:  # a refused try of the other one does not count
                    said.append(_bytes(env, agent))
                env.step(action)
            said.append(_bytes(env, agent))
            told.append(said)
        assert told[0] == told[1]


def _bytes(env: Any, agent: str) -> tuple[object, ...]:
    observation = env.observe(agent)
    infos = {name: np.asarray(value).tobytes() for name, value in env.infos[agent].items()}
    return observation["observation"].tobytes(), observation["action_mask"].tobytes(), infos, env.render()
