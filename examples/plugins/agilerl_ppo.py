"""AgileRL: its PPO on flat observations with masks, over the native vector environment.

python examples/plugins/agilerl_ppo.py --seconds 60
"""

import time
from typing import Any

from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts
from judging import SECONDS, report

from ks_env import GameVectorEnv

env = GameVectorEnv(32, "capture", observation="flat", shaping="material", autoreset_mode="SameStep")
learner = PPO(
    env.single_observation_space,
    env.single_action_space,
    num_envs=32,
    learn_step=2048,
    batch_size=512,
    update_epochs=3,
    lr=1e-3,
    gamma=1.0,
    ent_coef=0.005,
)
begun, tries, state = time.process_time(), 0, {}
while (spent := time.process_time() - begun) < SECONDS:
    _, *last = collect_rollouts(learner, env, **state)
    state = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), last, strict=True))
    learner.learn()
    tries += 2048


def choose(seen: Any, masks: Any) -> Any:
    return learner.get_action(seen, action_mask=masks)[0]


report(tries, spent, choose, observation="flat")
