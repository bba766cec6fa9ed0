"""Training, from the first seed to the last picture.

Read `run` from top to bottom. One turn of its loop is a rollout (every game is played for some tries), an
update of the network, and, when due, an evaluation and a checkpoint. Everything that the next turn depends
on is in the checkpoint, so a run that was killed and resumed ends with the same parameters, bit for bit.
(A budget in time ends a run where the clock says; the turns up to there are the same.)
"""

from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO

from ks_env.core.files import aside
from ks_train.judge.evaluate import ModelPlayer, play_series
from ks_train.judge.ratings import rate
from ks_train.judge.report import write_report
from ks_train.learn import checkpoint
from ks_train.learn.checkpoint import RunState
from ks_train.learn.config import Experiment
from ks_train.learn.folder import open_folder
from ks_train.learn.league import League
from ks_train.learn.ppo import Stages
from ks_train.learn.progress import Display
from ks_train.learn.turn import Turn, due


def train(
    config: Experiment, *, resume: bool = False, restart: bool = False, console: Console | None = None
) -> Path:
    """Train, evaluate and report.

    Args:
        config: the experiment.
        resume: go on from the latest checkpoint even if the run has finished; an unfinished run is resumed
            in any case.
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
    trainer: Stages | League
    if config.league is None:
        stage = config.stage(state.last_progress)
        trainer = Stages(config, folder, stage, fresh=saved is None)
    else:
        trainer = League(config, folder, fresh=saved is None)
    model = trainer.model
    if saved:
        checkpoint.restore(saved, trainer)
        console.print(f"resumed from {saved} ({model.num_timesteps:,} tries)")

    with Display(console, config.name) as display:
        while (progress := state.progress(config.budget, model.num_timesteps)) < 1:
            begun, cpu_begun, before = perf_counter(), process_time(), model.num_timesteps

            # A rollout and an update; the share of the budget spent decides the opponent, step, exploration.
            state.last_progress = progress
            turn = trainer.turn(progress)

            # Results.
            row = row_of(turn, model.num_timesteps, state, perf_counter() - begun)
            row["cpu_seconds"] += process_time() - cpu_begun
            state.history.append(row)
            if due(config.evaluation.every, before, model.num_timesteps):
                state.evaluations += evaluate_now(config, model)
                model.logger.record("evaluation/elo", rate(state.evaluations)[-1]["elo"])
            log(model, row)
            state.seconds += perf_counter() - begun
            state.cpu_seconds += process_time() - cpu_begun
            display.show(state.progress(config.budget, model.num_timesteps), row, turn.episodes)

            # Everything the next turn depends on.
            if due(config.checkpoints.every, before, model.num_timesteps):
                saved = checkpoint.save(folder, trainer, state, config.checkpoints.keep)

    if saved is None or model.num_timesteps > int(saved.name):
        checkpoint.save(folder, trainer, state, config.checkpoints.keep)
    with aside(folder / "model.zip") as path:
        model.save(path)
    write_report(config, model, state, folder, console)


def row_of(turn: Turn, timesteps: int, state: RunState, taken: float) -> dict[str, Any]:
    """A row of the run's history."""
    results = np.array([episode.result for episode in turn.episodes])
    return {
        "timesteps": timesteps,
        "seconds": state.seconds + taken,
        "cpu_seconds": state.cpu_seconds,
        "opponent": turn.opponent,
        "games": len(turn.episodes),
        "wins": int((results > 0).sum()),
        "draws": int((results == 0).sum()),
        "losses": int((results < 0).sum()),
        "reward": float(np.mean([episode.reward for episode in turn.episodes])) if turn.episodes else None,
        "length": float(np.mean([episode.length for episode in turn.episodes])) if turn.episodes else None,
        "tries_per_second": turn.tries / taken,
        "env_share": turn.env_share,
        **turn.losses,
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
