"""The distribution over the tries that a seat may make, and policies that sample from it and learn by it."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor

from ks_env.core.actions import ACTIONS


class LegalTries:
    """The distribution over the tries of some rows, without the 1,800 that nobody may make.

    Args:
        size: B, number of rows; each has one try at least.
        rows: i8[K], which row each try belongs to.
        actions: i8[K].
        logits: f4[K].
    """

    def __init__(self, size: int, rows: Tensor, actions: Tensor, logits: Tensor) -> None:
        self.size, self.rows, self.actions = size, rows, actions
        top = logits.new_full((size,), -torch.inf).scatter_reduce(0, rows, logits.detach(), "amax")
        total = self._sum((logits - top.index_select(0, rows)).exp()).log() + top
        self.log_probs = logits - total.index_select(0, rows)

    def _sum(self, values: Tensor) -> Tensor:
        """Sums by row, f4[B], of values f4[K]."""
        return values.new_zeros(self.size).index_add(0, self.rows, values)

    def log_prob(self, actions: Tensor) -> Tensor:
        """Log-probabilities f4[B] of one allowed action a row, i8[B]."""
        chosen = self.actions == actions.index_select(0, self.rows)
        return self._sum(self.log_probs * chosen)

    def entropy(self) -> Tensor:
        """Entropies f4[B], in nats."""
        return -self._sum(self.log_probs.exp() * self.log_probs)

    def divergence(self, others: Tensor) -> Tensor:
        """Kullback-Leibler divergences f4[B], in nats, from another distribution over the same tries.

        Args:
            others: its log-probabilities, f4[K].
        """
        return self._sum(self.log_probs.exp() * (self.log_probs - others))

    def best(self, scores: Tensor) -> Tensor:
        """The action i8[B] of the highest score f4[K] in each row."""
        table = scores.new_full((self.size, ACTIONS), -torch.inf)
        table[self.rows, self.actions] = scores
        return table.argmax(dim=1)

    def sample(self, temperature: float = 1.0) -> Tensor:
        """One action a row, i8[B], drawn with torch's generator (by the Gumbel maximum).

        Log-probabilities are divided by the temperature; 0 takes the likeliest.
        """
        if temperature == 0:
            return self.best(self.log_probs)
        noise = -torch.empty_like(self.log_probs).exponential_().log()
        return self.best(self.log_probs / temperature + noise)


class TriesPolicy(MaskableActorCriticPolicy):
    """A policy for `MaskablePPO` whose networks look at legal tries alone.

    Args:
        sizes: of the networks, by which a saved policy is made again.
        **kwargs: for Stable-Baselines3.
    """

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Discrete,
        lr_schedule: Schedule,
        sizes: dict[str, int],
        **kwargs: Any,
    ) -> None:
        if int(action_space.n) != ACTIONS:
            raise ValueError(f"expected the action space Discrete({ACTIONS}), found {action_space}")
        self.sizes = sizes
        kwargs |= {"net_arch": [], "normalize_images": False, "optimizer_kwargs": {"eps": 1e-5}}
        super().__init__(observation_space, action_space, lr_schedule, **kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return super()._get_constructor_parameters() | self.sizes

    def judge(self, observations: Any, masks: Any = None) -> tuple[LegalTries, Tensor]:
        """The distribution over the allowed tries, and values f4[B, 1]."""
        raise NotImplementedError

    def tries(self, observations: Any, masks: Any = None) -> LegalTries:
        """The distribution over the allowed tries."""
        return self.judge(observations, masks)[0]

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions i8[B], values f4[B, 1] and log-probabilities f4[B], for the rollout."""
        tries, values = self.judge(obs, action_masks)
        actions = tries.best(tries.log_probs) if deterministic else tries.sample()
        return actions, values, tries.log_prob(actions)

    def evaluate_actions(
        self, obs: Any, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Values f4[B, 1], log-probabilities f4[B] and entropies f4[B], for the update."""
        tries, values = self.judge(obs, action_masks)
        return values, tries.log_prob(actions), tries.entropy()
