"""The network over terms of tries: it scores each try by what the try would do, and values the state.

    terms of the state, and the greatest and least of each term over the tries
      |  a layer, ReLU
    state (width)
      |-- value: one hidden layer, one number: the log odds of the score
      |-- of each try: relu(a layer of its terms + a layer of the state) -> a number,
      |   plus a number linear in its terms: its logit

Some ten thousand parameters. What makes it learn in minutes is not the network but what it is told.
"""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer, MaskableDictRolloutBufferSamples
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from torch import Tensor, nn
from torch.nn import functional

from ks_env.belief.terms import Tries, joined, taken
from ks_env.core.actions import ACTIONS
from ks_train.policy.legal import LegalTries, TriesPolicy

NEVER = -1e8  # logit of actions that are not tries of the row
KEYS = ("tries", "terms", "state")  # of a padded observation


class Rows:
    """The tries of B states, one after another, as tensors.

    Attributes:
        row: i8[T], which state each belongs to.
        actions: i8[T].
        terms: f4[T, K].
        state: f4[B, S].
    """

    def __init__(self, row: Tensor, actions: Tensor, terms: Tensor, state: Tensor) -> None:
        self.row, self.actions, self.terms, self.state = row, actions, terms, state

    @classmethod
    def of(cls, tries: Tries) -> "Rows":
        """On the memory of arrays."""
        row = np.repeat(np.arange(len(tries.state)), np.diff(tries.offsets))
        actions = tries.actions.astype(np.int64)
        return cls(*map(torch.from_numpy, (row, actions, tries.terms, tries.state)))

    @classmethod
    def unpadded(cls, seen: dict[str, Tensor]) -> "Rows":
        """Of the padded observations of `ks_env.belief.terms.padded`."""
        row, place = (seen["tries"] >= 0).nonzero(as_tuple=True)
        return cls(row, seen["tries"][row, place].long(), seen["terms"][row, place], seen["state"])

    def to(self, device: torch.device) -> "Rows":
        """The same on a device."""
        return Rows(*(each.to(device) for each in (self.row, self.actions, self.terms, self.state)))

    def greatest(self, values: Tensor) -> Tensor:
        """The greatest of each row, f4[B, K], of values f4[T, K]; 0 where a row has no tries."""
        index = self.row[:, None].expand_as(values)
        out = values.new_zeros(len(self.state), values.shape[1])
        return out.scatter_reduce(0, index, values, "amax", include_self=False)


class TermsNetwork(nn.Module):
    """Logits of tries and values of states.

    Args:
        tries: K, terms of a try.
        states: S, terms of a state.
        width: of the hidden layers.
        value_hidden: of the value's own.
    """

    def __init__(self, tries: int, states: int, width: int = 64, value_hidden: int = 32) -> None:
        super().__init__()
        self.tries, self.states = tries, states
        self.state = nn.Linear(states + 2 * tries, width)
        self.value = nn.Sequential(nn.Linear(width, value_hidden), nn.ReLU(), nn.Linear(value_hidden, 1))
        self.of_state, self.of_try = nn.Linear(width, width), nn.Linear(tries, width)
        self.score, self.direct = nn.Linear(width, 1), nn.Linear(tries, 1, bias=False)
        for layer in (self.score, self.direct):  # all tries are equally likely at first
            nn.init.zeros_(layer.weight)

    def forward(self, rows: Rows) -> tuple[Tensor, Tensor]:
        """Logits f4[T] of tries, and values f4[B] as log odds of the score (a draw counts half)."""
        terms = rows.terms
        seen = torch.cat([rows.state, rows.greatest(terms), -rows.greatest(-terms)], 1)
        state = functional.relu(self.state(seen))
        hidden = functional.relu(self.of_try(terms) + self.of_state(state).index_select(0, rows.row))
        return (self.score(hidden) + self.direct(terms))[:, 0], self.value(state)[:, 0]


class _StateTerms(BaseFeaturesExtractor):
    """What Stable-Baselines3 wants to build; the network reads observations itself."""

    def __init__(self, observation_space: spaces.Dict) -> None:
        super().__init__(observation_space, spaces.flatdim(observation_space["state"]))

    def forward(self, observations: dict[str, Tensor]) -> Tensor:
        """The terms of the state."""
        return observations["state"]


class TermsPolicy(TriesPolicy):
    """Policy and value of `TermsNetwork`, on environments made with `terms`.

    The tries in an observation are those that the mask allows, so that masks are ignored but in `predict`.
    Values are expected returns from -1 to 1: results, where rewards are not shaped.

    Args:
        width, value_hidden: see `TermsNetwork`.
    """

    def __init__(
        self,
        observation_space: spaces.Dict,
        action_space: spaces.Discrete,
        lr_schedule: Schedule,
        width: int = 64,
        value_hidden: int = 32,
        **kwargs: Any,
    ) -> None:
        keys: Any = getattr(observation_space, "spaces", None)
        if not isinstance(keys, dict) or not set(KEYS) <= set(keys):
            raise ValueError(
                f"expected observations with {', '.join(KEYS)}, found {observation_space};"
                ' make the environment with terms="raw"'
            )
        sizes = {"width": width, "value_hidden": value_hidden}
        kwargs["features_extractor_class"] = _StateTerms
        super().__init__(observation_space, action_space, lr_schedule, sizes, **kwargs)

    def _build(self, lr_schedule: Schedule) -> None:
        assert isinstance(self.observation_space, spaces.Dict)
        terms, state = self.observation_space["terms"].shape, self.observation_space["state"].shape
        assert terms is not None
        assert state is not None
        self.network = TermsNetwork(terms[1], state[0], **self.sizes)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def judge(self, observations: Any, masks: Any = None) -> tuple[LegalTries, Tensor]:
        """The distribution over the tries of padded observations, or of `Rows`; values f4[B, 1]."""
        rows = observations if isinstance(observations, Rows) else Rows.unpadded(observations)
        logits, odds = self.network(rows)
        return LegalTries(len(rows.state), rows.row, rows.actions, logits), torch.tanh(odds / 2)[:, None]

    def predict_values(self, obs: PyTorchObs) -> Tensor:
        """Values f4[B, 1]."""
        return self.judge(obs)[1]

    def get_distribution(
        self, obs: PyTorchObs, action_masks: np.ndarray | None = None
    ) -> MaskableDistribution:
        """The distribution over all actions."""
        tries = self.tries(obs)
        logits = tries.log_probs.new_full((tries.size, ACTIONS), NEVER)
        logits[tries.rows, tries.actions] = tries.log_probs
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution


class TriesBuffer(MaskableDictRolloutBuffer):
    """The rollout buffer for `TermsPolicy`: it keeps tries as they are, without padding or planes."""

    def reset(self) -> None:
        """Forget the last rollout."""
        super(MaskableDictRolloutBuffer, self).reset()  # no masks of all actions
        self.observations = {}
        self.mask_dims = 1
        self.action_masks = np.ones((self.buffer_size, self.n_envs, 1), np.bool_)
        self._parts: list[Tries] = []
        self._all: Tries | None = None

    def add(self, *args: Any, action_masks: np.ndarray | None = None, **kwargs: Any) -> None:
        """One step of all environments."""
        seen, *others = args
        listed = seen["tries"] >= 0
        rows, places = listed.nonzero()
        offsets = np.concatenate([[0], np.cumsum(listed.sum(1))])
        actions, terms = seen["tries"][rows, places], seen["terms"][rows, places]
        self._parts.append(Tries(offsets, actions, terms, seen["state"].copy()))
        super().add({}, *others, **kwargs)

    def _get_samples(  # type: ignore[override]  # as the library does
        self, batch_inds: np.ndarray, env: Any = None
    ) -> MaskableDictRolloutBufferSamples:
        if self._all is None:
            self._all = joined(self._parts)
        game, step = np.divmod(batch_inds, self.buffer_size)  # the library has turned the axes over
        samples = super()._get_samples(batch_inds, env)
        rows: Any = Rows.of(taken(self._all, step * self.n_envs + game)).to(self.device)
        return samples._replace(observations=rows)
