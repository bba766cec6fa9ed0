"""An encoder with a memory for the tests: where the opponent has captured, as far as it was told so far."""

from __future__ import annotations

from typing import Any

import numpy as np

from ks_env.core.answers import Kind
from ks_env.core.planes import Plane
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.planes import COUNT, TABLE
from ks_env.games.opening import Opening

Array = np.ndarray[Any, Any]
MEN = 16  # a side's at the usual start
LOST, LOSSES, STARTS, BLACK = range(COUNT, COUNT + 4)


class Losses:
    """A capture is counted when the view tells of one more than the memory holds."""

    planes: tuple[Plane, ...] = (
        Plane("lost squares", 1, False, "squares of all captures by the opponent"),
        Plane("losses", 255, True, "how many there were"),
        Plane("starts", 255, True, "how many starts the seat deemed possible"),
        Plane("memory of black", 1, True, "whose memory it is"),
    )
    memory: np.dtype[Any] = np.dtype(
        [("squares", "u1", (64,)), ("losses", "u2"), ("starts", "u1"), ("black", "u1")]
    )

    def __init__(self) -> None:
        self.begun: list[tuple[tuple[str, ...], bool]] = []

    def begin(self, opening: Opening) -> Any:
        self.begun.append((opening.fens, opening.colour))
        assert "truth" not in (opening.view.dtype.names or ())
        assert opening.view["seat"] == (not opening.colour)
        record = np.zeros((), self.memory)
        record["starts"], record["black"] = len(opening.fens), not opening.colour
        return record[()]

    def observe(self, views: Array, memory: Array, rules: Any, out: Array) -> None:
        assert views.shape == memory.shape == out.shape[:1]
        assert out.shape == (len(views), 4, 8, 8)
        assert views.base is None  # copies of what the seats know, and no more
        assert "truth" not in (views.dtype.names or ())
        assert "max_plies" in (rules.dtype.names or ())
        for i in range(len(views)):
            view, mine = views[i], memory[i]
            assert view["seat"] == mine["black"]
            if view["pawns_lost"] + view["pieces_lost"] > mine["losses"]:
                mine["squares"][view["lost"]] = 1
                mine["losses"] += 1
            out[i, 0] = mine["squares"].reshape(8, 8)
            for plane, field in enumerate(("losses", "starts", "black"), 1):
                out[i, plane] = mine[field]


def check(planes: Array, starts: int = 1, men: int = MEN) -> None:
    """The memory is this seat's and this game's, and has missed nothing."""
    assert planes.shape == (COUNT + 4, 8, 8)
    lost = men - planes[:6].sum()
    assert (planes[LOSSES] == lost).all()
    assert planes[LOST].any() == (lost > 0)
    assert planes[LOST].sum() <= lost
    assert (planes[LOST] >= (planes[TABLE.names.index("lost")] != 0)).all()
    assert (planes[STARTS] == starts).all()
    assert (planes[BLACK] == planes[TABLE.names.index("black")]).all()


def squares_heard(heard: list[Announcement], colour: bool) -> set[int]:
    """Squares of the opponent's captures in a seat's announcements, in its own frame."""
    return {
        a.square ^ (0 if colour else 56)
        for a in heard
        if a.kind is Kind.MOVED and a.by != colour and a.square is not None
    }
