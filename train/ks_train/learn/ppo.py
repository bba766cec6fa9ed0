"""MaskablePPO on the native vector environment, against one opponent after another."""

import random
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch
from ks_arena.names import model_file
from ks_arena.sections import ConfigError
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import FloatSchedule
from stable_baselines3.common.vec_env import VecEnv

from ks_env.envs.sb3 import GameVecEnv
from ks_train.learn.checkpoint import Arrays, named, part
from ks_train.learn.config import Experiment
from ks_train.learn.episodes import EpisodeRecorder, TimedVecEnv
from ks_train.learn.turn import Turn
from ks_train.policy.files import load_learner
from ks_train.policy.network import BoardPolicy, ByteMaskBuffer
from ks_train.policy.terms import TermsPolicy, TriesBuffer

NEVER = 1 << 62  # the learner's own log, which the run writes itself
SEEN = "observation."  # begins the names of the parts of the last observation


class Stages:
    """A learner of Stable-Baselines3 and its games.

    Args:
        config: an experiment with `opponents`.
        folder: for TensorBoard's log.
        stage: which of them.
        fresh: whether training begins, with the model that the config names if it names one.

    Attributes:
        model: the learner.
    """

    def __init__(self, config: Experiment, folder: Path, stage: int, *, fresh: bool) -> None:
        self.config, self.stage = config, stage
        self.env = make_env(config, stage)
        self.model = make_model(config, self.env, folder, fresh=fresh)

    def turn(self, progress: float) -> Turn:
        """A rollout of `config.rollout` tries and an update with it."""
        config, model = self.config, self.model
        if (stage := config.stage(progress)) != self.stage:
            self.stage, self.env = stage, make_env(config, stage)
            model.set_env(self.env, force_reset=True)
        set_schedules(model, config, progress)
        self.env.seconds, begun = 0.0, perf_counter()
        recorder = EpisodeRecorder()
        model.learn(config.rollout, callback=recorder, log_interval=NEVER, reset_num_timesteps=False)
        losses = model.logger.name_to_value
        return Turn(
            opponent=config.opponents[stage].opponent,
            tries=config.rollout,
            episodes=recorder.episodes,
            env_share=self.env.seconds / (perf_counter() - begun),
            losses={
                "entropy": -float(losses["train/entropy_loss"]),
                "kl": float(losses["train/approx_kl"]),
                "explained_variance": float(losses["train/explained_variance"]),
            },
        )

    def arrays(self) -> Arrays:
        """Every game and random stream of the environment, the last observation, where episodes start."""
        last: Any = self.model._last_obs
        seen = {SEEN + key: array for key, array in last.items()} if isinstance(last, dict) else {SEEN: last}
        starts: Any = self.model._last_episode_starts
        return named("env.", self.env.env_method("get_state", indices=[0])[0]) | seen | {"starts": starts}

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        self.env.env_method("set_state", part(arrays, "env."), indices=[0])
        seen = part(arrays, SEEN)
        self.model._last_obs = seen.pop("") if "" in seen else seen
        self.model._last_episode_starts = arrays["starts"]


def make_env(config: Experiment, stage: int) -> TimedVecEnv:
    """The games of a stage."""
    opponent = config.opponents[stage]
    options = config.env.options()
    if opponent.start:
        options["start"] = list(opponent.start)
    env = GameVecEnv(
        config.env.num_envs,
        opponent.opponent,
        seat=opponent.seat or config.env.seat,
        shaping=config.env.shaping.model_dump() if config.env.shaping else None,
        shaping_gamma=config.learner.gamma,
        threads=config.env.threads,
        seed=config.seed + stage,
        **options,
    )
    return TimedVecEnv(env)


def make_model(config: Experiment, env: VecEnv, folder: Path | None, *, fresh: bool = True) -> MaskablePPO:
    """A learner that has learnt nothing, or what the model has that the config begins with.

    Args:
        config: the experiment.
        env: games to learn from.
        folder: for TensorBoard's log; None for no log.
        fresh: whether to begin with that model, if there is one.

    Raises:
        ConfigError: the model to begin with cannot be read, or has another shape, or there is no such device.
    """
    random.seed(config.seed)
    np.random.seed(config.seed)
    torch.manual_seed(config.seed)
    learner = config.learner
    over_terms = config.env.terms is not None
    model = MaskablePPO(
        TermsPolicy if over_terms else BoardPolicy,
        env,
        n_steps=learner.steps,
        batch_size=learner.batch_size,
        n_epochs=learner.epochs,
        gamma=learner.gamma,
        gae_lambda=learner.gae_lambda,
        learning_rate=learner.learning_rate.start,
        ent_coef=learner.entropy.start,
        clip_range=learner.clip,
        vf_coef=learner.value,
        max_grad_norm=learner.max_grad_norm,
        target_kl=learner.target_kl,
        rollout_buffer_class=TriesBuffer if over_terms else ByteMaskBuffer,
        policy_kwargs=config.network.over_terms() if over_terms else config.network.over_planes(),
        device=device_of(config),
    )
    if folder is not None:
        model.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
    if fresh and config.init is not None:
        file = model_file(config.init)
        try:
            model.policy.load_state_dict(load_learner(file, "sb3_contrib:MaskablePPO").policy.state_dict())
        except RuntimeError as error:
            raise ConfigError(f"init: {file} is a network of another shape: {error}") from error
    return model


def device_of(config: Experiment) -> str:
    """Where the network learns.

    Raises:
        ConfigError: a GPU is asked for on a machine without one.
    """
    found = torch.cuda.is_available()
    if config.device == "cuda" and not found:
        raise ConfigError("device: is cuda, and PyTorch finds no GPU; expected auto or cpu")
    return "cuda" if found and config.device != "cpu" else "cpu"


def set_schedules(model: MaskablePPO, config: Experiment, progress: float) -> None:
    """Step size and exploration at this share of the budget."""
    model.learning_rate = config.learner.learning_rate.at(progress)
    model.lr_schedule = FloatSchedule(model.learning_rate)
    model.ent_coef = config.learner.entropy.at(progress)
