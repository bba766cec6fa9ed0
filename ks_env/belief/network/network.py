"""A small network that predicts the opponent's men: what it adds to the logits of a location map.

::

    hidden = relu(Σ first[plane, square] · value + Σ terms · value)            the whole board at once
    near   = relu(Σ local[plane, step] · value of the neighbour + places[square] + context · hidden)
    logit  = scale[sort] · logit of the map + shares[sort] · logit of the particles' share
             + heads[sort] · near[square] + (last · hidden)[sort, square]

The sums over planes go over the bytes that are not 0, which are few.
"""

import zipfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ks_env.belief.location.layout import KINGS, LEAST, NONE, ONE, PAWNS, SORTS, Location, allowed, normalise
from ks_env.belief.network.inputs import BOARDS, ROOTS_TOLD, SHARES_TOLD, TERMS, VALUES
from ks_env.core.bits import ZERO, has, lowest, without_lowest
from ks_env.core.files import aside
from ks_env.core.jit import kernel
from ks_env.core.memory import nonzero_bits
from ks_env.core.record import Array, f4

SHIPPED = Path(__file__).with_name("weights.npz")
SHIPPED_PARTICLES = Path(__file__).with_name("particles.npz")
STEPS = 9  # a square and its neighbours


class Network(NamedTuple):
    """The weights, f4; B planes by square, T terms, H hidden, C channels.

    Attributes:
        first: [B, 64, H].
        terms: [T, H].
        first_bias: [H].
        last: [H, 3, 64].
        last_bias: [3, 64].
        local: [B, 9, C], by step from the square's neighbour below on the file before.
        places: [64, C].
        context: [H, C].
        heads: [3, C].
        scale: [3].
        shares: [3]; 0 in a network that is not told of particles.
    """

    first: Array
    terms: Array
    first_bias: Array
    last: Array
    last_bias: Array
    local: Array
    places: Array
    context: Array
    heads: Array
    scale: Array
    shares: Array


class Work(NamedTuple):
    """Room for one position, f4 but for the bytes.

    Attributes:
        told: u1[len(PLANES), 64], the inputs.
        hidden: [H].
        around: [C].
        near: [64, C].
        maps: [3, 64], logits first, then chances.
        left: [3].
    """

    told: Array
    hidden: Array
    around: Array
    near: Array
    maps: Array
    left: Array


def make_work(network: Network) -> Work:
    """Room for the network to predict in; each thread needs its own."""
    hidden, channels = network.context.shape
    return Work(
        np.zeros((len(VALUES), 64), np.uint8),
        np.zeros(hidden, np.float32),
        np.zeros(channels, np.float32),
        np.zeros((64, channels), np.float32),
        np.zeros((SORTS, 64), np.float32),
        np.zeros(SORTS, np.float32),
    )


def read_network(file: Path) -> Network:
    """The network of a file.

    Raises:
        ValueError: the file is damaged, or of other inputs.
    """
    try:
        with np.load(file) as weights:
            network = Network(*(weights[name].astype(np.float32) for name in Network._fields))
            hidden, channels = network.context.shape
    except KeyError as error:
        raise ValueError(
            f"{file}: lacks weights of this version's network: {error}; fit it anew with ks train-belief"
        ) from error
    except (OSError, EOFError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file}: holds no belief network or is damaged: {error}") from error
    boards, terms = len(BOARDS), len(TERMS)
    expected: dict[str, tuple[int, ...]] = {
        "first": (boards, 64, hidden),
        "terms": (terms, hidden),
        "first_bias": (hidden,),
        "last": (hidden, SORTS, 64),
        "last_bias": (SORTS, 64),
        "local": (boards, STEPS, channels),
        "places": (64, channels),
        "context": (hidden, channels),
        "heads": (SORTS, channels),
        "scale": (SORTS,),
        "shares": (SORTS,),
    }
    for name, shape in expected.items():
        if (found := getattr(network, name).shape) != shape:
            raise ValueError(f"{file}: {name} has the shape {found}; expected {shape} for these inputs")
    return network


def write_network(network: Network, file: Path) -> None:
    """Write a network as `read_network` reads it, in half precision; all of the file or nothing."""
    with aside(file) as new, new.open("wb") as out:
        arrays = {name: weights.astype(np.float16) for name, weights in network._asdict().items()}
        np.savez_compressed(out, **arrays)


@cache
def shipped_network(particles: bool = False) -> Network:
    """The network of the encoder `belief`; or of `belief-particles`, which is told of particles, too."""
    return read_network(SHIPPED_PARTICLES if particles else SHIPPED)


def hears_particles(network: Network) -> bool:
    """Whether a network is told of particles."""
    return bool(network.shares.any())


def _logits() -> Array:
    """f4[256]: the logit of the chance that a root's byte stands for, within ±6.9."""
    chances = np.clip((np.arange(256) / 255) ** 2, 1e-3, 1 - 1e-3)
    return np.log(chances / (1 - chances)).astype(np.float32)


LOGITS = _logits()


@kernel
def take_in(network: Network, told: np.ndarray, hidden: np.ndarray, near: np.ndarray) -> None:
    """What the planes by square add to the hidden layer, `f4[H]`, and to each square, `f4[64, C]`."""
    for b in range(BOARDS.shape[0]):
        plane = BOARDS[b]
        bits = nonzero_bits(told[plane], 0)
        while bits != ZERO:
            square = lowest(bits)
            bits = without_lowest(bits)
            value = VALUES[plane, told[plane, square]]
            for h in range(hidden.shape[0]):
                hidden[h] += value * network.first[b, square, h]
            rank, file = square >> 3, square & 7
            for up in range(-1, 2):
                for across in range(-1, 2):
                    if 0 <= rank + up < 8 and 0 <= file + across < 8:
                        there, step = square + 8 * up + across, 4 - 3 * up - across
                        for c in range(near.shape[1]):
                            near[there, c] += value * network.local[b, step, c]


@kernel
def judge(network: Network, work: Work) -> None:
    """The logits of `work.told` into `work.maps`."""
    told, hidden, around, near, maps = work.told, work.hidden, work.around, work.near, work.maps
    hidden[:] = network.first_bias
    near[:] = network.places
    take_in(network, told, hidden, near)
    for t in range(TERMS.shape[0]):
        value = VALUES[TERMS[t], told[TERMS[t], 0]]
        if value != NONE:
            for h in range(hidden.shape[0]):
                hidden[h] += value * network.terms[t, h]
    around[:] = NONE
    maps[:] = network.last_bias
    for h in range(hidden.shape[0]):
        if hidden[h] <= NONE:
            continue
        for c in range(around.shape[0]):
            around[c] += hidden[h] * network.context[h, c]
        for sort in range(SORTS):
            for square in range(64):
                maps[sort, square] += hidden[h] * network.last[h, sort, square]
    for square in range(64):
        for c in range(around.shape[0]):
            near[square, c] = max(NONE, near[square, c] + around[c])
        for sort in range(SORTS):
            total = network.scale[sort] * LOGITS[told[ROOTS_TOLD + sort, square]]
            total += network.shares[sort] * LOGITS[told[SHARES_TOLD + sort, square]]
            for c in range(around.shape[0]):
                total += network.heads[sort, c] * near[square, c]
            maps[sort, square] += total


@kernel
def to_chances(place: Location, work: Work) -> None:
    """Logits to chances, in `work.maps`: of the king over the board, of others by square.

    They fit the metaposition and the numbers of men, as those of a location map do.
    """
    maps, left = work.maps, work.left
    most = f4(-1e9)
    permitted = allowed(place.known, KINGS)
    for square in range(64):
        if has(permitted, square):
            most = max(most, maps[KINGS, square])
    total = NONE
    for square in range(64):
        maps[KINGS, square] = np.exp(maps[KINGS, square] - most) if has(permitted, square) else NONE
        total += maps[KINGS, square]
    for square in range(64):
        maps[KINGS, square] /= max(total, LEAST)
        for sort in range(PAWNS, SORTS):
            maps[sort, square] = ONE / (ONE + np.exp(-maps[sort, square]))
    for sort in range(SORTS):
        left[sort] = place.left[sort]
    normalise(place.known, maps, left)
