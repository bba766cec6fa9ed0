"""Where the bare king can be: the exact set of its squares, kept by a seat from what it hears."""

import numpy as np
import numpy.typing as npt

from ks_env.belief.endgames.ending import Boards, ending_of, placement_of
from ks_env.belief.endgames.placements import CHECK_TYPES, full_set, legal_set, replies_to
from ks_env.core.tables import PAWN, QUEEN, TRIES, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.kriegspiel.layout import View

ALL_SQUARES = (1 << 64) - 1
LAST_RANK = 56  # its first square


class KingSet:
    """The bare king's possible squares in one of the solved endings, in the seat's frame.

    Attributes:
        kinds: boards of one's own men by kind, u8[7]; entry 0 is unused.
        squares: board of 64 bits; 0 if what was heard cannot be.

    Args:
        kinds: one's own men.
        squares: where the bare king may stand, the seat to move; attacked squares are left out of it.

    Raises:
        ValueError: no ending with these men is solved.
    """

    def __init__(self, kinds: Boards, squares: int = ALL_SQUARES) -> None:
        self.kinds = np.array(kinds, np.uint64)
        self._place()
        self.squares = int(squares) & self._full()

    def refuse(self, action: int) -> None:
        """The referee refused a try of this turn.

        Raises:
            ValueError: the action is not a move of the men.
        """
        _, _, legal = self._try(action)
        self.squares &= ~legal

    def accept(self, action: int, checks: int) -> None:
        """The referee accepted a try, and the bare king has replied without taking a man.

        Args:
            action: number of the try, in the seat's frame.
            checks: the announced check types as bits, as in the field `gave` of a VIEW.

        Raises:
            ValueError: the action is not a move of the men.
        """
        man, end, legal = self._try(action)
        start, kind = int(self._men[man]), int(self._order[man])
        becomes = int(TRY_KIND[action]) or QUEEN if kind == PAWN and end >= LAST_RANK else kind
        self._men[man], self._order[man] = end, becomes
        at, boards = self.squares & legal, np.zeros(CHECK_TYPES, np.uint64)
        self.squares = int(replies_to(self._order, self._men, np.uint64(at), checks, boards))
        self.kinds[kind] ^= np.uint64(1 << start)
        self.kinds[becomes] ^= np.uint64(1 << end)
        self._place()

    def update(self, view: View) -> None:
        """Bring the set up to date with the seat's VIEW: one's own last move, the refusals of this turn.

        To be called before each try; a call too many changes nothing.

        Raises:
            ValueError: the view's men do not follow from those held by its last accepted try.
        """
        if not np.array_equal(view["kinds"][1:], self.kinds[1:]):
            self.accept(int(view["last"]), int(view["gave"]))
        if not np.array_equal(view["kinds"][1:], self.kinds[1:]):
            raise ValueError("the view's men do not follow from those held by one move; start a new KingSet")
        for action in _bits(view["refused"]):
            if action < TRIES and self._is_move(action):
                self.refuse(action)

    def _place(self) -> None:
        ending = ending_of(self.kinds)
        if ending is None:
            boards = [hex(int(board)) for board in self.kinds[1:]]
            raise ValueError(f"expected the men of a solved ending, got boards {boards} (pawns to king)")
        self._order = ending.kinds
        self._men: npt.NDArray[np.int64] = placement_of(ending, self.kinds)

    def _full(self) -> int:
        return int(full_set(self._order, self._men, np.zeros(CHECK_TYPES, np.uint64)))

    def _is_move(self, action: int) -> bool:
        start = int(TRY_FROM[action])
        return start in self._men and (TRY_KIND[action] == 0 or bool(int(self.kinds[PAWN]) >> start & 1))

    def _try(self, action: int) -> tuple[int, int, int]:
        """Which man moves, where to, and the king's squares from which that is legal."""
        if not (0 <= action < TRIES and self._is_move(action)):
            raise ValueError(f"try {action} moves none of the men on {self._men.tolist()}")
        man = self._men.tolist().index(int(TRY_FROM[action]))
        kind, start, end = int(self._order[man]), int(TRY_FROM[action]), int(TRY_TO[action])
        if kind == PAWN and (end - start) % 8:  # a king cannot be taken
            return man, end, 0
        return man, end, int(legal_set(kind, start, end, np.uint64(self._full())))


def _bits(words: npt.NDArray[np.uint64]) -> list[int]:
    """Numbers of the set bits, 64 to a word."""
    return [int(b) for b in np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))]
