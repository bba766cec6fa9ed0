"""Tianshou: PPO on terms of tries, over Gymnasium environments.

python examples/plugins/tianshou_ppo.py --seconds 60
"""

import time
from typing import Any

import torch
from judging import SECONDS, report
from nets import Scores, Values
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import Tensor

from ks_env import GameEnv


class Actor(Scores):
    """As Tianshou calls it."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:
        return super().forward(*(torch.as_tensor(obs[key]) for key in ("tries", "terms", "state"))), state


envs = DummyVectorEnv([lambda: GameEnv("capture", terms="raw", shaping="material")] * 16)
spaces = envs.observation_space[0]
sizes = spaces["terms"].shape[-1], spaces["state"].shape[-1]
policy = ProbabilisticActorPolicy(
    actor=Actor(*sizes),
    dist_fn=lambda logits: torch.distributions.Categorical(logits=logits),
    action_space=envs.action_space[0],
    action_scaling=False,
)
critic, optim = Values(*sizes), AdamOptimizerFactory(lr=2e-3)
algorithm = PPO(policy=policy, critic=critic, optim=optim, gamma=1.0, ent_coef=0.005)
collector = Collector(algorithm, envs, VectorReplayBuffer(2048, 16))
often = {"max_epochs": 1, "epoch_num_steps": 2048, "collection_step_num_env_steps": 2048}
update = {"batch_size": 512, "update_step_num_repetitions": 3}
quiet = {"show_progress": False, "verbose": False}
begun, tries = time.process_time(), 0
while (spent := time.process_time() - begun) < SECONDS:
    params = OnPolicyTrainerParams(training_collector=collector, **often, **update, **quiet)
    tries += algorithm.run_training(params).train_step
report(tries, spent, lambda seen, _: policy.actor(seen)[0].softmax(-1).multinomial(1)[:, 0], terms="raw")
