"""What a seat is told when a game begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ks_env.core.ruleset import Ruleset
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


def opening_of(game: GameUnderWay[Any], colour: bool, seed: int = 0, fens: Sequence[str] = ()) -> Opening:
    """What a seat is told of a game that has just begun.

    Args:
        colour: of the seat.
        seed: fixes all that is random.
        fens: of a hidden start, the placements that the seat cannot tell apart, as far as they were declared.
    """
    view = game.view(colour)
    hidden = bool(view["start"] < 0)
    told = tuple(fens) if hidden else (game.start_fen,)
    return Opening(game.definition, colour, game.ruleset, told, view, seed, hidden)
