"""The player `policy`: a small network over the terms `raw`, without a search and without torch.

It is the network of `ks_train.policy.terms`, its weights in half precision, as made by
`ks train configs/pretrained.yaml --ship`.
"""

from ks_baselines.policy.network import SHIPPED, Weights, read_weights, score, write_weights
from ks_baselines.policy.player import PolicyPlayer, policy_player

__all__ = ["SHIPPED", "PolicyPlayer", "Weights", "policy_player", "read_weights", "score", "write_weights"]
