"""What a seat is told when a game begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ks_env.core.ruleset import Ruleset
from ks_env.games.definition import GameDefinition


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


def opening_of(
    game: GameDefinition, start: Any, fens: Sequence[str], ruleset: Ruleset, colour: bool, seed: int = 0
) -> Opening:
    """The opening of a public start.

    Args:
        game: which game is played.
        start: its GAME record at the start.
        fens: the start position.
        ruleset: the rules.
        colour: of the seat.
        seed: fixes all that is random.
    """
    return Opening(game, colour, ruleset, tuple(fens), start["views"][0 if colour else 1].copy(), seed)
