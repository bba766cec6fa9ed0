"""What a seat is told when a game begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.core.ruleset import Ruleset
from ks_env.core.tries import MOST_TRIES, mask_level
from ks_env.games.definition import GameDefinition
from ks_env.games.under_way import GameUnderWay


@dataclass(frozen=True)
class Opening:
    """The beginning of a game, as one seat is told it.

    Attributes:
        game: which game is played.
        colour: of the seat; True for White.
        ruleset: the rules.
        fens: the start positions that the seat cannot tell apart, one of which is on the board: exactly one
            where the start is public; none where it is hidden and no placements were declared.
        hidden: the start is hidden: the seat is told its own men, and `fens`.
        view: a copy of the seat's VIEW record at the start.
        seed: fixes all that is random.
    """

    game: GameDefinition
    colour: bool
    ruleset: Ruleset
    fens: tuple[str, ...]
    view: Any
    seed: int = 0
    hidden: bool = False

    @property
    def start_fen(self) -> str | None:
        """The start position; None where it is hidden."""
        return None if self.hidden else self.fens[0]

    def tries(self, view: Any, mask: str = "informed") -> npt.NDArray[np.int64]:
        """The tries that a mask allows the seat to move: i8[K], in growing order.

        Args:
            view: its VIEW record now.
            mask: "informed" or "own-board".

        Raises:
            ValueError: there is no such mask.
        """
        found = np.empty(MOST_TRIES, np.int16)
        rules = self.ruleset.record()[0]
        count = self.game.kernels.list_tries(view, rules, mask_level(mask), found)
        return np.sort(found[:count]).astype(np.int64)

    @classmethod
    def of(cls, game: GameUnderWay[Any], colour: bool, seed: int = 0, fens: Sequence[str] = ()) -> "Opening":
        """What a seat is told of a game that has just begun.

        Args:
            game: at its start.
            colour: of the seat.
            seed: fixes all that is random.
            fens: of a hidden start, the placements that the seat cannot tell apart, as far as declared.
        """
        view = game.view(colour)
        hidden = bool(view["start"] < 0)
        told = tuple(fens) if hidden else (game.start_fen,)
        return cls(game.definition, colour, game.ruleset, told, view, seed, hidden)
