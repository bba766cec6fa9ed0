"""TorchRL: its collector, generalised advantages and PPO loss, over the native vector environment.

python examples/plugins/torchrl_ppo.py --seconds 60
"""

import argparse
import time

import torch
from nets import Scores, value_of
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from ks_env import GameVectorEnv

parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=float, default=60.0, help="of processor time for training")
seconds = parser.parse_args().seconds
torch.set_num_threads(1)
torch.manual_seed(1)

games = GameVectorEnv(64, "capture", terms="raw", shaping="material", autoreset_mode="Disabled")
masks = Compose(DTypeCastTransform(torch.int8, torch.bool, ["action_mask"]), ActionMask())
env = TransformedEnv(GymWrapper(games, categorical_action_encoding=True), masks)
sizes = env.observation_spec["terms"].shape[-1], env.observation_spec["state"].shape[-1]
actor = ProbabilisticActor(
    TensorDictModule(Scores(*sizes), ["tries", "terms", "state"], ["logits"]),
    {"logits": "logits", "mask": "action_mask"},
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
critic = ValueOperator(value_of(sizes[1]), in_keys=["state"])
advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.005)
optimiser = torch.optim.Adam(loss.parameters(), lr=2e-3)
begun, tries, won = time.process_time(), 0, torch.zeros(0)
for batch in Collector(env, actor, frames_per_batch=2048, total_frames=-1):
    tries += batch.numel()
    won = torch.cat([won, (batch["next", "reward"][batch["next", "done"]] > 0.5).float()])[-256:]
    for _ in range(3):
        with torch.no_grad():
            advantage(batch)
        for part in batch.reshape(-1)[torch.randperm(batch.numel())].split(512):
            losses = loss(part)
            optimiser.zero_grad()
            sum(part for name, part in losses.items() if name.startswith("loss_")).backward()
            optimiser.step()
    if time.process_time() - begun > seconds:
        break
spent = time.process_time() - begun
print(f"{tries} tries in {spent:.1f} s; won {int(won.sum())} of {len(won)} games, the last of training")
