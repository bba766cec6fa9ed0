"""The players."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_baselines.advisors.chess.search import DEEPEST
from ks_baselines.explained import Explanation, TryExplained
from ks_baselines.parameters import check_number, check_whole
from ks_baselines.policy.network import SHIPPED, Weights, read_weights, score
from ks_baselines.samplers.terms import DEEP_DEPTH, DEEP_MODEL, JudgedTerms
from ks_env.belief.inputs import SeatTries
from ks_env.belief.particles.layout import MOST_BOARDS
from ks_env.belief.particles.models import MODELS
from ks_env.belief.terms import Terms
from ks_env.belief.terms.raw import RawTerms
from ks_env.core.ruleset import ICC
from ks_env.core.tries import INFORMED
from ks_env.games.opening import Opening
from ks_env.players.protocol import View

BOARDS, ROOM = 32, 2048  # of `policy-judged`
LEAST = 1e-6  # temperature, at which the likeliest try is the only one


@cache
def shipped(network: str, make: Callable[..., Terms], *parameters: Any) -> tuple[Terms, Weights, float]:
    """Terms, the weights over them and the temperature to play at; made and read once a process.

    Args:
        network: the name of the terms that it was trained on.
        make: makes those terms, which may be worked out with more care than in the training.
        *parameters: of that.
    """
    terms = make(*parameters)
    return terms, *read_weights(SHIPPED[network], terms)


class PolicyPlayer:
    """Draws its tries from a shipped network, by their logits divided by a temperature.

    The network was trained by ICC's rules, and plays by the others too.

    Args:
        name: of the player.
        network: see `shipped`.
        temperature: 0 takes the likeliest try; None is that at which it was judged.

    Attributes:
        nodes: states given to the network in this game, one a try.
    """

    compiled = False

    def __init__(self, name: str, network: tuple[Terms, Weights, float], temperature: Any) -> None:
        if temperature is not None:
            check_number(name, "temperature", temperature, 0)
        self._terms, self._weights, usual = network
        self.name = name if temperature is None else f"{name}:temperature={temperature:g}"
        self.nodes = 0
        self._temperature = usual if temperature is None else float(temperature)
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


def policy_player(temperature: Any = None) -> PolicyPlayer:
    """The player `policy`: a small trained network over the terms `raw`, without a search.

    Args:
        temperature: logits are divided by it before a try is drawn; 0 takes the likeliest; by default that
            at which it was judged.

    Raises:
        ValueError: the temperature is not a valid one.
    """
    return PolicyPlayer("policy", shipped("raw", RawTerms), temperature)


def policy_judged_player(
    temperature: Any = None,
    boards: int = BOARDS,
    depth: int = DEEP_DEPTH,
    room: int = ROOM,
    model: str = DEEP_MODEL,
) -> PolicyPlayer:
    """The player `policy-judged`: the same over the terms `judged-deep`, which judge sampled boards.

    By default it works them out from more boards than in its training.

    Args:
        temperature: see `policy_player`.
        boards: judged at each try.
        depth: plies of the search, the try included; captures are looked into below.
        room: for so many boards of the particle filter.
        model: of the opponent there, "uniform" or "profile".

    Raises:
        ValueError: a parameter that makes no player.
    """
    name = "policy-judged"
    check_whole(name, "boards", boards, 1, MOST_BOARDS)
    check_whole(name, "depth", depth, 1, DEEPEST)
    check_whole(name, "room", room, 1, MOST_BOARDS)
    if model not in MODELS:
        raise ValueError(f"player {name!r}: model is {model!r}; expected one of {', '.join(MODELS)}")
    return PolicyPlayer(name, shipped("judged-deep", JudgedTerms, room, boards, depth, model), temperature)
