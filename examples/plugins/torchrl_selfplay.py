"""TorchRL: one policy plays both seats, as a group of agents of its PettingZooWrapper.

python examples/plugins/torchrl_selfplay.py --seconds 60
"""

import time
from typing import Any

import torch
from judging import SECONDS, report
from nets import Scores, value_of
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper, SerialEnv
from torchrl.modules import ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from ks_env import kriegspiel_v0

options, seats = {"terms": "raw", "shaping": "material"}, {"seats": ["white", "black"]}
env = SerialEnv(8, lambda: PettingZooWrapper(kriegspiel_v0.parallel_env(**options), group_map=seats))
seen = env.observation_spec["seats", "observation"]
sizes = seen["terms"].shape[-1], seen["state"].shape[-1]
keys = [("seats", "observation", name) for name in ("tries", "terms", "state")]
actor = ProbabilisticActor(
    TensorDictModule(Scores(*sizes), keys, [("seats", "logits")]),
    {"logits": ("seats", "logits")},
    [("seats", "action")],
    distribution_class=torch.distributions.Categorical,
    return_log_prob=True,
)
critic = ValueOperator(value_of(sizes[1]), keys[2:], [("seats", "state_value")])
advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.005)
names = {"value": critic.out_keys[0], **{name: ("seats", name) for name in ("reward", "done", "terminated")}}
advantage.set_keys(**names)
loss.set_keys(**names, action=("seats", "action"))
optimiser = torch.optim.Adam(loss.parameters(), lr=2e-3)
begun, tries = time.process_time(), 0
for batch in Collector(env, actor, frames_per_batch=1024, total_frames=-1):
    tries += batch.numel()
    for _ in range(3):
        with torch.no_grad():
            advantage(batch)
        for part in batch.reshape(-1)[torch.randperm(batch.numel())].split(512):
            losses = loss(part)
            optimiser.zero_grad()
            sum(each for name, each in losses.items() if name.startswith("loss_")).backward()
            optimiser.step()
    if (spent := time.process_time() - begun) > SECONDS:
        break


def choose(seen: dict[str, Any], _: Any) -> Any:
    logits = actor.module[0].module(*(torch.as_tensor(seen[key[-1]]) for key in keys))
    return torch.distributions.Categorical(logits=logits).sample()


report(tries, spent, choose, terms="raw")
