"""The players `policy` and `policy-judged`: small networks over terms of tries, without torch.

They are networks of `ks_train.policy.terms`, their weights in half precision, as made by
`ks train configs/pretrained.yaml --ship` over the terms `raw`, and by `configs/pretrained-judged-deep.yaml`
over `judged-deep`.
"""

from ks_baselines.policy.network import SHIPPED, Weights, read_weights, score, write_weights
from ks_baselines.policy.player import PolicyPlayer, policy_judged_player, policy_player

__all__ = [
    "SHIPPED",
    "PolicyPlayer",
    "Weights",
    "policy_judged_player",
    "policy_player",
    "read_weights",
    "score",
    "write_weights",
]
