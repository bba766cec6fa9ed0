"""Stable-Baselines3: MaskablePPO on terms of tries, over the native vector environment.

python examples/plugins/sb3_ppo.py --seconds 60
"""

import argparse
import time

import torch
from ks_train.policy.terms import TermsPolicy, TriesBuffer
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from ks_env.envs.sb3 import GameVecEnv

parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=float, default=60.0, help="of processor time for training")
seconds = parser.parse_args().seconds
torch.set_num_threads(1)


class Until(BaseCallback):
    """Stops when the processor time is spent."""

    def _on_step(self) -> bool:
        return time.process_time() - begun < seconds


env = GameVecEnv(64, opponent="capture", terms="raw", shaping="material", seed=1)
model = MaskablePPO(
    TermsPolicy,
    env,
    rollout_buffer_class=TriesBuffer,
    n_steps=32,
    batch_size=512,
    n_epochs=3,
    learning_rate=2e-3,
    gamma=1.0,
    ent_coef=0.005,
    seed=1,
)
begun = time.process_time()
model.learn(10**9, callback=Until())
spent = time.process_time() - begun

games = GameVecEnv(64, opponent="capture", terms="raw", seed=2)
results: list[float] = []
observations = games.reset()
while len(results) < 128:
    actions, _ = model.predict(observations, action_masks=games.action_masks())
    observations, _, _, infos = games.step(actions)
    results += [info["episode"]["r"] for info in infos if "episode" in info]
won = sum(result > 0 for result in results)
print(f"{model.num_timesteps} tries in {spent:.1f} s; won {won} of {len(results)} games")
