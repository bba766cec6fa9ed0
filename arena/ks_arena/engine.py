"""What plays games, many at a time.

An engine takes jobs as it needs them and gives results as they come, in any order; every now and then it
gives None, so that whoever waits can look up.
"""

from collections.abc import Generator, Iterator
from typing import Protocol

from ks_arena.result import GameResult
from ks_arena.schedule import GameJob

BREATH = 0.2  # seconds


class Engine(Protocol):
    """Plays games, many at a time."""

    def run(self, jobs: Iterator[GameJob]) -> Generator[GameResult | None, None, None]:
        """Play the jobs; they are drawn from the iterator when there is room for them."""
        ...
