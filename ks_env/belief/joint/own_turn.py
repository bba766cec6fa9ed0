"""Which boards an own try's answer leaves, each played on by one own turn."""

import numpy as np

from ks_env.belief.joint.boards import number_on, numbers_among, without_hidden
from ks_env.belief.joint.layout import GONE
from ks_env.core.answers import ILLEGAL, MOVED
from ks_env.core.bits import ZERO
from ks_env.core.jit import kernel
from ks_env.core.layout import Truth
from ks_env.core.position import has_legal_move, is_legal, play, refresh
from ks_env.core.record import i8, u1
from ks_env.core.tables import TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.invisible.announcement import CHECK
from ks_env.games.invisible.judge import attackers_after, obstacle, pass_turn
from ks_env.games.invisible.layout import View


@kernel
def refusal_fits(truth: Truth, row: np.ndarray, passed: int, view: View, action: int) -> bool:
    """Whether the referee would have called the try illegal on this board, and for the cause that was told.

    The cause of any but the seat's last try is no longer in the view; such tries leave every board on which
    they are illegal for some cause.
    """
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if is_legal(truth, start, end):
        return False
    why = obstacle(truth, passed, start, end)
    if view.tried != action or view.answer != ILLEGAL:
        return why == CHECK or truth.checkers != ZERO
    if why != view.why:
        return False
    if why != CHECK:
        return True
    by = attackers_after(truth, passed, start, end)
    return numbers_among(row, by) == view.hidden_attackers and without_hidden(row, by) == view.attackers


@kernel
def _capture_fits(truth: Truth, row: np.ndarray, view: View) -> bool:
    """Whether the move just played took what the referee said; a hidden man that was taken is gone."""
    square = i8(truth.said.square)
    if square != view.took:
        return False
    if square < 0:
        return True
    number = number_on(row, square)
    if number != view.took_number:
        return False
    if number != 0:
        row[number] = u1(GONE)
    return True


@kernel
def own_move_fits(truth: Truth, row: np.ndarray, view: View) -> bool:
    """Play the own accepted move; whether all that was told of it is true of this board."""
    action = i8(view.tried)
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if not is_legal(truth, start, end):
        return False
    play(truth, start, end, i8(TRY_KIND[action]))
    if not _capture_fits(truth, row, view):
        return False
    refresh(truth)
    return truth.checkers == view.givers and has_legal_move(truth)


@kernel
def own_loss_fits(truth: Truth, passed: int, view: View) -> bool:
    """Pass the turn; whether the own try was impossible on this board."""
    action = i8(view.tried)
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if is_legal(truth, start, end) or obstacle(truth, passed, start, end) == CHECK:
        return False
    pass_turn(truth)
    return has_legal_move(truth)


@kernel
def own_turn_fits(truth: Truth, row: np.ndarray, passed: int, view: View) -> bool:
    """Play on by the own turn that the view tells of; whether the board is still possible."""
    if view.answer == MOVED:
        return own_move_fits(truth, row, view)
    return own_loss_fits(truth, passed, view)
