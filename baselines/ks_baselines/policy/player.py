"""The players."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_baselines.explained import Explanation, TryExplained
from ks_baselines.parameters import check_number
from ks_baselines.policy.network import SHIPPED, Weights, read_weights, score
from ks_env.belief.inputs import SeatTries
from ks_env.belief.terms import Terms, make_terms
from ks_env.core.ruleset import ICC
from ks_env.core.tries import INFORMED
from ks_env.games.opening import Opening
from ks_env.players.protocol import View

LEAST = 1e-6  # temperature, at which the likeliest try is the only one


@cache
def shipped(terms: str) -> tuple[Terms, Weights, float]:
    """The terms of that name, the weights over them and the temperature to play at; read once a process."""
    made = make_terms(terms)
    assert made is not None
    return made, *read_weights(SHIPPED[terms], made)


class PolicyPlayer:
    """Draws its tries from a shipped network, by their logits divided by a temperature.

    The network was trained by ICC's rules, and plays by the others too.

    Args:
        name: of the player.
        terms: the name of the terms that the network rests on.
        temperature: 0 takes the likeliest try; None is that at which it was judged.

    Attributes:
        nodes: states given to the network in this game, one a try.
    """

    compiled = False

    def __init__(self, name: str, terms: str, temperature: float | None) -> None:
        self._terms, self._weights, usual = shipped(terms)
        self.name = name if temperature is None else f"{name}:temperature={temperature:g}"
        self.nodes = 0
        self._temperature = usual if temperature is None else temperature
        self._tries = SeatTries(self._terms)
        self._rules = ICC.record()
        self._generator = np.random.default_rng(0)

    def begin(self, opening: Opening) -> None:
        """A new game.

        Raises:
            ValueError: the start is hidden without declared placements.
        """
        self._tries.begin(opening)
        self._rules = opening.ruleset.record()
        self._generator = np.random.default_rng(opening.seed)
        self.nodes = 0

    def choose(self, view: View) -> int:
        """The next try."""
        tries = self._tries.describe(view, self._rules[0], INFORMED)
        logits, _ = score(self._weights, tries)
        return int(tries.actions[self._draw(logits)])

    def _draw(self, logits: npt.NDArray[Any]) -> int:
        self.nodes += 1
        if self._temperature > 0:
            noise = self._generator.gumbel(size=len(logits))
            logits = (logits - logits.max()) / self._temperature + noise
        return int(logits.argmax())

    def explain(self, view: View, most: int) -> Explanation[TryExplained]:
        """The decision that `choose(view)` makes, explained: the likeliest tries and their terms.

        The value of a try is the percentage of draws that it is chosen in.
        """
        tries = self._tries.describe(view, self._rules[0], INFORMED)
        logits, _ = score(self._weights, tries)
        chosen = int(tries.actions[self._draw(logits)])
        sharp = np.exp((logits - logits.max()) / max(self._temperature, LEAST))
        percent = 100 * sharp / sharp.sum()
        names = [term.name for term in self._terms.tries]
        return Explanation(
            chosen,
            "policy",
            tuple(
                TryExplained(
                    int(tries.actions[i]),
                    float(percent[i]),
                    {name: float(term) for name, term in zip(names, tries.terms[i], strict=True) if term},
                    (int(tries.actions[i]),),
                )
                for i in np.argsort(-logits, kind="stable")[:most]
            ),
        )


def _make(name: str, terms: str, temperature: Any) -> PolicyPlayer:
    """A player from its parameters.

    Raises:
        ValueError: the temperature is not a valid one.
    """
    if temperature is None:
        return PolicyPlayer(name, terms, None)
    check_number(name, "temperature", temperature, 0)
    return PolicyPlayer(name, terms, float(temperature))


def policy_player(temperature: Any = None) -> PolicyPlayer:
    """The player `policy`: a small trained network over the terms `raw`, without a search.

    Args:
        temperature: logits are divided by it before a try is drawn; 0 takes the likeliest; by default that
            at which it was judged.

    Raises:
        ValueError: the temperature is not a valid one.
    """
    return _make("policy", "raw", temperature)


def policy_judged_player(temperature: Any = None) -> PolicyPlayer:
    """The player `policy-judged`: the same over the terms `judged`, for which boards are sampled and judged.

    Raises:
        ValueError: the temperature is not a valid one.
    """
    return _make("policy-judged", "judged", temperature)
