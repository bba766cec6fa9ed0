"""What players made of kernels share: constants as a record, and kernels compiled before the first game."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from ks_env.games.opening import Opening


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
    """A `ks_env.players.Player` that is made of kernels.

    Attributes:
        name: as shown in results.
    """

    name: str
    compiled = True

    def begin(self, opening: Opening) -> None:
        """A new game; the seed fixes all that is drawn.

        Raises:
            ValueError: the start is hidden, and no placements are given.
        """
        if not opening.fens:
            raise ValueError(
                f"player {self.name!r} cannot begin without a position; expected a start FEN, or the"
                " placements of a hidden start"
            )
        self.prepare()
        self.start(opening)

    @abstractmethod
    def prepare(self) -> None:
        """Compile all kernels, and work out whatever outlives a game."""

    @abstractmethod
    def start(self, opening: Opening) -> None:
        """`begin` without preparing."""
