"""The network: small enough for two processor cores, shaped like the game.

    planes uint8 (C, 8, 8), each as log(1 + x) / log(1 + its upper bound)
      |  3×3 convolution of the planes that differ by square
      |  + a layer of the planes that hold one number everywhere, as numbers
      |  + a learnt vector for each square, ReLU
      |  (3×3 convolution, ReLU, added to its input) × (layers - 1)
      |  + a layer of the mean and the maximum over the board, ReLU
    features (channels, 8, 8)
      |-- policy: 1×1 convolution to two vectors a square, f and t
      |     logit of a move from a to b  =  f[a] · t[b] + a learnt number a move
      |     logit of "any?"              =  linear in the mean over the board
      |-- value: mean and maximum over the board, one hidden layer, one number

That a logit is a product of "from here" and "to there" lets the policy learn once, for all men and squares,
what it means to move to the square of a capture just announced or away from a square that is attacked. It
has a hundredth of the parameters of a dense layer to 1,859 logits.

While learning only the tries that the mask allows (about forty of 1,859) go through the softmax, so its cost
is that of the legal tries.
"""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from torch import Tensor, nn
from torch.nn import functional

from ks_env.core.actions import ACTIONS, action_to_move
from ks_env.core.tables import ANY
from ks_env.games.kriegspiel.planes import PLANES
from ks_train.policy.legal import LegalTries, TriesPolicy

SQUARES = 64


class BoardFeatures(BaseFeaturesExtractor):
    """From planes to features of squares, flattened as SB3 wants: f4[B, channels * 64].

    Args:
        observation_space: the Box of planes, uint8 (C, 8, 8), whose upper bounds set the scale of each.
        channels: features of a square.
        layers: 3 × 3 convolutions.
    """

    scale: Tensor
    board_planes: Tensor
    number_planes: Tensor

    def __init__(self, observation_space: spaces.Box, channels: int = 32, layers: int = 2) -> None:
        super().__init__(observation_space, channels * SQUARES)
        bounds = np.maximum(observation_space.high.max(axis=(1, 2)), 1).astype(np.float32)
        # Planes past the base ones are an encoder's and may differ by square.
        constant = np.zeros(len(bounds), dtype=np.bool_)
        constant[: len(PLANES)] = [plane.constant for plane in PLANES]
        for name, value in (
            ("scale", (1 / np.log1p(bounds))[:, None, None]),
            ("board_planes", np.flatnonzero(~constant)),
            ("number_planes", np.flatnonzero(constant)),
        ):
            self.register_buffer(name, torch.from_numpy(value), persistent=False)
        self.first = nn.Conv2d(len(self.board_planes), channels, 3, padding=1)
        self.numbers = nn.Linear(len(self.number_planes), channels)
        self.place = nn.Parameter(torch.zeros(channels, 8, 8))
        self.further = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(layers - 1))
        self.board = nn.Linear(2 * channels, channels)

    def forward(self, observations: Tensor) -> Tensor:
        """Features f4[B, channels * 64] of planes [B, C, 8, 8]."""
        planes = observations.index_select(1, self.board_planes).float()
        numbers = observations[:, :, 0, 0].index_select(1, self.number_planes).float()
        planes = torch.log1p(planes) * self.scale.index_select(0, self.board_planes)
        numbers = torch.log1p(numbers) * self.scale[:, 0, 0].index_select(0, self.number_planes)
        squares = self.first(planes) + self.numbers(numbers)[:, :, None, None] + self.place
        squares = functional.relu(squares)
        for convolution in self.further:
            squares = squares + functional.relu(convolution(squares))
        squares = functional.relu(squares + self.board(over_board(squares))[:, :, None, None])
        return squares.flatten(1)


def over_board(squares: Tensor) -> Tensor:
    """Mean and maximum over the board: f4[B, 2 * channels] of f4[B, channels, 8, 8]."""
    return torch.cat([squares.mean((2, 3)), squares.amax((2, 3))], dim=1)


class TryHead(nn.Module):
    """Logits of tries from the features of squares.

    Args:
        channels: features of a square.
        embedding: length of the two vectors of a square.
    """

    start: Tensor
    end: Tensor

    def __init__(self, channels: int, embedding: int) -> None:
        super().__init__()
        self.channels, self.embedding = channels, embedding
        self.vectors = nn.Conv2d(channels, 2 * embedding, 1)
        self.each = nn.Parameter(torch.zeros(ACTIONS))
        self.ask = nn.Linear(channels, 1)
        with torch.no_grad():  # products of about the size of one
            self.vectors.weight *= embedding**-0.25
        moves = [action_to_move(action, colour=True) for action in range(ANY)]
        start, end = [move.from_square for move in moves], [move.to_square for move in moves]
        self.register_buffer("start", torch.tensor([*start, 0]), persistent=False)
        self.register_buffer("end", torch.tensor([*end, 0]), persistent=False)

    def forward(self, features: Tensor) -> Tensor:
        """All logits f4[B, 1859]."""
        start, end, ask = self._vectors(features)
        moves = torch.bmm(start, end.transpose(1, 2)).flatten(1)
        pair = SQUARES * self.start[:ANY] + self.end[:ANY]
        return torch.cat([moves.index_select(1, pair), ask], dim=1) + self.each

    def legal(self, features: Tensor, rows: Tensor, actions: Tensor) -> Tensor:
        """Logits f4[K] of K tries, each given by its row in the batch and its action."""
        start, end, ask = self._vectors(features)
        base = SQUARES * rows
        start = start.reshape(-1, self.embedding).index_select(0, base + self.start.index_select(0, actions))
        end = end.reshape(-1, self.embedding).index_select(0, base + self.end.index_select(0, actions))
        logits = torch.where(actions == ANY, ask.flatten().index_select(0, rows), (start * end).sum(1))
        return logits + self.each.index_select(0, actions)

    def _vectors(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of every square, "from here" and "to there" f4[B, 64, embedding]; for "any?" f4[B, 1]."""
        squares = features.reshape(-1, self.channels, 8, 8)
        start, end = self.vectors(squares).flatten(2).split(self.embedding, dim=1)
        return start.transpose(1, 2), end.transpose(1, 2), self.ask(squares.mean((2, 3)))


class ValueHead(nn.Module):
    """The expected result, f4[B, 1], from the features of squares."""

    def __init__(self, channels: int, hidden: int) -> None:
        super().__init__()
        self.channels = channels
        self.layers = nn.Sequential(nn.Linear(2 * channels, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, features: Tensor) -> Tensor:
        """Values f4[B, 1]."""
        values: Tensor = self.layers(over_board(features.reshape(-1, self.channels, 8, 8)))
        return values


class BoardPolicy(TriesPolicy):
    """Policy and value of the network above. Masks are required except in `predict`.

    Args:
        channels, layers, embedding, value_hidden: see `ks_train.learn.config.Network`.
    """

    action_net: TryHead

    def __init__(
        self,
        observation_space: spaces.Box,
        action_space: spaces.Discrete,
        lr_schedule: Schedule,
        channels: int = 32,
        layers: int = 2,
        embedding: int = 32,
        value_hidden: int = 64,
        **kwargs: Any,
    ) -> None:
        features = {"channels": channels, "layers": layers}
        kwargs |= {"features_extractor_class": BoardFeatures, "features_extractor_kwargs": features}
        sizes = {**features, "embedding": embedding, "value_hidden": value_hidden}
        super().__init__(observation_space, action_space, lr_schedule, sizes, **kwargs)

    def _build(self, lr_schedule: Schedule) -> None:
        self._build_mlp_extractor()
        self.action_net = TryHead(self.sizes["channels"], self.sizes["embedding"])
        self.value_net = ValueHead(self.sizes["channels"], self.sizes["value_hidden"])  # type: ignore[assignment]
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def features(self, observations: PyTorchObs) -> Tensor:
        """Features f4[B, channels * 64] of planes [B, C, 8, 8]."""
        # Not SB3's extract_features, which would first turn every plane into floats.
        features: Tensor = self.features_extractor(observations)
        return features

    def judge(self, observations: Any, masks: Any = None) -> tuple[LegalTries, Tensor]:
        """The distribution over the tries that masks [B, 1859] allow, one at least a row; values f4[B, 1]."""
        features, masks = self.features(observations), torch.as_tensor(masks)
        rows, actions = masks.nonzero(as_tuple=True)
        tries = LegalTries(len(masks), rows, actions, self.action_net.legal(features, rows, actions))
        return tries, self.value_net(features)


class ByteMaskBuffer(MaskableRolloutBuffer):
    """The rollout buffer with a byte, not a float, for each entry of a mask: a quarter of the memory."""

    def reset(self) -> None:
        """Forget the last rollout."""
        assert isinstance(self.action_space, spaces.Discrete)
        self.mask_dims = int(self.action_space.n)
        self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), dtype=np.bool_)
        super(MaskableRolloutBuffer, self).reset()
