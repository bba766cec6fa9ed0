"""Training: MaskablePPO on the native vector environment, from the first seed to the last picture.

Read `run` from top to bottom. One turn of its loop is a rollout (every game is played for some tries), an
update of the network, and, when due, an evaluation and a checkpoint. Everything that the next turn depends
on is in the checkpoint, so a run that was killed and resumed ends with the same parameters, bit for bit.
(A budget in time ends a run where the clock says; the turns up to there are the same.)
"""

import random
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import torch
from ks_arena.names import model_file
from ks_arena.sections import ConfigError
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import FloatSchedule

from ks_env.envs.sb3 import GameVecEnv
from ks_env.record.files import aside
from ks_train.judge.evaluate import ModelPlayer, play_series
from ks_train.judge.report import write_report
from ks_train.learn import checkpoint
from ks_train.learn.checkpoint import RunState
from ks_train.learn.config import Experiment
from ks_train.learn.episodes import Episode, EpisodeRecorder, TimedVecEnv
from ks_train.learn.folder import open_folder
from ks_train.learn.progress import Display
from ks_train.policy.files import load_learner
from ks_train.policy.network import BoardPolicy, ByteMaskBuffer
from ks_train.policy.terms import TermsPolicy, TriesBuffer

NEVER = 1 << 62  # the learner's own log, which this script writes itself


def train(
    config: Experiment, *, resume: bool = False, restart: bool = False, console: Console | None = None
) -> Path:
    """Train, evaluate and report.

    Args:
        config: the experiment.
        resume: go on from the latest checkpoint even if the run has finished; one that has not is gone on
            with in any case.
        restart: throw away what an earlier run left in the folder.
        console: where progress and results are shown.

    Returns:
        The run's folder.

    Raises:
        ConfigError: see `ks_train.learn.folder.open_folder`.
        CheckpointError: the checkpoint to resume from is damaged.
    """
    with open_folder(config, resume=resume, restart=restart) as folder:
        run(config, folder, console or Console())
    return folder


def run(config: Experiment, folder: Path, console: Console) -> None:
    """The run itself, in a folder that is its own."""
    torch.set_num_threads(config.torch_threads)

    # The learner and its games: new, or as the last checkpoint left them.
    saved = checkpoint.latest(folder)
    state = checkpoint.read_state(saved) if saved else RunState()
    env = make_env(config, state.stage)
    model = make_model(config.model_copy(update={"init": None}) if saved else config, env, folder)
    if saved:
        checkpoint.restore(saved, model)
        console.print(f"resumed from {saved} ({model.num_timesteps:,} tries)")

    with Display(console, config.name) as display:
        while (progress := state.progress(config.budget, model.num_timesteps)) < 1:
            begun, cpu_begun = perf_counter(), process_time()

            # What the share of the budget spent decides: the opponent, the step, the exploration.
            if (stage := config.stage(progress)) != state.stage:
                state.stage = stage
                env = make_env(config, stage)
                model.set_env(env, force_reset=True)
            set_schedules(model, config, progress)

            # One rollout of env.num_envs × learner.steps tries, and one update with it.
            env.seconds = 0.0
            recorder = EpisodeRecorder()
            model.learn(config.rollout, callback=recorder, log_interval=NEVER, reset_num_timesteps=False)
            taken = perf_counter() - begun

            # What came of it.
            row = rollout_row(config, model, state, recorder.episodes, taken, env.seconds)
            row["cpu_seconds"] += process_time() - cpu_begun
            state.history.append(row)
            log(model, row)
            if due(config.evaluation.every, model.num_timesteps, config.rollout):
                state.evaluations += evaluate_now(config, model)
            state.seconds += perf_counter() - begun
            state.cpu_seconds += process_time() - cpu_begun
            display.update(state.progress(config.budget, model.num_timesteps), row, recorder.episodes)

            # Everything the next turn depends on.
            if due(config.checkpoints.every, model.num_timesteps, config.rollout):
                checkpoint.save(folder, model, state, config.checkpoints.keep)

    if saved is None or model.num_timesteps > int(saved.name):
        checkpoint.save(folder, model, state, config.checkpoints.keep)
    with aside(folder / "model.zip") as path:
        model.save(path)
    write_report(config, model, state, folder, console)


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


def make_model(config: Experiment, env: TimedVecEnv, folder: Path | None) -> MaskablePPO:
    """A learner that has learnt nothing, or what the model has that the config begins with.

    Args:
        config: the experiment.
        env: games to learn from.
        folder: for TensorBoard's log; None for no log.

    Raises:
        ConfigError: the model to begin with cannot be read, or has another shape.
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
        device="cpu",
    )
    if folder is not None:
        model.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
    if config.init is not None:
        file = model_file(config.init)
        try:
            model.policy.load_state_dict(load_learner(file, "sb3_contrib:MaskablePPO").policy.state_dict())
        except RuntimeError as error:
            raise ConfigError(f"init: {file} is a network of another shape: {error}") from error
    return model


def set_schedules(model: MaskablePPO, config: Experiment, progress: float) -> None:
    """Step size and exploration at this share of the budget."""
    model.learning_rate = config.learner.learning_rate.at(progress)
    model.lr_schedule = FloatSchedule(model.learning_rate)
    model.ent_coef = config.learner.entropy.at(progress)


def due(every: int | None, timesteps: int, rollout: int) -> bool:
    """Whether the rollout that ended at `timesteps` passed a multiple of `every`."""
    return every is not None and timesteps // every > (timesteps - rollout) // every


def rollout_row(
    config: Experiment,
    model: MaskablePPO,
    state: RunState,
    episodes: list[Episode],
    taken: float,
    env_seconds: float,
) -> dict[str, Any]:
    """What one rollout and its update brought: a row of the run's history."""
    results = np.array([episode.result for episode in episodes])
    losses = model.logger.name_to_value
    return {
        "timesteps": model.num_timesteps,
        "seconds": state.seconds + taken,
        "cpu_seconds": state.cpu_seconds,
        "opponent": config.opponents[state.stage].opponent,
        "games": len(episodes),
        "wins": int((results > 0).sum()),
        "draws": int((results == 0).sum()),
        "losses": int((results < 0).sum()),
        "reward": float(np.mean([episode.reward for episode in episodes])) if episodes else None,
        "length": float(np.mean([episode.length for episode in episodes])) if episodes else None,
        "tries_per_second": config.rollout / taken,
        "env_share": env_seconds / taken,
        "entropy": -float(losses["train/entropy_loss"]),
        "kl": float(losses["train/approx_kl"]),
        "explained_variance": float(losses["train/explained_variance"]),
    }


def log(model: MaskablePPO, row: dict[str, Any]) -> None:
    """To TensorBoard, beside the losses that the learner has recorded."""
    for key, value in row.items():
        if isinstance(value, int | float) and key != "timesteps":
            model.logger.record(f"rollout/{key}", value)
    model.logger.dump(model.num_timesteps)


def evaluate_now(config: Experiment, model: MaskablePPO) -> list[dict[str, Any]]:
    """An evaluation in the middle of training; it touches no random stream of the training."""
    settings = config.evaluation
    player = ModelPlayer(model, settings.temperature, settings.seed)
    rows = []
    for opponent in settings.against:
        series = play_series(player, opponent, settings.games_while_training, settings.seed, config.env)
        rows.append({"timesteps": model.num_timesteps} | series.row())
        model.logger.record(f"evaluation/{opponent}/win_rate", series.score.win_rate)
        model.logger.record(f"evaluation/{opponent}/margin", series.score.margin)
    return rows
