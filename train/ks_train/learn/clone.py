"""Cloning: a network over terms is fitted to what a teacher tried, and to how the games ended.

The loss of a decision is the cross entropy of the teacher's try plus half that of the result as the value's
log odds (a draw counts half). Games, not decisions, are held out, since those of one game are alike.
"""

import json
from math import cos, pi
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from ks_arena.sections import ConfigError, dump_section
from rich.console import Console
from rich.progress import track
from torch import nn
from torch.nn import functional

from ks_env.belief.terms import Tries, joined, taken
from ks_env.core.files import aside, write_aside
from ks_train.data.replay import replay
from ks_train.judge.evaluate import ModelPlayer, play_series
from ks_train.judge.report import series_table
from ks_train.learn.config import Experiment
from ks_train.learn.ppo import make_env, make_model
from ks_train.policy.legal import LegalTries
from ks_train.policy.terms import Rows, TermsPolicy

HELD_OUT = 20  # one game in this many
CUT = 16_384  # decisions that are judged at once
MADE = ("model.zip", "config.yaml", "clone.json")


class Decisions(NamedTuple):
    """What is to be learnt. N decisions.

    Attributes:
        tries: their tries with terms.
        labels: i8[N], the teacher's.
        scores: f4[N], of the game for the seat: 1, ½, 0.
        held_out: bool[N].
    """

    tries: Tries
    labels: torch.Tensor
    scores: torch.Tensor
    held_out: np.ndarray[Any, Any]


def read_decisions(source: Path, config: Experiment, console: Console) -> Decisions:
    """The labelled decisions of a data set; of one without labels, all that its players tried.

    Raises:
        DataError: a file is damaged.
        ValueError: there are no decisions.
    """
    for decisions in ("labelled", "all"):
        batches = replay(source, terms=config.env.terms, mask=config.env.mask, decisions=decisions)
        parts = [
            (each.labels, each.made, each.inputs.terms, each.results, each.games)  # planes fill the memory
            for each in track(batches, f"replaying {source.name}", console=console, transient=True)
        ]
        if parts:
            break
    else:
        raise ValueError(f"{source}: holds no tries; expected some games")
    labelled, made, described, results, games = zip(*parts, strict=True)
    labels = np.concatenate(labelled if decisions == "labelled" else made)
    tries = joined([each for each in described if each is not None])
    rows = np.repeat(np.arange(len(labels)), np.diff(tries.offsets))
    kept = np.unique(rows[tries.actions == labels[rows]])  # a teacher may try what the mask leaves out
    held_out = np.concatenate(games)[kept] % HELD_OUT == 0
    if held_out.all():
        raise ValueError(f"{source}: has too few games to learn from; expected more than one")
    return Decisions(
        taken(tries, kept),
        torch.from_numpy(labels[kept].astype(np.int64)),
        torch.from_numpy((np.concatenate(results)[kept] + 1) / 2),
        held_out,
    )


def losses(policy: TermsPolicy, data: Decisions, chosen: np.ndarray[Any, Any]) -> torch.Tensor:
    """Cross entropies of tries and of results, and whether the teacher's try is the likeliest: f4[3, B]."""
    rows = Rows.of(taken(data.tries, chosen)).to(policy.device)
    logits, odds = policy.network(rows)
    tries = LegalTries(len(rows.state), rows.row, rows.actions, logits)
    labels, scores = data.labels[chosen].to(policy.device), data.scores[chosen].to(policy.device)
    value = functional.binary_cross_entropy_with_logits(odds, scores, reduction="none")
    hits = (tries.best(tries.log_probs.detach()) == labels).float()
    return torch.stack([-tries.log_prob(labels), value, hits])


def fit(policy: TermsPolicy, data: Decisions, config: Experiment, epochs: int, console: Console) -> None:
    """Adam with a step that goes down by a cosine."""
    rng = np.random.default_rng(config.seed)
    learnt = np.flatnonzero(~data.held_out)
    batches = max(1, len(learnt) // config.learner.batch_size)
    optimiser = torch.optim.AdamW(policy.parameters(), weight_decay=1e-2)
    for step in track(range(epochs * batches), "fitting", console=console, transient=True):
        if step % batches == 0:
            parts = np.array_split(rng.permutation(learnt), batches)
        done = step / (epochs * batches)
        for group in optimiser.param_groups:
            group["lr"] = config.learner.learning_rate.start * (0.5 * (1 + cos(pi * done)) + 0.01)
        found = losses(policy, data, parts[step % batches])
        optimiser.zero_grad()
        (found[0].mean() + 0.5 * found[1].mean()).backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimiser.step()


@torch.no_grad()
def judged(policy: TermsPolicy, data: Decisions) -> dict[str, float] | None:
    """Means over the decisions that were held out; None if no decision was."""
    chosen = np.flatnonzero(data.held_out)
    if not len(chosen):
        return None
    parts = [losses(policy, data, chosen[i : i + CUT]) for i in range(0, len(chosen), CUT)]
    tries, results, hits = torch.cat(parts, 1).mean(1).tolist()
    return {"cross_entropy": tries, "value_cross_entropy": results, "agreement": hits}


def clone(config: Experiment, source: Path, folder: Path, *, epochs: int, console: Console) -> Path:
    """Fit, judge and save a policy as a model that can be played and trained on.

    Args:
        config: its `env`, `network`, `evaluation`, `seed`, and batch size and learning rate of `learner`.
        source: a data set, or a folder of them.
        folder: for the model, its config and the results.
        epochs: passes over the data.
        console: where progress and results are shown.

    Raises:
        ConfigError: the config names no terms, or the folder holds something.
        DataError: the data set is damaged.
    """
    if config.env.terms is None:
        raise ConfigError("env.terms: is not set; expected the terms that the network rests on, such as raw")
    if any((folder / name).exists() for name in MADE):
        raise ConfigError(f"{folder} holds a model; choose another folder")
    torch.set_num_threads(config.torch_threads)
    data = read_decisions(source, config, console)
    folder.mkdir(parents=True, exist_ok=True)
    model = make_model(config, make_env(config, 0), None)
    policy = model.policy
    assert isinstance(policy, TermsPolicy)
    fit(policy, data, config, epochs, console)
    policy.set_training_mode(False)
    found = judged(policy, data)
    settings = config.evaluation
    player = ModelPlayer(model, settings.temperature, settings.seed, config.name)
    series = [
        play_series(player, name, settings.games, settings.seed, config.env) for name in settings.against
    ]
    console.print(series_table(series))
    console.print(f"{len(data.labels):,} decisions")
    if found is not None:
        console.print(
            f"held out: cross entropy {found['cross_entropy']:.3f}, agreement {found['agreement']:.1%},"
            f" cross entropy of results {found['value_cross_entropy']:.3f}"
        )
    summary = {"decisions": len(data.labels), "held_out": found, "series": [each.row() for each in series]}
    write_aside(folder / "config.yaml", dump_section(config))
    write_aside(folder / "clone.json", json.dumps(summary, indent=1))
    with aside(folder / "model.zip") as path:
        model.save(path)
    return folder
