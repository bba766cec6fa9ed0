"""The distribution over the tries that a seat may make; policies sample from it and learn by it."""

import torch
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
