"""MaskablePPO with the quickstart's network: how much of its time the environment takes."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.kernels import ROOT
from benchmarks.measure import spread
from ks_env.envs.solo import GameEnv

COPIES = 8
CONFIG = ROOT / "configs" / "quickstart.yaml"


@dataclass
class Learner:
    """One learner and what its rollouts cost.

    Attributes:
        name: as the table shows it.
        model: MaskablePPO.
        env: a `ks_train.learn.episodes.TimedVecEnv`.
        rollout: tries in a rollout.
    """

    name: str
    model: Any
    env: Any
    rollout: int
    rates: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    env_rates: list[float] = field(default_factory=list)

    def learn(self) -> tuple[float, float]:
        """One rollout and one update: seconds in all, and in the environment."""
        self.env.seconds = 0.0
        begin = perf_counter()
        self.model.learn(self.rollout, reset_num_timesteps=False)
        return perf_counter() - begin, self.env.seconds

    def measure(self) -> None:
        """Keep the figures of one rollout and its update."""
        total, inside = self.learn()
        self.rates.append(self.rollout / total)
        self.shares.append(inside / total)
        self.env_rates.append(self.rollout / inside)


def _learners(folder: Path, *, quick: bool) -> list[Learner]:
    from ks_train.learn.config import load_config
    from ks_train.learn.episodes import TimedVecEnv
    from ks_train.learn.ppo import make_env, make_model
    from stable_baselines3.common.vec_env import DummyVecEnv

    config = load_config(CONFIG)
    steps = 8 if quick else config.learner.steps
    games = config.env.num_envs
    native = config.model_copy(update={"learner": config.learner.model_copy(update={"steps": steps})})
    same_rollout = steps * games // COPIES
    single = config.model_copy(update={"learner": config.learner.model_copy(update={"steps": same_rollout})})
    env = make_env(native, 0)
    copies = TimedVecEnv(DummyVecEnv([lambda: GameEnv("random", terms=config.env.terms)] * COPIES))
    rollout = steps * games
    return [
        Learner(f"GameVecEnv({games})", make_model(native, env, folder / "native"), env, rollout),
        Learner(
            f"DummyVecEnv of {COPIES} GameEnv",
            make_model(single, copies, folder / "copies"),
            copies,
            rollout,
        ),
    ]


def measure_learning(rounds: int, threads: int, *, quick: bool) -> list[dict[str, Any]]:
    """Rollout and update in turn for both; the first of each, which warms up, is not counted."""
    import torch

    torch.set_num_threads(threads)
    with tempfile.TemporaryDirectory(prefix="ks-env-bench-") as folder:
        learners = _learners(Path(folder), quick=quick)
        for learner in learners:
            learner.learn()
        for _ in range(rounds):
            for learner in learners:
                learner.measure()
    return [
        {
            "name": learner.name,
            "rollout": learner.rollout,
            "tries_per_second": spread(learner.rates),
            "environment_share": spread(learner.shares),
            "environment_tries_per_second": spread(learner.env_rates),
        }
        for learner in learners
    ]
