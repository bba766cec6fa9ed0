"""Small networks over terms of tries, padded, for the examples of this folder."""

from typing import Any

import torch
from torch import Tensor, nn

from ks_env.core.actions import ACTIONS


class Scores(nn.Module):
    """Logits of all actions f4[..., 1859]: each listed try is scored by its terms and those of the state.

    Args:
        tries: terms of a try, K.
        states: terms of a state, S.
    """

    def __init__(self, tries: int, states: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(tries + states, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, tries: Tensor, terms: Tensor, state: Tensor) -> Tensor:
        """From "tries" i2[..., T], padded with -1, "terms" f4[..., T, K], "state" f4[..., S]."""
        most = max(1, int((tries >= 0).sum(-1).max()))  # the rest is padding
        tries, terms = tries[..., :most], terms[..., :most, :]
        every = state.unsqueeze(-2).expand(*terms.shape[:-1], -1)
        scores = self.net(torch.cat([terms, every], -1)).squeeze(-1)
        logits = torch.full((*tries.shape[:-1], ACTIONS + 1), -1e9)  # the last is for what is no try
        return logits.scatter(-1, tries.long() % (ACTIONS + 1), scores)[..., :ACTIONS]


def value_of(states: int) -> nn.Module:
    """The value f4[..., 1] of a state from its terms f4[..., S]."""
    return nn.Sequential(nn.Linear(states, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())


class Values(nn.Sequential):
    """The value f4[N, 1] of observations, from the terms of their states.

    Args:
        states: terms of a state, S; those of a try are not looked at.
    """

    def __init__(self, _: int, states: int) -> None:
        super().__init__(value_of(states))

    def forward(self, obs: Any, **_: Any) -> Tensor:
        """From "state" f4[N, S]."""
        return super().forward(torch.as_tensor(obs["state"]))
