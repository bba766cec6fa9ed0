"""What a seat holds possible of its opponent, ready to be drawn.

A metaposition (`ks_env.belief.metaposition`) is in its seat's own frame; here everything is on python-chess
squares, a1 = 0, for both seats.

::

    p       may be a pawn          small and faint: the fainter, the more squares are possible for the kind
    N B R   may be any of these    several kinds share the square
    Q       is a queen             full size and opaque
    [N B]   is one of these        brackets: a man stands here for certain
"""

import math
from dataclasses import dataclass
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from ks_env.belief.metaposition import entropy

FAINTEST, STRONGEST = 0.34, 0.8  # opacity of ghosts; a certain man has 1


@dataclass(frozen=True, eq=False)
class Ghosts:
    """A metaposition to draw. Boards are python-chess bitboards.

    Attributes:
        seat: whose metaposition; the ghosts are the other colour's men.
        boards: entry 1..6: where a man of that kind may stand; entry 0: what may be empty. Own men are in
            none.
        ages: u1[64], opponent turns without information on the square; 0 where no man can be.
        most: most men of each kind that the opponent can have; entry 0: its men.
        entropy: Ciancarini and Favini (2007, §4.3).
    """

    seat: bool
    boards: tuple[int, ...]
    ages: NDArray[np.uint8]
    most: tuple[int, ...]
    entropy: float

    def kinds(self, square: int) -> list[int]:
        """Kinds that may stand on the square, pawn first."""
        return [kind for kind in chess.PIECE_TYPES if self.boards[kind] >> square & 1]

    def occupied(self, square: int) -> bool:
        """Whether an opponent's man stands on the square for certain."""
        return not self.boards[0] >> square & 1 and bool(self.kinds(square))

    def certain(self, square: int) -> bool:
        """Whether it is even known which kind."""
        return self.occupied(square) and len(self.kinds(square)) == 1

    def opacities(self) -> tuple[float, ...]:
        """How strongly a ghost of each kind is drawn: the more squares a man of it may be on, the less."""
        return (0.0, *(_opacity(self.most[k], self.boards[k].bit_count()) for k in chess.PIECE_TYPES))


def _opacity(most: int, squares: int) -> float:
    share = min(1.0, most / squares) if squares else 0.0
    return round(FAINTEST + (STRONGEST - FAINTEST) * math.sqrt(share), 2)


def ghosts_of(metaposition: Any) -> Ghosts:
    """The ghosts of a METAPOSITION record (np.void)."""
    seat = int(metaposition["seat"]) == 0
    ages = np.array(metaposition["age"], np.uint8)
    boards = tuple(int(board) for board in metaposition["ghosts"])
    return Ghosts(
        seat=seat,
        boards=boards if seat else tuple(chess.flip_vertical(board) for board in boards),
        ages=ages if seat else ages[np.arange(64) ^ 56],
        most=tuple(int(count) for count in metaposition["most"]),
        entropy=float(entropy(metaposition)),
    )
