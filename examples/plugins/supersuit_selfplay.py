"""SuperSuit: the parallel environment as a vector of seats, on which one MaskablePPO plays itself.

python examples/plugins/supersuit_selfplay.py --seconds 60
"""

import time
from typing import Any

import supersuit
from judging import Until, report
from ks_train.policy.terms import TermsPolicy, TriesBuffer
from sb3_contrib import MaskablePPO

from ks_env import kriegspiel_v0

seats = supersuit.pettingzoo_env_to_vec_env_v1(kriegspiel_v0.parallel_env(terms="raw", shaping="material"))
env = supersuit.concat_vec_envs_v1(seats, 16, base_class="stable_baselines3")
model = MaskablePPO(
    TermsPolicy,
    env,
    rollout_buffer_class=TriesBuffer,
    n_steps=64,
    batch_size=512,
    n_epochs=3,
    learning_rate=2e-3,
    gamma=1.0,
    ent_coef=0.005,
)
begun = time.process_time()
model.learn(10**9, callback=Until(), use_masking=False)  # the policy draws from the tries that it is shown
spent = time.process_time() - begun


def choose(seen: dict[str, Any], masks: Any) -> Any:
    return model.predict(seen, action_masks=masks)[0]


report(model.num_timesteps // 2, spent, choose, terms="raw")  # one seat of the two acts in each step
