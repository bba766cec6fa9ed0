"""Which endings are solved: a king with these men against a bare king."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.core.tables import BISHOP, DARK, KING, KNIGHT, PAWN, QUEEN, RANK_1, RANK_8, ROOK

Boards = np.ndarray[Any, Any] | list[int]
KINDS = 7


@dataclass(frozen=True, slots=True)
class Ending:
    """A king and one or two more men against a bare king.

    Attributes:
        name: in chess letters, the bare king last, such as "KBNK".
        men: kinds of the men besides the king, the greater first.
        known: (placements up to symmetry, those with a sure win, fewest and most moves to mate of those),
            from an independent retrograde solver, of KPK from this one; worst case, ICC checks, free
            illegal tries.
        promoted: endings that a promotion may lead to; they are solved as well, behind this one.
    """

    name: str
    men: tuple[int, ...]
    known: tuple[int, int, int, int]
    promoted: tuple["Ending", ...] = ()

    @property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """Kinds of all the men, the king first: u1[2] or u1[3]."""
        return np.array([KING, *self.men], np.uint8)

    @property
    def size(self) -> int:
        """Number of men, the king among them."""
        return 1 + len(self.men)

    @property
    def stages(self) -> tuple["Ending", ...]:
        """This ending and those that its promotions lead to."""
        return self, *self.promoted


KQK = Ending("KQK", (QUEEN,), (518, 518, 13, 18))
KRK = Ending("KRK", (ROOK,), (518, 315, 25, 33))
KBBK = Ending("KBBK", (BISHOP, BISHOP), (7_936, 882, 25, 37))
KBNK = Ending("KBNK", (BISHOP, KNIGHT), (31_332, 6_737, 69, 83))
KPK = Ending("KPK", (PAWN,), (1_512, 60, 15, 21), (KQK, KRK))
ENDINGS: dict[str, Ending] = {ending.name: ending for ending in (KQK, KRK, KBBK, KBNK, KPK)}


def ending_named(name: str) -> Ending:
    """The ending of this name, in either case.

    Raises:
        ValueError: no such ending is solved.
    """
    ending = ENDINGS.get(name.upper())
    if ending is None:
        raise ValueError(f"unknown ending {name!r}; expected one of {', '.join(ENDINGS)}")
    return ending


def squares_of(kinds: Boards) -> dict[int, list[int]]:
    """Squares of the own men by kind, the kinds that are there, from the greatest down.

    Args:
        kinds: boards of one's own men by kind, u8[7] as in a VIEW; entry 0 is not read.
    """
    if len(kinds) != KINDS:
        raise ValueError(f"expected {KINDS} boards of own men by kind, entry 0 unused; got {len(kinds)}")
    boards = {kind: int(kinds[kind]) for kind in range(KING, 0, -1)}
    return {kind: [s for s in range(64) if board >> s & 1] for kind, board in boards.items() if board}


def ending_of(kinds: Boards) -> Ending | None:
    """The solved ending that these own men make against a bare king; None for any other men.

    Two bishops count only if they stand on different colours: two on the same colour cannot mate. A pawn
    counts on the second to the seventh rank.

    Args:
        kinds: boards of one's own men by kind, u8[7] as in a VIEW; entry 0 is not read.
    """
    squares = squares_of(kinds)
    if len(squares.pop(KING, [])) != 1:
        return None
    men = tuple(kind for kind, places in squares.items() for _ in places)
    if men == KBBK.men and len({int(DARK) >> s & 1 for s in squares[BISHOP]}) != 2:
        return None
    if int(kinds[PAWN]) & int(RANK_1 | RANK_8):
        return None
    return next((ending for ending in ENDINGS.values() if ending.men == men), None)


def placement_of(ending: Ending, kinds: Boards) -> npt.NDArray[np.int64]:
    """Squares of the ending's men, in the order of `Ending.kinds`: i8[2] or i8[3].

    Raises:
        ValueError: the men are not those of this ending.
    """
    if ending_of(kinds) is not ending:
        names = {kind: len(places) for kind, places in squares_of(kinds).items()}
        raise ValueError(f"expected the men of {ending.name} {tuple(ending.kinds)}, got {names} (kind: men)")
    return np.array([s for places in squares_of(kinds).values() for s in places], np.int64)
