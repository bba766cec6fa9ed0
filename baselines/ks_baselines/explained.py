"""What a player says of one decision."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar


@dataclass(frozen=True)
class TryExplained:
    """One try that a player thought of.

    Attributes:
        action: the try, in the seat's frame.
        value: what the player makes of it; higher is better.
        components: what went into the value, by name.
        line: the assumed line of own tries, this one first; None where it is not told which.
    """

    action: int
    value: float
    components: Mapping[str, float]
    line: tuple[int | None, ...]


T_co = TypeVar("T_co", bound=TryExplained, covariant=True)


@dataclass(frozen=True)
class Explanation(Generic[T_co]):
    """A decision.

    Attributes:
        chosen: the try that the player makes.
        reason: how it decides, in a word or two.
        tries: the best, the best first; none where it did not compare.
        nodes: that it looked at, where it searches.
    """

    chosen: int
    reason: str
    tries: tuple[T_co, ...]
    nodes: int = 0
