"""What players made of kernels share: constants as a record, and kernels compiled before the first game."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from ks_env.core.ruleset import Ruleset
from ks_env.games.kriegspiel.announcement import Announcement


@dataclass(frozen=True)
class Numbers:
    """Constants of a player: a dataclass of numbers and tuples of numbers.

    Attributes:
        precision: dtype of all of them in the record.
    """

    precision: ClassVar[str] = "f4"

    def record(self) -> np.ndarray[Any, Any]:
        """The constants for the kernels: a record array of one row, CONSTANTS[1] in their docstrings.

        What a class adds stands before what it inherits: a record that begins like another is to Numba one of
        the same kind, which it hands to what was compiled for the other.
        """
        inherited = {field.name for base in type(self).__bases__ for field in fields(base)}
        names = sorted((field.name for field in fields(self)), key=inherited.__contains__)
        values = {name: getattr(self, name) for name in names}
        layout = [
            (name, self.precision, (len(value),)) if isinstance(value, tuple) else (name, self.precision)
            for name, value in values.items()
        ]
        out = np.zeros(1, np.dtype(layout, align=True))
        for name, value in values.items():
            out[name] = value
        return out


class CompiledPlayer(ABC):
    """A `Player` that `TakesPlacements` (`ks_env.players.protocol`).

    Attributes:
        name: as shown in results.
    """

    name: str
    compiled = True

    def begin(self, colour: bool, ruleset: Ruleset, start_fen: str | None, seed: int) -> None:
        """A new game; the seed fixes all that is drawn.

        Raises:
            ValueError: the start is hidden, and no placements are given (`begin_hidden`).
        """
        if start_fen is None:
            raise ValueError(
                f"player {self.name!r} cannot begin without a position; expected a start FEN, or the"
                " placements of a hidden start"
            )
        self.begin_hidden(colour, ruleset, [start_fen], seed)

    def begin_hidden(self, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int) -> None:
        """A new game from one of several positions that differ in the opponent's men only."""
        self.prepare()
        self.start(colour, ruleset, fens, seed)

    @abstractmethod
    def prepare(self) -> None:
        """Compile all kernels, and work out whatever outlives a game."""

    @abstractmethod
    def start(self, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int) -> None:
        """`begin_hidden` without preparing."""

    def hear(self, announcement: Announcement) -> None:  # noqa: B027 – the protocol asks for it
        """All that such a player needs is in the view."""
