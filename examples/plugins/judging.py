"""What the examples of this folder share: how long they train, and what they say at their end."""

import argparse
import contextlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback

from ks_env import GameVectorEnv

PARSER = argparse.ArgumentParser()
PARSER.add_argument("--seconds", type=float, default=60.0, help="of processor time for training")
SECONDS = float(PARSER.parse_args().seconds)
torch.set_num_threads(1)


def processor_time() -> float:
    """Seconds of processor time of this process and of those that it started and that are still there."""
    import psutil  # not every framework brings it

    me, total = psutil.Process(), 0.0
    for process in (me, *me.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:4])  # the last two are of children that have ended
    return total


class Until(BaseCallback):
    """Ends the training of Stable-Baselines3 when the processor time is spent."""

    def _on_training_start(self) -> None:
        self.end = time.process_time() + SECONDS

    def _on_step(self) -> bool:
        return time.process_time() < self.end


def report(tries: int, spent: float, choose: Callable[..., Any], **options: Any) -> None:
    """Say what was done, and how 64 games against `capture` end.

    Args:
        tries: made in training, or learnt from.
        spent: seconds of processor time for them.
        choose: actions i8[32] for observations of 32 games, and the masks i1[32, 1859].
        options: of the environment.
    """
    games, won, ended = GameVectorEnv(32, "capture", autoreset_mode="SameStep", **options), 0, 0
    seen, infos = games.reset(seed=2)
    while ended < 64:
        with torch.no_grad():
            actions = np.asarray(choose(seen, infos["action_mask"]))
        seen, rewards, terminations, truncations, infos = games.step(actions)
        won, ended = won + int((rewards > 0.5).sum()), ended + int((terminations | truncations).sum())
    print(f"{tries} tries in {spent:.1f} s; won {won} of {ended} games")


def allowed(logits: torch.Tensor, masks: Any) -> torch.Tensor:
    """Logits f4[N, 1859], minus infinity where the masks forbid."""
    return logits.masked_fill(torch.as_tensor(np.asarray(masks)) == 0, -torch.inf)
