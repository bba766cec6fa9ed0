"""The network's weights in a file, and the logits of tries.

seen    = terms of the state, greatest and least of each term over the tries
state   = relu(seen · state + b)
hidden  = relu(terms of a try · of_try + b + state · of_state + b)
logit   = hidden · score + terms of the try · direct
value   = relu(state · first + b) · second + b, log odds of the score
"""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ks_env.belief.terms import Terms, Tries
from ks_env.core.files import aside

SHIPPED = {  # by the name of the terms
    "raw": Path(__file__).with_name("weights.npz"),
    "judged-deep": Path(__file__).with_name("weights-judged.npz"),
}
Floats = npt.NDArray[np.float32]


class Weights(NamedTuple):
    """Matrices as torch has them: [out, in]. K terms of a try, S of a state, width H, value's width V.

    Attributes:
        state, state_bias: [H, S + 2 K] and [H].
        of_state, of_state_bias: [H, H] and [H].
        of_try, of_try_bias: [H, K] and [H].
        score, score_bias: [1, H] and [1].
        direct: [1, K].
        first, first_bias: [V, H] and [V], of the value.
        second, second_bias: [1, V] and [1].
    """

    state: Floats
    state_bias: Floats
    of_state: Floats
    of_state_bias: Floats
    of_try: Floats
    of_try_bias: Floats
    score: Floats
    score_bias: Floats
    direct: Floats
    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "Weights":
        """From the parameters of a `ks_train.policy.terms.TermsNetwork` by their names there."""
        layers = {"value.0": "first", "value.2": "second"}
        found = {}
        for name, array in parameters.items():
            layer, kind = name.rsplit(".", 1)
            own = layers.get(layer, layer)
            found[own if kind == "weight" else f"{own}_bias"] = np.asarray(array, np.float32)
        return cls(**found)


def names_of(terms: Terms) -> list[str]:
    """The names of all terms, by which a file is known to fit."""
    return [term.name for term in (*terms.tries, *terms.states)]


def write_weights(weights: Weights, terms: Terms, temperature: float, file: Path) -> None:
    """Write weights in half precision, and the temperature to play at; all of the file or nothing."""
    arrays: dict[str, Any] = {name: array.astype(np.float16) for name, array in weights._asdict().items()}
    with aside(file) as path, path.open("wb") as out:
        np.savez_compressed(
            out, terms=np.array(names_of(terms)), temperature=np.float64(temperature), **arrays
        )


def read_weights(file: Path, terms: Terms) -> tuple[Weights, float]:
    """The weights in a file, and the temperature to play at.

    Raises:
        ValueError: they are of other terms, or the file is damaged.
    """
    try:
        with np.load(file) as arrays:
            names = arrays["terms"].tolist()
            temperature = float(arrays["temperature"])
            weights = Weights(*(arrays[name].astype(np.float32) for name in Weights._fields))
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file}: holds no weights or is damaged: {error}") from error
    if names != names_of(terms):
        raise ValueError(
            f"{file}: was trained on other terms than {terms!r}; expected a file trained on them"
        )
    return weights, temperature


def score(weights: Weights, tries: Tries) -> tuple[Floats, float]:
    """Logits f4[K] of the tries of one state, and its value as log odds of the score.

    Args:
        weights: of the network.
        tries: of one row, which has some.
    """
    terms: Any = tries.terms
    seen = np.concatenate([tries.state[0], terms.max(0), terms.min(0)])
    state = np.maximum(weights.state @ seen + weights.state_bias, 0)
    common = weights.of_state @ state + weights.of_state_bias + weights.of_try_bias
    hidden = np.maximum(terms @ weights.of_try.T + common, 0)
    logits = hidden @ weights.score[0] + terms @ weights.direct[0] + weights.score_bias[0]
    value = np.maximum(weights.first @ state + weights.first_bias, 0) @ weights.second[0]
    return logits, float(value + weights.second_bias[0])
