"""What a run asks of those who train in it: one turn after another, and what they need to go on."""

from dataclasses import dataclass

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


def due(every: int | None, before: int, now: int) -> bool:
    """Whether the tries passed a multiple of `every`."""
    return every is not None and now // every > before // every
