"""d3rlpy: conservative Q-learning from the winners' tries of a Minari data set.

python examples/plugins/d3rlpy_cql.py --seconds 60
"""

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import d3rlpy
import minari
import numpy as np
import torch
from judging import SECONDS, allowed, report
from ks_train.data.minari import export_minari

from ks_env.core.actions import ACTIONS

GAMES = Path(__file__).parents[2] / "docs/results/data/engines.parquet"
with tempfile.TemporaryDirectory() as folder:  # as `ks minari` would, where MINARI_DATASETS_PATH says
    os.environ["MINARI_DATASETS_PATH"] = folder
    export_minari(GAMES, "kriegspiel/engines-v0")
    episodes = [each for each in minari.load_dataset("kriegspiel/engines-v0") if each.rewards[-1] > 0]


def flat(planes: Any) -> Any:
    """Planes as d3rlpy's networks for vectors take them, f4[N, C * 64]."""
    return planes.reshape(len(planes), -1).astype(np.float32) / 8


data = d3rlpy.dataset.MDPDataset(  # an episode of Minari has one observation more than actions
    observations=np.concatenate([flat(each.observations["observation"][:-1]) for each in episodes]),
    actions=np.concatenate([each.actions for each in episodes]),
    rewards=np.concatenate([each.rewards for each in episodes]),
    terminals=np.concatenate([each.terminations for each in episodes]),
    timeouts=np.concatenate([each.truncations for each in episodes]),
    action_size=ACTIONS,
)
learner = d3rlpy.algos.DiscreteCQLConfig(batch_size=64, gamma=1.0, learning_rate=3e-4).create(device="cpu:0")
learner.build_with_dataset(data)
begun, updates = time.process_time(), 0
while (spent := time.process_time() - begun) < SECONDS:
    learner.update(data.sample_transition_batch(64))
    updates += 1


def choose(seen: dict[str, Any], masks: Any) -> Any:
    values = learner.impl.q_function[0](torch.from_numpy(flat(seen["observation"]))).q_value
    return allowed(values, masks).argmax(1)


report(64 * updates, spent, choose)
