"""What a run asks of those who train in it: one turn after another, and what they need to go on."""

from dataclasses import dataclass
from typing import Protocol

from sb3_contrib import MaskablePPO

from ks_train.learn.checkpoint import Arrays
from ks_train.learn.episodes import Episode


@dataclass(frozen=True)
class Turn:
    """What a rollout and an update with it brought.

    Attributes:
        opponent: who was met.
        tries: of the learner.
        episodes: games that ended.
        env_share: share of the time that the games took; in a league with the choice of tries.
        losses: means of the update, by name; `entropy`, `kl` and `explained_variance` among them.
    """

    opponent: str
    tries: int
    episodes: list[Episode]
    env_share: float
    losses: dict[str, float]


class Trainer(Protocol):
    """Who trains a policy.

    Attributes:
        model: the policy and its optimiser, saved as Stable-Baselines3 does.
    """

    model: MaskablePPO

    def turn(self, progress: float) -> Turn:
        """One rollout and its update, after this share of the budget."""

    def arrays(self) -> Arrays:
        """What the next turn depends on beside the model and the generators of torch, numpy and Python."""

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""


def due(every: int | None, before: int, now: int) -> bool:
    """Whether the tries passed a multiple of `every`."""
    return every is not None and now // every > before // every
