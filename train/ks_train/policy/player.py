"""A trained model in a seat: `model:file=runs/quickstart`, `model:file=best.zip,temperature=0.5`."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ks_env.belief.inputs import SeatPlanes, SeatTries
from ks_env.core.ruleset import ICC
from ks_env.core.tries import mask_level
from ks_env.games.opening import Opening
from ks_env.players.protocol import Player, View

if TYPE_CHECKING:
    from ks_train.policy.files import Network


class NetworkPlayer:
    """A trained policy as a `Player`, by its view alone: memory is in its planes or terms.

    A try is drawn by the Gumbel maximum: of logit / temperature + noise, the greatest. The noise comes from
    a generator seeded in `begin`, so the seed fixes the game wherever the logits come out alike, which is
    said of machines with the same kind of processor and the same version of torch.

    Args:
        name: shown in results.
        network: the policy.
        temperature: logits are divided by it; 0 takes the likeliest try.

    Attributes:
        nodes: positions given to the network in this game, one a try.
    """

    compiled = False

    def __init__(self, name: str, network: "Network", temperature: float) -> None:
        self.name = name
        self.nodes = 0
        self._network = network
        self._temperature = temperature
        self._seen = SeatPlanes(network.encoder) if network.terms is None else SeatTries(network.terms)
        self._mask, self._level = network.env.mask, mask_level(network.env.mask)
        self._opening: Opening | None = None
        self._rules = ICC.record()
        self._generator = np.random.default_rng(0)

    def begin(self, opening: Opening) -> None:
        """A new game; the start matters only to an encoder with a memory, the rest is in the views.

        Raises:
            ValueError: the encoder has a memory, and the start is hidden without declared placements.
        """
        self._seen.begin(opening)
        self._opening = opening
        self._rules = opening.ruleset.record()
        self._generator = np.random.default_rng(opening.seed)
        self.nodes = 0

    def choose(self, view: View) -> int:
        """The next try.

        Raises:
            ValueError: the model gives no numbers.
        """
        assert self._opening is not None
        if isinstance(self._seen, SeatTries):
            described = self._seen.describe(view, self._rules[0], self._level)
            tries = described.actions.astype(np.int64)
            scores = self._network.scores_of_terms(described)
        else:
            tries = self._opening.tries(view, self._mask)
            scores = self._network.scores(self._seen.planes(view, self._rules[0]), tries)
        self.nodes += 1
        if not np.isfinite(scores).all():
            raise ValueError(f"{self.name}: gives logits that are not finite; its training diverged")
        if self._temperature > 0:
            noise = self._generator.gumbel(size=len(scores))
            scores = (scores - scores.max()) / self._temperature + noise
        return int(tries[scores.argmax()])


def model_player(file: Any, temperature: Any = None, algorithm: str = "sb3_contrib:MaskablePPO") -> Player:
    """The player `model`: a policy that `ks train` or Stable-Baselines3 has trained.

    Args:
        file: a model's file, or the folder of a run or of a checkpoint. Loading it runs code that is in it.
        temperature: logits are divided by it; 0 takes the likeliest try. By default that of the run's config,
            or 1.
        algorithm: class of Stable-Baselines3's kind that loads the file.

    Raises:
        ConfigError: there is no such file, it is damaged, or what it holds cannot play here.
        ValueError: the temperature is not a valid one, or a package is missing.
    """
    name = f"model:{file}" + ("" if temperature is None else f",temperature={temperature}")
    if temperature is not None:
        check_temperature(temperature)
    try:
        from ks_train.policy.files import load_network
    except ImportError as error:
        raise ValueError(
            f'{name}: {error.name} is missing; models need the extra "train": pip install "ks-env[train]"'
        ) from error
    network = load_network(str(file), str(algorithm))
    return NetworkPlayer(name, network, network.temperature if temperature is None else temperature)


def check_temperature(temperature: Any) -> None:
    """Refuse what logits cannot be divided by.

    Raises:
        ValueError: it is not a number, negative, infinite or NaN.
    """
    number = isinstance(temperature, int | float) and not isinstance(temperature, bool)
    if not number or not 0 <= temperature < math.inf:
        raise ValueError(f"the temperature is {temperature!r}; expected 0 or a positive number")
