"""The two fits: values of states, then advantages of tries.

A try's advantage is what the λ-return of its turn has beyond the value of the state (Schulman et al.,
"High-Dimensional Continuous Control Using Generalized Advantage Estimation", 2016), and the network's output
is its mean given what the seat knows.
"""

import itertools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from ks_baselines.mcts.advantage_search.network import MOST_STATE, PLACES, Network
from ks_baselines.mcts.advantage_search.terms import STATE_TERMS, TRY_TERMS
from rich.console import Console
from torch import Tensor, nn
from torch.nn import functional

from research.advantage.data import Data, places, returns

HIDDEN, SECOND = 128, 32
DROPOUT = 0.3
BATCH = 4096
RATE = 2e-3
DECAY = 0.05  # of the weights
EPOCHS = 4
VALUE_EPOCHS = 3
TENTHS = 10.0  # advantages are in tenths of a game's score


class Inputs(NamedTuple):
    """What the network is told of rows: states, terms, and the numbers of starts and ends."""

    states: Tensor
    terms: Tensor
    starts: Tensor
    ends: Tensor

    def at(self, rows: Tensor) -> "Inputs":
        """Some of them."""
        return Inputs(self.states[rows], self.terms[rows].float(), self.starts[rows], self.ends[rows])


class Advantages(nn.Module):
    """The network of `ks_baselines.mcts.advantage_search.network`, to be fitted."""

    def __init__(self) -> None:
        super().__init__()
        self.states = nn.Linear(len(STATE_TERMS), HIDDEN)
        self.tries = nn.Linear(len(TRY_TERMS), HIDDEN, bias=False)
        self.starts, self.ends = nn.Embedding(PLACES, HIDDEN), nn.Embedding(PLACES, HIDDEN)
        self.second, self.last = nn.Linear(HIDDEN, SECOND), nn.Linear(SECOND, 1, bias=False)
        self.dropout = nn.Dropout(DROPOUT)
        for embedding in (self.starts, self.ends):
            nn.init.normal_(embedding.weight, std=0.02)

    def forward(self, given: Inputs) -> Tensor:
        """The advantages: [B]."""
        hidden = self.states(given.states) + self.tries(given.terms)
        hidden = functional.relu(hidden + self.starts(given.starts) + self.ends(given.ends))
        found: Tensor = self.last(functional.relu(self.second(self.dropout(hidden))))
        return found[:, 0]

    def weights(self) -> Network:
        """The weights, as the player reads them."""

        def array(weight: Tensor) -> np.ndarray:
            return np.ascontiguousarray(weight.detach().numpy().T)

        return Network(
            states=array(self.states.weight),
            tries=array(self.tries.weight),
            starts=array(self.starts.weight.T),
            ends=array(self.ends.weight.T),
            first_bias=array(self.states.bias),
            second=array(self.second.weight),
            second_bias=array(self.second.bias),
            last=array(self.last.weight[0]),
        )


def value_network() -> nn.Sequential:
    """Expected score of a state, as log odds."""
    sizes = (len(STATE_TERMS), 64, 32)
    return nn.Sequential(
        *(layer for a, b in itertools.pairwise(sizes) for layer in (nn.Linear(a, b), nn.ReLU())),
        nn.Linear(sizes[-1], 1),
    )


def descend(network: nn.Module, loss_of: Callable[[Tensor], Tensor], rows: Tensor, epochs: int) -> None:
    """Fit a network by AdamW, its pace rising and falling over the whole of the epochs."""
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    steps = epochs * -(-len(rows) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, steps)
    network.train()
    for _ in range(epochs):
        for part in rows[torch.randperm(len(rows))].split(BATCH):
            loss = loss_of(part)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    network.eval()


def rows_of(mask: np.ndarray) -> Tensor:
    """The numbers of the entries that are true."""
    return torch.from_numpy(np.flatnonzero(mask))


def fit_values(data: Data, held_out: np.ndarray, console: Console) -> np.ndarray:
    """Expected scores of all states: f4[T]."""
    network = value_network()
    states = torch.from_numpy(np.clip(data.states, -MOST_STATE, MOST_STATE))
    scores = torch.from_numpy(data.scores[data.game].astype(np.float32))

    def loss_of(part: Tensor) -> Tensor:
        return functional.binary_cross_entropy_with_logits(network(states[part])[:, 0], scores[part])

    descend(network, loss_of, rows_of(~held_out), VALUE_EPOCHS)
    held = rows_of(held_out)
    with torch.no_grad():
        found = torch.sigmoid(network(states)[:, 0])
        error = float(((found - scores)[held] ** 2).mean())
    plain = float(scores[held].var())
    console.print(f"values of {len(states):,} states: held-out error {error:.4f}, of the mean {plain:.4f}")
    return np.asarray(found.numpy())


def inputs_of(data: Data) -> Inputs:
    """All rows as the network is told of them."""
    starts, ends = places(data.rows["move"])
    states = np.clip(data.rows["state"], -MOST_STATE, MOST_STATE)
    return Inputs(*map(torch.from_numpy, (states, data.rows["terms"].copy(), starts, ends)))


def fit_advantages(data: Data, values: np.ndarray, held_out: np.ndarray, console: Console) -> Advantages:
    """The network, from what the turns brought beyond the values of their states."""
    network, given = Advantages(), inputs_of(data)
    beyond = torch.from_numpy((returns(data, values) - values)[data.at] * TENTHS)

    def loss_of(part: Tensor) -> Tensor:
        return functional.mse_loss(network(given.at(part)), beyond[part])

    descend(network, loss_of, rows_of(~held_out[data.at]), EPOCHS)
    held = rows_of(held_out[data.at])
    with torch.no_grad():
        found = torch.cat([network(given.at(part)) for part in held.split(BATCH)])
    share = 1 - float(((found - beyond[held]) ** 2).mean() / beyond[held].var())
    console.print(f"advantages of {len(beyond):,} tries: {share:.1%} of the held-out variance explained")
    return network


def fit(data: Data, seed: int, number: int, console: Console) -> Network:
    """Fit both; a network of advantages.

    Args:
        data: the games.
        seed: of a run.
        number: of the network in it; each starts elsewhere and leaves out other games.
        console: told how well it fits the games that are left out.
    """
    torch.manual_seed(1000 * seed + number)
    held_out = data.held_out(number)
    return fit_advantages(data, fit_values(data, held_out, console), held_out, console).weights()
