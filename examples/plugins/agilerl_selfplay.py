"""AgileRL: a policy for each seat, trained by its IPPO on terms of tries, over parallel environments.

python examples/plugins/agilerl_selfplay.py --seconds 60
"""

from typing import Any

import numpy as np
import torch
from agilerl.algorithms import IPPO
from agilerl.modules.dummy import DummyEvolvable
from agilerl.vector.pz_async_vec_env import AsyncPettingZooVecEnv
from judging import SECONDS, processor_time, report
from nets import Scores, Values
from supersuit import observation_lambda_v0
from torch import Tensor

from ks_env.kriegspiel_v0 import parallel_env


class Actor(Scores):
    """As AgileRL calls it. It gives no masks where it learns; this draws from the listed tries alone."""

    def forward(self, obs: dict[str, Tensor], **_: Any) -> tuple[Tensor, Tensor, Tensor]:
        self.drawn = torch.distributions.Categorical(logits=super().forward(**obs))
        actions = self.drawn.sample()
        return actions, self.drawn.log_prob(actions), self.drawn.entropy()

    def action_log_prob(self, actions: Tensor) -> Tensor:
        return self.drawn.log_prob(actions)


def shown(seen: Any, *_: Any) -> Any:
    return type(seen)({key: seen[key] for key in ("state", "terms", "tries")})  # it refuses to see a mask


def make() -> Any:
    return observation_lambda_v0(parallel_env(terms="raw", shaping="material"), shown, shown)


env, seats = AsyncPettingZooVecEnv([make] * 8, context="fork"), ["white", "black"]
seen, action = env.single_observation_space("white"), env.single_action_space("white")
sizes = seen["terms"].shape[-1], seen["state"].shape[-1]
actors, critics = ([DummyEvolvable("cpu", net(*sizes)) for _ in seats] for net in (Actor, Values))
options = {"batch_size": 512, "lr": 2e-3, "gamma": 1.0, "ent_coef": 0.005, "update_epochs": 3}
options |= {"actor_networks": actors, "critic_networks": critics}
learner = IPPO([seen] * 2, [action] * 2, seats, **options)
begun, tries, (obs, infos), done = processor_time(), 0, env.reset(), dict.fromkeys(seats, np.zeros(8))
while (spent := processor_time() - begun) < SECONDS:
    steps = []
    for _ in range(128):
        before, (actions, log_probs, _, values) = obs, learner.get_action(obs, infos)
        obs, rewards, ended, cut, infos = env.step(actions)
        steps.append((before, actions, log_probs, rewards, done, values))
        done = {seat: (ended[seat] | cut[seat]).astype(float) for seat in seats}
    parts = [{seat: [each[seat] for each in part] for seat in seats} for part in zip(*steps, strict=True)]
    learner.learn((*parts, obs, done))
    tries += 128 * 8
act = learner.get_action
report(tries, spent, lambda seen, _: act({"white": shown(seen)})[0]["white"], terms="raw", seat="white")
