"""Steps a second against players that search, in every interface and for several budgets."""

from functools import partial
from typing import Any

import numpy as np

from benchmarks import ours
from benchmarks.draw import random_actions
from benchmarks.measure import Contestant, Plan, Step, run_rounds, spread
from ks_env.envs.sb3 import GameVecEnv

PLAYERS = (
    *(f"darkboard:metapositions={number}" for number in (100, 500, 2000)),
    *(
        f"{name}:nodes={number}"
        for name in ("mcts-a", "mcts-b", "advantage-search")
        for number in (100, 500, 2000)
    ),
)
GAMES = 8  # at once


def sb3(opponent: str) -> Step:
    """Stable-Baselines3's vector environment, played at random."""
    env = GameVecEnv(GAMES, opponent, seed=ours.SEED)
    env.reset()
    stream, actions = np.array([ours.SEED], np.uint64), np.zeros(GAMES, np.int64)

    def step() -> int:
        random_actions(env.action_masks(), stream, actions)
        env.step(actions)
        return GAMES

    return step


def contestants(opponent: str) -> dict[str, Contestant]:
    """The three interfaces against one player."""
    return {
        "solo": Contestant(opponent, partial(ours.solo, opponent)),
        "vector": Contestant(opponent, partial(ours.against, opponent, GAMES)),
        "SB3": Contestant(opponent, partial(sb3, opponent)),
    }


def measure_opponents(players: tuple[str, ...], plan: Plan) -> list[dict[str, Any]]:
    """A row for each player: the learner's tries per second in each interface, and one try's time."""
    cases = [(player, name, one) for player in players for name, one in contestants(player).items()]
    found = run_rounds([one for _, _, one in cases], plan)
    rows: dict[str, dict[str, Any]] = {player: {"opponent": player} for player in players}
    for (player, name, _), rates in zip(cases, found, strict=True):
        rows[player][name] = spread(rates.rates)
    return list(rows.values())
