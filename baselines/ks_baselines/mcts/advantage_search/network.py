"""A network of advantages: a hidden layer over the terms and the move, a second, and a number.

- hidden = relu(states · s + tries · t + starts[kind, from] + ends[kind, to])
- advantage = last · relu(second · hidden)

Several networks are added up: each one's `last` is divided by the number of those that were fitted with it.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ks_baselines.darkboard.moves import end_of, kind_of, start_of
from ks_baselines.mcts.advantage_search.terms import STATE_TERMS, TRY_TERMS
from ks_env.core.files import aside
from ks_env.core.jit import kernel
from ks_env.core.record import Array, f4, i8

SHIPPED = Path(__file__).with_name("weights.npz")
PLACES = 7 * 64  # a kind of man on a square
MOST_STATE = f4(4.0)  # to which the terms of a state are brought
NONE = f4(0.0)


class Network(NamedTuple):
    """The weights, f4; H and K are the sizes of the hidden layers.

    Attributes:
        states: [len(STATE_TERMS), H].
        tries: [len(TRY_TERMS), H].
        starts: [PLACES, H], for the kind of man and the square it stands on.
        ends: [PLACES, H], and that it goes to.
        first_bias: [H].
        second: [H, K].
        second_bias: [K].
        last: [K].
    """

    states: Array
    tries: Array
    starts: Array
    ends: Array
    first_bias: Array
    second: Array
    second_bias: Array
    last: Array


def read_networks(file: Path) -> tuple[Network, ...]:
    """The networks of a file.

    Raises:
        ValueError: the file is of other terms.
    """
    with np.load(file) as weights:
        number = 1 + max(int(name.partition(".")[0]) for name in weights.files)
        networks = tuple(
            Network(*(weights[f"{i}.{name}"].astype(np.float32) for name in Network._fields))
            for i in range(number)
        )
    for network in networks:
        found = len(network.states), len(network.tries)
        if found != (len(STATE_TERMS), len(TRY_TERMS)):
            raise ValueError(
                f"{file} is of {found[0]} terms of a state and {found[1]} of a try; expected"
                f" {len(STATE_TERMS)} and {len(TRY_TERMS)}"
            )
    return networks


def write_networks(networks: Sequence[Network], file: Path) -> None:
    """Write networks as `read_networks` reads them, in half precision; all of the file or nothing.

    Raises:
        ValueError: the file holds no networks.
    """
    if not networks:
        raise ValueError(f"no networks for {file}; expected at least one")
    arrays = {
        f"{i}.{name}": weights.astype(np.float16)
        for i, network in enumerate(networks)
        for name, weights in network._asdict().items()
    }
    with aside(file) as new, new.open("wb") as out:
        np.savez_compressed(out, **arrays)


@cache
def shipped_networks() -> tuple[Network, ...]:
    """The networks that `advantage-search` plays by."""
    return read_networks(SHIPPED)


@kernel
def hide_state(network: Network, state: np.ndarray, out: np.ndarray) -> None:
    """What the state adds to the first hidden layer of all its tries, into `out: f4[H]`."""
    for h in range(out.shape[0]):
        out[h] = network.first_bias[h]
    for i in range(state.shape[0]):
        term = max(-MOST_STATE, min(MOST_STATE, state[i]))
        for h in range(out.shape[0]):
            out[h] += term * network.states[i, h]


@kernel
def judge(
    network: Network, state: np.ndarray, tries: np.ndarray, moves: np.ndarray, n: int, out: np.ndarray
) -> None:
    """The advantages of tries, in tenths of a game's score.

    Args:
        state: f4[len(STATE_TERMS)], `describe_state`.
        tries: f4[N, len(TRY_TERMS)], `describe_tries`.
        moves: i4[N], the tries, packed.
        out: f4[N], overwritten up to n.
    """
    size, sizes = network.first_bias.shape[0], network.second_bias.shape[0]
    common, hidden = np.empty(size, np.float32), np.empty(size, np.float32)
    second = np.empty(sizes, np.float32)
    hide_state(network, state, common)
    for i in range(n):
        move = i8(moves[i])
        kind = 64 * kind_of(move)
        start, end = kind + start_of(move), kind + end_of(move)
        for h in range(size):
            hidden[h] = common[h] + network.starts[start, h] + network.ends[end, h]
        for j in range(tries.shape[1]):
            term = tries[i, j]
            if term != NONE:
                for h in range(size):
                    hidden[h] += term * network.tries[j, h]
        for k in range(sizes):
            second[k] = network.second_bias[k]
        for h in range(size):
            if hidden[h] > NONE:
                for k in range(sizes):
                    second[k] += hidden[h] * network.second[h, k]
        total = NONE
        for k in range(sizes):
            total += max(NONE, second[k]) * network.last[k]
        out[i] = total
