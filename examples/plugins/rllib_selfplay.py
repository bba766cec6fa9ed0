"""RLlib: one policy plays both seats of its PettingZoo environment, with PPO of its new API stack.

python examples/plugins/rllib_selfplay.py --seconds 60
"""

from judging import SECONDS, processor_time, report
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from rllib_module import TriesModule

from ks_env import kriegspiel_v0

register_env("kriegspiel", lambda options: PettingZooEnv(kriegspiel_v0.env(**options)))
config = PPOConfig().environment("kriegspiel", env_config={"terms": "raw", "shaping": "material"})
config.multi_agent(policies={"both"}, policy_mapping_fn=lambda *_, **__: "both")
config.env_runners(num_env_runners=0)
config.rl_module(rl_module_spec=RLModuleSpec(module_class=TriesModule))
config.training(gamma=1.0, lambda_=0.95, lr=2e-3, entropy_coeff=0.005)
config.training(train_batch_size=1024, minibatch_size=512, num_epochs=3)
algorithm = config.build_algo()
begun, tries = processor_time(), 0
while (spent := processor_time() - begun) < SECONDS:
    tries = int(algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"])
report(tries, spent, algorithm.get_module("both").choose, terms="raw")
