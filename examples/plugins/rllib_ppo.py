"""RLlib: PPO of its new API stack on terms of tries, over Gymnasium environments.

python examples/plugins/rllib_ppo.py --seconds 60
"""

import argparse
import time
from typing import Any

import torch
from nets import Scores, value_of
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.tune.registry import register_env

from ks_env import GameEnv, GameVectorEnv

parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=float, default=60.0, help="of processor time for training")
seconds = parser.parse_args().seconds
torch.set_num_threads(1)


class TriesModule(TorchRLModule, ValueFunctionAPI):
    """Scores the tries that the mask lists; no others can be drawn."""

    def setup(self) -> None:
        spaces = self.observation_space
        self.scores = Scores(spaces["terms"].shape[-1], spaces["state"].shape[-1])
        self.value = value_of(spaces["state"].shape[-1])

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.scores(seen["tries"], seen["terms"], seen["state"])}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.value(batch[Columns.OBS]["state"]).squeeze(-1)


register_env("kriegspiel", lambda options: GameEnv(**options))
config = PPOConfig().environment(
    "kriegspiel", env_config={"opponent": "capture", "terms": "raw", "shaping": "material"}
)
config.env_runners(num_env_runners=0, num_envs_per_env_runner=16)
config.rl_module(rl_module_spec=RLModuleSpec(module_class=TriesModule))
config.training(gamma=1.0, lambda_=0.95, lr=2e-3, entropy_coeff=0.005)
config.training(train_batch_size=2048, minibatch_size=512, num_epochs=3)
algorithm = config.build_algo()
begun, tries = time.process_time(), 0
while (spent := time.process_time() - begun) < seconds:
    tries = int(algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"])

games, won, ended = GameVectorEnv(32, "capture", terms="raw", autoreset_mode="SameStep"), 0, 0
seen, _ = games.reset(seed=2)
while ended < 64:
    batch = {key: torch.as_tensor(seen[key]) for key in ("tries", "terms", "state")}
    logits = algorithm.get_module().forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS]
    actions = torch.distributions.Categorical(logits=logits).sample().numpy()
    seen, rewards, terminations, truncations, _ = games.step(actions)
    won, ended = won + int((rewards > 0).sum()), ended + int((terminations | truncations).sum())
print(f"{tries} tries in {spent:.1f} s; won {won} of {ended} games")
