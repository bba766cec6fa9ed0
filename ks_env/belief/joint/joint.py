"""A joint distribution as an object, for players, pictures and tests written in Python."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.belief.joint.follow import begin_joint, follow_joint
from ks_env.belief.joint.layout import GONE, Work, entropy_of, joint_dtype, make_work, write_marginals
from ks_env.games.invisible.layout import NUMBERS

DEFAULT_BOARDS = 1 << 14

View = Any  # a record: np.void


class Joint:
    """What one seat can know of the opponent's hidden men: boards and their probabilities.

    See Bud et al. (2001, §3.1).

    Args:
        boards: room for so many; as long as they fit the distribution is exact.
        spread_captures: a capture by a hidden man spreads its squares as any other move of it does, and where
            it captured is not taken in. Such a distribution still holds the true board, and is not exact.
    """

    def __init__(self, boards: int = DEFAULT_BOARDS, *, spread_captures: bool = False) -> None:
        self._records = np.zeros(1, joint_dtype(boards))
        self.record["spread_captures"] = spread_captures
        self._work = make_work(boards)

    @property
    def record(self) -> Any:
        """The record itself, of `layout.joint_dtype`; not a copy."""
        return self._records[0]

    @property
    def work(self) -> Work:
        """Working memory for as many boards."""
        return self._work

    def begin(self, view: View) -> None:
        """A new game, from the seat's view of its start.

        Raises:
            ValueError: a hidden man stands nobody knows where, as in no start position.
        """
        lost = np.flatnonzero((view["unseen"] != 0) & (view["placed"] < 0))
        if len(lost):
            raise ValueError(f"hidden man {lost[0]} has moved unseen; expected the view of a game's start")
        begin_joint(self.record, view)

    def follow(self, view: View) -> None:
        """Take in what the seat has been told since; call it after each answer to be exact.

        Raises:
            ValueError: no game was begun, or the view is of another game or more than one turn ahead.
        """
        if not self.record["begun"]:
            raise ValueError("no game has been begun; call begin first")
        if not follow_joint(self.record, view, self._work):
            raise ValueError(
                "the distribution cannot follow this view: expected the same game, each turn of the seat"
            )

    @property
    def count(self) -> int:
        """How many boards there are."""
        return int(self.record["count"])

    @property
    def exact(self) -> bool:
        """Whether no board was ever left out for lack of room."""
        return bool(self.record["exact"])

    @property
    def rebuilt(self) -> int:
        """How often all boards kept were contradicted, and new ones drawn within the public bounds."""
        return int(self.record["rebuilt"])

    @property
    def boards(self) -> npt.NDArray[np.uint8]:
        """u1[count, 16]: squares of the hidden men by number, in the seat's frame; 64 for none."""
        boards: npt.NDArray[np.uint8] = self.record["squares"][: self.count]
        return boards

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """f8[count]: their probabilities."""
        weights: npt.NDArray[np.float64] = self.record["weight"][: self.count]
        return weights

    def entropy(self) -> float:
        """Bits of uncertainty (Bud et al. 2001, §6.1, equation 2)."""
        passed = self.record["passed"][: self.count]
        if (passed == passed[0]).all():  # then no two boards have all men on the same squares
            return float(entropy_of(self.weights, self.count))
        merged: dict[bytes, float] = {}
        for board, weight in zip(self.boards, self.weights, strict=True):
            merged[board.tobytes()] = merged.get(board.tobytes(), 0.0) + float(weight)
        return float(entropy_of(np.array(list(merged.values())), len(merged)))

    def marginals(self) -> npt.NDArray[np.float64]:
        """f8[16, 64]: the chance that a hidden man stands on a square, by number."""
        out = np.zeros((NUMBERS, 64))
        write_marginals(self.record, out)
        return out

    def chance(self, squares: dict[int, int]) -> float:
        """The probability that the hidden men stand on these squares, by number, in the seat's frame."""
        row = np.full(NUMBERS, GONE, np.uint8)
        for number, square in squares.items():
            row[number] = square
        same = (self.boards[:, 1:] == row[1:]).all(axis=1)
        return float(self.weights[same].sum())
