"""Models of the opponent: how likely each of his legal tries is on a board.

A model is any object with the method `weigh` of `OpponentModel`: a policy's probabilities, an engine's values
put through a softmax. It is asked about whole boards, so it knows what the opponent does not; a program that
looks at the seat's men only through what the opponent has heard of them must do so itself. `SquareModel` and
what makes it are those that come with the package.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

import numpy as np

from ks_env.belief.particles.layout import KINDS
from ks_env.belief.profile import SHIPPED, Profile
from ks_env.core.jit import kernel
from ks_env.core.record import Array, f4, i8
from ks_env.core.tables import PAWN, TRY_FROM, TRY_TO
from ks_env.games.kriegspiel.layout import View

TAKES, RETAKES = 3.0, 3.0  # weight of a pawn capture and of taking back, in `shipped_model`


class OpponentModel(Protocol):
    """How likely the opponent's tries are."""

    def weigh(self, boards: Array, view: Any, tries: Array, count: Array, out: Array) -> None:
        """Write how likely each legal try is on each of some boards.

        Args:
            boards: TRUTH[N], in the seat's frame: the opponent, who is to move, is seat 1 and plays down the
                board. `check_types` and other kernels of `ks_env.core.position` work on them as they are.
            view: VIEW of the seat, after the opponent's move; for what both have heard, and the time.
            tries: i2[N, 256], numbered in the opponent's own frame, as all tries.
            count: i4[N]; the first `count[i]` of row i are meant.
            out: f4[N, 256], of which the same entries are to be written: at least 0; they need not add up to
                1.
        """


@kernel
def weigh_by_squares(
    boards: Array, view: View, tries: Array, count: Array, pull: Array, taste: Array, out: Array
) -> None:
    """`SquareModel.weigh`, with `pull: f4[KINDS, 64]` of the present time and `taste: f4[2]`."""
    back = -1
    if view.took_kind != 0:
        back = i8(TRY_TO[view.last])
    for i in range(boards.shape[0]):
        for j in range(count[i]):
            action = i8(tries[i, j])
            start, end = i8(TRY_FROM[action]) ^ 56, i8(TRY_TO[action]) ^ 56
            kind = i8(boards[i].men[start]) & 7
            weight = f4(pull[kind, end] / pull[kind, start])
            if kind == PAWN and (start ^ end) & 7 != 0:
                weight *= taste[0]
            if end == back:
                weight *= taste[1]
            out[i, j] = weight


class SquareModel:
    """A try from a to b is as likely as f(b) / f(a), f being how much a square draws men of that kind.

    Captures by pawns, which were announced to the opponent as tries, and taking back on the square where the
    seat has just captured are the likelier by two factors: "both players almost always try to capture back or
    exploit a pawn try when possible" (Ciancarini and Favini 2010, §5.1).

    Args:
        pull: f4[2, T, KINDS, 64], f by the opponent's seat, its own moves made before and kind (entry 0
            unused), squares in the frame of the seat that watches; above 0. The last time serves all later.
        takes: factor of a pawn's captures, above 0.
        retakes: factor of taking back.

    Raises:
        ValueError: a table of another shape, or a value that is not above 0.
    """

    def __init__(self, pull: Array, takes: float = 1.0, retakes: float = 1.0) -> None:
        if pull.ndim != 4 or (pull.shape[0], *pull.shape[2:]) != (2, KINDS, 64):
            raise ValueError(f"pull is {pull.shape}; expected (2, T, {KINDS}, 64)")
        if not (np.isfinite(pull).all() and (pull > 0).all() and takes > 0 and retakes > 0):
            raise ValueError("expected finite values above 0 in pull, takes and retakes")
        self._pull = np.ascontiguousarray(pull, np.float32)
        self._taste = np.array([takes, retakes], np.float32)

    def weigh(self, boards: Array, view: Any, tries: Array, count: Array, out: Array) -> None:
        """See `OpponentModel`."""
        seat = 1 - int(view["seat"])
        time = max(0, int(view["moves"]) - (2 if seat else 1))
        pull = self._pull[seat, min(time, self._pull.shape[1] - 1)]
        weigh_by_squares(boards, view, tries, count, pull, self._taste, out)


def uniform_model() -> SquareModel:
    """All legal tries are equally likely, under-promotions as well."""
    return SquareModel(np.ones((2, 1, KINDS, 64), np.float32))


def profile_model(profile: Profile, takes: float = 1.0, retakes: float = 1.0) -> SquareModel:
    """A profile's men go where their number grows, for as many moves as it tells of.

    See Ciancarini and Favini (2010, §5).
    """
    return SquareModel(profile.smoothed().drifts(range(KINDS)), takes, retakes)


@cache
def shipped_model() -> SquareModel:
    """The profile that comes with the package, with pawn tries and taking back; never changed."""
    return profile_model(Profile.load(SHIPPED), TAKES, RETAKES)


MODELS: dict[str, Callable[[], SquareModel]] = {"uniform": uniform_model, "profile": shipped_model}


def make_model(name: str) -> SquareModel:
    """The model of that name.

    Raises:
        ValueError: no such model.
    """
    if name not in MODELS:
        raise ValueError(f"unknown model {name!r}; expected one of {', '.join(MODELS)}")
    return MODELS[name]()
