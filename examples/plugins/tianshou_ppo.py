"""Tianshou: PPO on terms of tries, over Gymnasium environments.

python examples/plugins/tianshou_ppo.py --seconds 60
"""

import argparse
import time
from typing import Any

import gymnasium
import torch
from nets import Scores, value_of
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import Tensor, nn

parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=float, default=60.0, help="of processor time for training")
seconds = parser.parse_args().seconds
torch.set_num_threads(1)


def made(**options: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make("ks_env/Kriegspiel-v0", opponent="capture", terms="raw", **options)


class Actor(Scores):
    """As Tianshou calls it."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:
        return super().forward(*(torch.as_tensor(obs[key]) for key in ("tries", "terms", "state"))), state


class Critic(nn.Module):
    """The same."""

    def __init__(self, states: int) -> None:
        super().__init__()
        self.net = value_of(states)

    def forward(self, obs: Any, **_: Any) -> Tensor:
        return self.net(torch.as_tensor(obs.state))


envs = DummyVectorEnv([lambda: made(shaping="material") for _ in range(16)])
spaces = envs.observation_space[0]
tries, states = spaces["terms"].shape[-1], spaces["state"].shape[-1]
policy = ProbabilisticActorPolicy(
    actor=Actor(tries, states),
    dist_fn=lambda logits: torch.distributions.Categorical(logits=logits),
    action_space=envs.action_space[0],
    action_scaling=False,
)
algorithm = PPO(
    policy=policy, critic=Critic(states), optim=AdamOptimizerFactory(lr=2e-3), gamma=1.0, ent_coef=0.005
)
collector = Collector(algorithm, envs, VectorReplayBuffer(2048, 16))
begun, tries = time.process_time(), 0
while time.process_time() - begun < seconds:
    params = OnPolicyTrainerParams(
        training_collector=collector,
        max_epochs=1,
        epoch_num_steps=2048,
        collection_step_num_env_steps=2048,
        batch_size=512,
        update_step_num_repetitions=3,
        show_progress=False,
        verbose=False,
    )
    tries += algorithm.run_training(params).train_step
spent = time.process_time() - begun
results = Collector(algorithm, DummyVectorEnv([made] * 16)).collect(n_episode=32, reset_before_collect=True)
won = int((results.returns > 0).sum())
print(f"{tries} tries in {spent:.1f} s; won {won} of {len(results.returns)} games")
