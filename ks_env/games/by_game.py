"""The referee and the lists of tries of whichever game a record is of.

Kernels over rows of games are written once and compiled for each type of record: Numba asks the functions
here which kernel serves the type, so that a compiled row has no branch between the games.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import types

from ks_env.core.jit import kernel, serves
from ks_env.core.layout import Rules, SeatView
from ks_env.games.invisible import judge as invisible_referee
from ks_env.games.invisible import tries as invisible_tries
from ks_env.games.kriegspiel import judge as referee
from ks_env.games.kriegspiel import tries
from ks_env.games.kriegspiel.layout import GameRow

Implementation = Callable[..., Any]

KRIEGSPIEL, INVISIBLE_CHESS = "Kriegspiel", "invisible chess"  # by which players and encoders name the games


def is_invisible(record: Any) -> bool:
    """Whether a Numba type is that of a GAME or VIEW record of invisible chess."""
    return isinstance(record, types.Record) and "ids" in record.fields


def is_invisible_row(record: Any) -> bool:
    """Whether it is a GAME or VIEW record of invisible chess, or an array of them."""
    return "ids" in (record.dtype.names or ())


def _judge(game: GameRow, history: np.ndarray, rules: Rules, action: int) -> int:
    """Stands in kernels for the referee of the game."""
    raise NotImplementedError


@serves(_judge)
def _which_judge(game: Any, history: Any, rules: Any, action: Any) -> Implementation:
    if is_invisible(game):
        return lambda game, history, rules, action: invisible_referee.judge(game, history, rules, action)
    return lambda game, history, rules, action: referee.judge(game, history, rules, action)


def _list_tries(view: SeatView, rules: Rules, level: int, out: np.ndarray) -> int:
    """Stands in kernels for the list of the game."""
    raise NotImplementedError


@serves(_list_tries)
def _which_list(view: Any, rules: Any, level: Any, out: Any) -> Implementation:
    if is_invisible(view):
        return lambda view, rules, level, out: invisible_tries.list_tries(view, level, out)
    return lambda view, rules, level, out: tries.list_tries(view, rules, level, out)


@kernel
def judge(game: GameRow, history: np.ndarray, rules: Rules, action: int) -> int:
    """Answer one try of the side to move; the kind of answer.

    Args:
        game: GAME record, of either game, that is not over.
        history: u8[H], its earlier positions.
        rules: RULES record.
        action: any integer.
    """
    return _judge(game, history, rules, action)


@kernel
def list_tries(view: SeatView, rules: Rules, level: int, out: np.ndarray) -> int:
    """Write the seat's tries to `out: i2[MOST_TRIES]`; how many. `level` is OWN_BOARD or INFORMED."""
    return _list_tries(view, rules, level, out)
