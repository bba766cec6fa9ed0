"""What the games say: returns of the states that the explorer was in."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from ks_baselines.darkboard.moves import end_of, kind_of, start_of

Array = np.ndarray[Any, Any]
HELD_OUT = 10  # one game in so many is kept out of the fit
DECAY = 0.85  # lambda


class Data(NamedTuple):
    """Games end to end.

    Attributes:
        scores: f8[G], of games.
        game: i8[T], of which game each state is.
        states: f4[T, len(STATE_TERMS)].
        rows: ROW[R].
        at: i8[R], the state of the turn in which each row was made.
    """

    scores: Array
    game: Array
    states: Array
    rows: Array
    at: Array

    def held_out(self, number: int) -> Array:
        """bool[T], the states of games that are kept out of the fit of a network."""
        return np.asarray(self.game % HELD_OUT == number % HELD_OUT)


def load(folder: Path) -> Data:
    """The games of a folder.

    Raises:
        ValueError: there are no games.
    """
    files = sorted(folder.glob("*.npz"))
    if not files:
        raise ValueError(f"no games in {folder}; expected files of games")
    shards = [dict(np.load(file)) for file in files]
    whole = {name: np.concatenate([shard[name] for shard in shards]) for name in shards[0]}
    first = np.r_[0, np.cumsum(whole["turns"])[:-1]]
    return Data(
        scores=whole["scores"],
        game=np.repeat(np.arange(len(whole["turns"])), whole["turns"]),
        states=whole["states"],
        rows=whole["rows"],
        at=np.repeat(first, whole["made"]) + whole["rows"]["turn"],
    )


def returns(data: Data, values: Array, decay: float = DECAY) -> Array:
    """λ-returns of all states, f4[T]: the next states' values weighted by powers of λ, at the end the score.

    Args:
        data: games.
        values: f4[T], expected scores of the states.
        decay: λ.
    """
    out = np.zeros(len(values), np.float32)
    scores = data.scores[data.game]
    last = np.r_[data.game[1:] != data.game[:-1], True]
    for t in range(len(values) - 1, -1, -1):
        out[t] = scores[t] if last[t] else (1 - decay) * values[t + 1] + decay * out[t + 1]
    return out


def places(moves: Array) -> tuple[Array, Array]:
    """Numbers of the kind of man with the square that it leaves, and with that it goes to: i8[R] each."""
    pairs = [(64 * kind_of(m) + start_of(m), 64 * kind_of(m) + end_of(m)) for m in map(int, moves)]
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]
