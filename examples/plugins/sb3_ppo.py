"""Stable-Baselines3: MaskablePPO on terms of tries, over the native vector environment.

python examples/plugins/sb3_ppo.py --seconds 60
"""

import time
from typing import Any

from judging import Until, report
from ks_train.policy.terms import TermsPolicy, TriesBuffer
from sb3_contrib import MaskablePPO

from ks_env.envs.sb3 import GameVecEnv

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


def choose(seen: dict[str, Any], masks: Any) -> Any:
    known = {key: seen[key] for key in env.observation_space.spaces}  # all but the mask
    return model.predict(known, action_masks=masks)[0]


report(model.num_timesteps, spent, choose, terms="raw")
