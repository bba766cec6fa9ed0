"""The network of the examples for RLlib."""

from typing import Any

import torch
from nets import Scores, value_of
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class TriesModule(TorchRLModule, ValueFunctionAPI):
    """Scores the tries that the observation lists; no others can be drawn."""

    def setup(self) -> None:
        spaces = self.observation_space
        self.scores = Scores(spaces["terms"].shape[-1], spaces["state"].shape[-1])
        self.value = value_of(spaces["state"].shape[-1])

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.scores(seen["tries"], seen["terms"], seen["state"])}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.value(batch[Columns.OBS]["state"]).squeeze(-1)

    def choose(self, seen: dict[str, Any], _: Any) -> Any:
        """Actions i8[N] of N observations."""
        batch = {key: torch.as_tensor(seen[key]) for key in ("tries", "terms", "state")}
        logits = self.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS]
        return torch.distributions.Categorical(logits=logits).sample()
