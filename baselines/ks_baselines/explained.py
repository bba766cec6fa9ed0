"""What a player says of one decision, where it compares tries without a tree."""

from collections.abc import Mapping
from typing import NamedTuple


class TryExplained(NamedTuple):
    """One try that a player thought of.

    Attributes:
        action: the try, in the seat's frame.
        value: what the player makes of it; higher is better.
        components: what went into the value, by name.
        line: the try alone.
    """

    action: int
    value: float
    components: Mapping[str, float]
    line: tuple[int, ...]


class Explanation(NamedTuple):
    """A decision.

    Attributes:
        chosen: the try that the player makes.
        reason: how it decides, in a word or two.
        tries: the best, the best first.
    """

    chosen: int
    reason: str
    tries: tuple[TryExplained, ...]
