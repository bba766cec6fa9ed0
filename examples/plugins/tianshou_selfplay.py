"""Tianshou: a policy for each seat, trained by PPO on planes with masks, over the PettingZoo environment.

python examples/plugins/tianshou_selfplay.py --seconds 60
"""

import time
from functools import partial
from typing import Any

import torch
from judging import SECONDS, allowed, report
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOnPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn

from ks_env import kriegspiel_v0
from ks_env.core.actions import ACTIONS


class Layers(nn.Module):
    """A network over planes."""

    def __init__(self, planes: int, outputs: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(planes * 64, 64), nn.ReLU(), nn.Linear(64, outputs))

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        out = self.net(torch.as_tensor(obs["obs"], dtype=torch.float32).flatten(1))
        return (allowed(out, obs["mask"]), state) if out.shape[-1] == ACTIONS else out


env = PettingZooEnv(kriegspiel_v0.env(shaping="material"))
envs = DummyVectorEnv([lambda: PettingZooEnv(kriegspiel_v0.env(shaping="material"))] * 16)
of_logits = partial(torch.distributions.Categorical, None)
planes, learners = len(env.observation_space["observation"].high), []
for _ in env.agents:
    options = {"action_space": env.action_space, "action_scaling": False}
    policy = ProbabilisticActorPolicy(actor=Layers(planes, ACTIONS), dist_fn=of_logits, **options)
    optim = AdamOptimizerFactory(lr=1e-3)
    learners.append(PPO(policy=policy, critic=Layers(planes, 1), optim=optim, gamma=1.0))
algorithm = MultiAgentOnPolicyAlgorithm(algorithms=learners, env=env)
collector = Collector(algorithm, envs, VectorReplayBuffer(2048, 16))
often = {"max_epochs": 1, "epoch_num_steps": 2048, "collection_step_num_env_steps": 2048}
update = {"batch_size": 512, "update_step_num_repetitions": 3, "show_progress": False}
begun, tries = time.process_time(), 0
while (spent := time.process_time() - begun) < SECONDS:
    params = OnPolicyTrainerParams(training_collector=collector, **often, **update)
    tries += algorithm.run_training(params).train_step


def choose(seen: Any, masks: Any) -> Any:
    return of_logits(learners[0].policy.actor({"obs": seen, "mask": masks})[0]).sample()


report(tries, spent, choose, observation="planes", seat="white")
